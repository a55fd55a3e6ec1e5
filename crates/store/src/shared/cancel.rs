//! What is to be cancelled, and who is told of it.

use weevil_queue::batch::{Change, JobNews};
use weevil_queue::{AttemptKey, Cancel, Delivery, Ended, Outcomes};
use weevil_records::StoreError;

use super::columns::Columns;

/// Ids, for a statement.
pub(crate) struct Chosen {
    pub(crate) runs: Vec<i64>,
    pub(crate) jobs: Vec<i64>,
}

pub(crate) fn chosen(wanted: &[Cancel]) -> Chosen {
    let mut chosen = Chosen { runs: Vec::new(), jobs: Vec::new() };
    for cancel in wanted {
        match cancel {
            Cancel::Run(run) => chosen.runs.push(run.number()),
            Cancel::Job(job) => chosen.jobs.push(job.number()),
        }
    }
    chosen
}

/// Notes the attempts that are revoked and the stand-alone jobs that end; a run tells its executors itself. Answers job
/// and token of the attempts.
pub(crate) fn news<R: Columns>(rows: &[R], outcomes: &mut Outcomes) -> Result<Vec<(i64, i64)>, StoreError> {
    let mut revoked = Vec::new();
    for row in rows {
        let (id, run) = (row.job_id("id")?, row.maybe_run_id("run")?);
        if row.delivery()? == Delivery::Leased {
            let key = AttemptKey { job: id, token: row.number("lease_token")? };
            outcomes.revoked.push((row.worker_id("lease_worker")?, key));
            revoked.push((id.number(), key.token));
        }
        if run.is_none() {
            let change = Change::Ended(Ended::Cancelled);
            outcomes.cancelled.push(JobNews { id, run, path: row.text("path")?, change });
        }
    }
    Ok(revoked)
}
