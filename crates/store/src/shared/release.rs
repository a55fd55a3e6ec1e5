//! A lease that has ended without a report: what becomes of its job, as a row and as news.

use serde::Serialize;
use weevil_model::{JobId, RunId, Timestamp, WorkerId};
use weevil_queue::batch::{Change, JobNews, Returned};
use weevil_queue::decide::expire::{Decision, returned};
use weevil_queue::decide::wait::{ENDED, Patience, wait};
use weevil_queue::{Attempt, AttemptEnd, AttemptKey, Ended, StoreError};

use super::columns::Columns;
use super::paused::Paused;

/// id, delivery, outcome, failures to add, ending, attempt number, due moment
#[derive(Serialize)]
pub(crate) struct Row(i64, u8, Option<&'static str>, u8, &'static str, u32, Option<i64>);

/// The columns of a leased job that its end is decided by.
pub(crate) const LEASED: &str = "select id, run, path, lease_token, lease_worker, handed_out, failures, max_attempts, max_wait_ms from jobs";

/// A leased job, as the store has it.
pub(crate) struct Held {
    pub(crate) job: JobId,
    run: Option<RunId>,
    path: String,
    token: i64,
    pub(crate) worker: WorkerId,
    /// Number of the attempt that holds it.
    number: u32,
    failures: u32,
    max_attempts: u32,
    patience: Patience,
}

impl Held {
    pub(crate) fn read<R: Columns>(row: &R, paused: &Paused) -> Result<Self, StoreError> {
        let run = row.maybe_run_id("run")?;
        Ok(Self {
            job: row.job_id("id")?,
            run,
            path: row.text("path")?,
            token: row.number("lease_token")?,
            worker: row.worker_id("lease_worker")?,
            number: row.small("handed_out")?,
            failures: row.small("failures")?,
            max_attempts: row.small("max_attempts")?,
            patience: paused.patience(run, row.maybe_small("max_wait_ms")?),
        })
    }

    pub(crate) fn key(&self) -> AttemptKey {
        AttemptKey { job: self.job, token: self.token }
    }

    pub(crate) fn decide(&self, end: AttemptEnd) -> Decision {
        returned(end, self.failures, self.max_attempts)
    }

    pub(crate) fn row(&self, end: AttemptEnd, decision: Decision, now: Timestamp) -> Row {
        let (id, number, end) = (self.job.number(), self.number, end.as_str());
        match decision {
            Decision::Requeue { counts } => {
                let wait = wait(self.patience, 0, now);
                Row(id, wait.delivery, None, counts.into(), end, number, wait.due.map(|due| due.0))
            }
            Decision::Fail => Row(id, ENDED, Some("failed"), 1, end, number, None),
        }
    }

    /// `history` holds the ended attempts of a job that fails.
    pub(crate) fn news(self, end: AttemptEnd, decision: Decision, mut history: Vec<Attempt>) -> Returned {
        let (key, worker) = (self.key(), self.worker);
        let change = match decision {
            Decision::Requeue { .. } => Change::Requeued,
            Decision::Fail => {
                history.push(Attempt { number: self.number, worker, end, failure: None });
                Change::Ended(Ended::Failed(history))
            }
        };
        let job = JobNews { id: self.job, run: self.run, path: self.path, change };
        Returned { key, worker, end, job }
    }
}
