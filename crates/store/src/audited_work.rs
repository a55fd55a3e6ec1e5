//! Changes of work together with what the audit is to say of them: the one place where both rooms of a database meet.
//!
//! Each method does what the one without an audit in a trait of `weevil-records` does, and writes
//! the entry in the same transaction.

use async_trait::async_trait;
use weevil_access::audit::AuditEntry;
use weevil_model::witness::{Mark, Record};
use weevil_model::{ContentHash, PauseWords, ProjectId, StoreError};
use weevil_queue::QueueCode;
use weevil_records::{Removal, RunInput, RunRecord, Scope, StoredWorkflow, Suspension};

use crate::db::{Db, writes};
use crate::driver::Driver;
use crate::fault::{Fault, retried};
use crate::parts::{audited, marks, suspensions, workflow_names};

/// What people do with runs, workflows, pauses and devices. Jobs are told as sums (ADR 0053).
#[async_trait]
pub trait AuditedWork: Send + Sync {
    /// Keeps a workflow and a new run of it.
    async fn create_audited_run(
        &self,
        workflow: &StoredWorkflow,
        run: &RunRecord,
        inputs: &[RunInput],
        entry: &AuditEntry,
    ) -> Result<(), StoreError>;

    /// Keeps a workflow under its name in a project.
    async fn keep_audited_workflow(
        &self,
        project: ProjectId,
        workflow: &StoredWorkflow,
        entry: &AuditEntry,
    ) -> Result<(), StoreError>;

    /// Takes a workflow out of a project, with the files that the project has for its sake alone. Where it answers anything but
    /// `Removed` nothing has changed.
    async fn remove_workflow(
        &self,
        project: ProjectId,
        workflow: ContentHash,
        entry: &AuditEntry,
    ) -> Result<Removal, StoreError>;

    /// Pauses, with what the person says, or resumes. Answers false of a run that is not there or has ended, and writes nothing down
    /// then.
    async fn pause_audited(
        &self,
        scope: Scope,
        paused: Option<&PauseWords>,
        entry: &AuditEntry,
    ) -> Result<bool, StoreError>;

    /// Lets the held jobs of a stopped code go. Answers false where it is not stopped, and writes nothing down then.
    async fn resume_code(&self, code: &QueueCode, entry: &AuditEntry) -> Result<bool, StoreError>;

    /// Marks the device with this number, known or not. Answers what is kept of it from now on.
    async fn mark_device(&self, device: i64, mark: Mark, entry: &AuditEntry) -> Result<Record, StoreError>;

    /// Has a device, known or not, be given nothing. Answers false, and writes nothing down, where `most` others are suspended
    /// already.
    async fn suspend_device(
        &self,
        device: ContentHash,
        suspension: &Suspension,
        most: u32,
        entry: &AuditEntry,
    ) -> Result<bool, StoreError>;

    /// Lets a device go on. Answers false where it was not suspended, and writes nothing down then.
    async fn lift_suspension(&self, device: ContentHash, entry: &AuditEntry) -> Result<bool, StoreError>;
}

#[async_trait]
impl<D: Driver> AuditedWork for Db<D> {
    async fn create_audited_run(
        &self,
        workflow: &StoredWorkflow,
        run: &RunRecord,
        inputs: &[RunInput],
        entry: &AuditEntry,
    ) -> Result<(), StoreError> {
        writes!(self, "a run" at run.created_at, tx => audited::create_run(tx, workflow, run, inputs, entry))
    }

    async fn keep_audited_workflow(
        &self,
        project: ProjectId,
        workflow: &StoredWorkflow,
        entry: &AuditEntry,
    ) -> Result<(), StoreError> {
        writes!(self, "a workflow" at entry.at, tx => audited::keep_workflow(tx, project, workflow, entry))
    }

    async fn remove_workflow(
        &self,
        project: ProjectId,
        workflow: ContentHash,
        entry: &AuditEntry,
    ) -> Result<Removal, StoreError> {
        writes!(self, "a removal" at entry.at, tx => workflow_names::remove(tx, project, workflow, entry))
    }

    async fn pause_audited(
        &self,
        scope: Scope,
        paused: Option<&PauseWords>,
        entry: &AuditEntry,
    ) -> Result<bool, StoreError> {
        writes!(self, "a pause" at entry.at, tx => audited::pause(tx, scope, paused, entry))
    }

    async fn resume_code(&self, code: &QueueCode, entry: &AuditEntry) -> Result<bool, StoreError> {
        writes!(self, "a code that goes on" at entry.at, tx => audited::resume_code(tx, code, entry))
    }

    async fn mark_device(&self, device: i64, mark: Mark, entry: &AuditEntry) -> Result<Record, StoreError> {
        writes!(self, "a mark" at entry.at, tx => marks::mark(tx, device, mark, entry))
    }

    async fn suspend_device(
        &self,
        device: ContentHash,
        suspension: &Suspension,
        most: u32,
        entry: &AuditEntry,
    ) -> Result<bool, StoreError> {
        writes!(self, "a suspension" at entry.at, tx => suspensions::suspend(tx, device, suspension, most, entry))
    }

    async fn lift_suspension(&self, device: ContentHash, entry: &AuditEntry) -> Result<bool, StoreError> {
        writes!(self, "the end of a suspension" at entry.at, tx => suspensions::lift(tx, device, entry))
    }
}
