//! Room for what is uploaded: how much of it would be new in its project, asked before any of it is kept.
//!
//! Never decides whether it fits: `access/usage.rs` does, and `weevil-access`.

use std::collections::BTreeMap;

use weevil_access::store::Project;
use weevil_access::{Quotas, Usage};
use weevil_model::ContentHash;
use weevil_records::{RunInput, StoredWorkflow};

use super::AppState;
use super::job_request::{Code, JobRequest};
use crate::access::Admitted;
use crate::refusal::Refusal;

/// For a run of a workflow. What is answered is kept until the run is in the database.
///
/// # Errors
/// A quota of the project would be passed.
pub(super) async fn for_run(
    app: &AppState,
    project: &Project,
    workflow: &StoredWorkflow,
    inputs: &[RunInput],
) -> Result<Option<Admitted>, Refusal> {
    let given = inputs.iter().map(|(_, value)| value.as_bytes().len() as u64).sum::<u64>();
    let stored_bytes = given + new_files(app, project, workflow).await?;
    admit(app, project, Usage { open_runs: 1, stored_bytes, ..Usage::default() }).await
}

/// For a workflow without a run.
///
/// # Errors
/// A quota of the project would be passed.
pub(super) async fn for_workflow(
    app: &AppState,
    project: &Project,
    workflow: &StoredWorkflow,
) -> Result<Option<Admitted>, Refusal> {
    let stored_bytes = new_files(app, project, workflow).await?;
    admit(app, project, Usage { stored_bytes, ..Usage::default() }).await
}

/// For stand-alone jobs, which are taken from those of a minute too. Jobs whose keys are there already count like others: whether
/// they are is known once they are put in.
///
/// # Errors
/// A quota of the project would be passed, or they come too early.
pub(super) async fn for_jobs(
    app: &AppState,
    project: &Project,
    jobs: &[JobRequest],
) -> Result<Option<Admitted>, Refusal> {
    let sources = jobs.iter().filter_map(|job| match &job.code {
        Code::Source(source) => Some((job.code.hash(), source.len() as u64)),
        Code::Stored(_) => None,
    });
    let code = new_bytes(app, project, sources.collect()).await?;
    let stored_bytes = code + jobs.iter().map(|job| job.input.as_bytes().len() as u64).sum::<u64>();
    let asked = Usage { open_jobs: jobs.len() as u64, stored_bytes, ..Usage::default() };
    let admitted = admit(app, project, asked).await?;
    app.access.rooms.put_in(project, jobs.len(), app.common.clock.now())?;
    Ok(admitted)
}

async fn admit(app: &AppState, project: &Project, asked: Usage) -> Result<Option<Admitted>, Refusal> {
    app.access.rooms.admit(&*app.access.store, project, asked).await
}

/// Bytes of the workflow's files that the project does not have.
async fn new_files(app: &AppState, project: &Project, workflow: &StoredWorkflow) -> Result<u64, Refusal> {
    if project.quotas == Quotas::default() {
        return Ok(0);
    }
    let files = workflow.files.iter().map(|(_, bytes)| (ContentHash::of(bytes), bytes.len() as u64));
    new_bytes(app, project, files.collect()).await
}

/// Each file by itself, and only where bytes are bounded.
async fn new_bytes(
    app: &AppState,
    project: &Project,
    files: BTreeMap<ContentHash, u64>,
) -> Result<u64, Refusal> {
    let mut new = 0;
    if project.quotas.stored_bytes > 0 {
        for (hash, bytes) in files {
            let has = app.common.store.blob_projects(hash).await?.contains(&project.id);
            new += if has { 0 } else { bytes };
        }
    }
    Ok(new)
}
