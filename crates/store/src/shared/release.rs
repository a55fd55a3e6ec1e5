//! A lease that has ended without a report: what becomes of its job, as a row and as news.

use serde::Serialize;
use weevil_model::{JobId, RunId, WorkerId};
use weevil_queue::batch::{Change, JobNews, Returned};
use weevil_queue::decide::expire::{Decision, returned};
use weevil_queue::{Attempt, AttemptEnd, AttemptKey, Ended};

/// id, delivery, outcome, failures to add, ending, attempt number
#[derive(Serialize)]
pub(crate) struct Row(i64, u8, Option<&'static str>, u8, &'static str, u32);

/// A leased job, as the store has it.
pub(crate) struct Held {
    pub(crate) job: JobId,
    pub(crate) run: RunId,
    pub(crate) path: String,
    pub(crate) token: i64,
    pub(crate) worker: WorkerId,
    /// Number of the attempt that holds it.
    pub(crate) number: u32,
    pub(crate) failures: u32,
    pub(crate) max_attempts: u32,
}

impl Held {
    pub(crate) fn key(&self) -> AttemptKey {
        AttemptKey { job: self.job, token: self.token }
    }

    pub(crate) fn decide(&self, end: AttemptEnd) -> Decision {
        returned(end, self.failures, self.max_attempts)
    }

    pub(crate) fn row(&self, end: AttemptEnd, decision: Decision) -> Row {
        let id = self.job.number();
        match decision {
            Decision::Requeue { counts } => Row(id, 0, None, counts.into(), end.as_str(), self.number),
            Decision::Fail => Row(id, 2, Some("failed"), 1, end.as_str(), self.number),
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
        Returned { key, worker, end, job: JobNews { run: self.run, path: self.path, change } }
    }
}
