//! Changes of work and what the audit says of them, in one transaction. The audit's end is locked first, as in every
//! transaction that writes into it.

use weevil_access::audit::AuditEntry;
use weevil_model::{PauseWords, ProjectId};
use weevil_queue::QueueCode;
use weevil_records::{RunInput, RunRecord, Scope, StoredWorkflow};

use super::access::audit;
use super::{pause, runs, workflows};
use crate::{Fault, Tx};

pub(crate) async fn create_run<T: Tx>(
    tx: &mut T,
    workflow: &StoredWorkflow,
    run: &RunRecord,
    inputs: &[RunInput],
    entry: &AuditEntry,
) -> Result<(), Fault> {
    let last = audit::lock(tx).await?;
    runs::create(tx, workflow, run, inputs).await?;
    audit::tell(tx, &last, entry).await
}

pub(crate) async fn keep_workflow<T: Tx>(
    tx: &mut T,
    project: ProjectId,
    workflow: &StoredWorkflow,
    entry: &AuditEntry,
) -> Result<(), Fault> {
    let last = audit::lock(tx).await?;
    workflows::keep(tx, project, workflow, entry.at).await?;
    audit::tell(tx, &last, entry).await
}

pub(crate) async fn pause<T: Tx>(
    tx: &mut T,
    scope: Scope,
    paused: Option<&PauseWords>,
    entry: &AuditEntry,
) -> Result<bool, Fault> {
    let last = audit::lock(tx).await?;
    let there = pause::pause(tx, scope, paused, entry.at).await?;
    if there {
        audit::tell(tx, &last, entry).await?;
    }
    Ok(there)
}

pub(crate) async fn resume_code<T: Tx>(
    tx: &mut T,
    code: &QueueCode,
    entry: &AuditEntry,
) -> Result<bool, Fault> {
    let last = audit::lock(tx).await?;
    let was_stopped = pause::resume_code(tx, code, entry.at).await?;
    if was_stopped {
        audit::tell(tx, &last, entry).await?;
    }
    Ok(was_stopped)
}
