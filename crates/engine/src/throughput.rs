//! What the feeder has had done since the server started: sums that only grow, of what is in the database.
//!
//! For people, who see how fast things go. Nothing is decided by them, and a restart begins anew.

use std::sync::{Mutex, PoisonError};

use weevil_queue::batch::{Change, Settled};
use weevil_queue::{AttemptEnd, Batch, Ended, Outcomes, Report};

/// Sums since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Done {
    /// Jobs that ended with a value, those that took a stored one among them.
    pub jobs: u64,
    /// Attempts that ended with a report, or ran out of time.
    pub attempts: u64,
    /// Those of them without a value.
    pub errors: u64,
    /// Counted floating-point operations.
    pub flops: f64,
    /// Microseconds inside jobs' code.
    pub busy_us: u64,
}

#[derive(Debug, Default)]
pub struct Throughput(Mutex<Done>);

impl Throughput {
    pub fn done(&self) -> Done {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A batch is in the database.
    pub(crate) fn committed(&self, batch: &Batch, outcomes: &Outcomes) {
        let mut done = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (submission, settled) in batch.complete.iter().zip(&outcomes.completed) {
            done.settled(&submission.report, settled);
        }
        let expired = outcomes.returned.iter().filter(|returned| returned.end == AttemptEnd::Expired).count();
        done.attempts += expired as u64;
        done.errors += expired as u64;
        let ruled = outcomes.ruled.iter().filter(|ruled| is_value(&ruled.job.change)).count();
        let reused = outcomes.enqueued.iter().filter(|known| known.reused).count();
        done.jobs += (ruled + reused) as u64;
    }
}

impl Done {
    fn settled(&mut self, report: &Report, settled: &Settled) {
        let Some(job) = &settled.job else { return };
        let has_failed = match &job.change {
            Change::Ended(Ended::Value(_)) => false,
            // It is compared with others, whatever it says.
            Change::Answered => matches!(report, Report::Error(_)),
            _ => true,
        };
        self.jobs += u64::from(is_value(&job.change));
        self.attempts += 1;
        self.errors += u64::from(has_failed);
        if let Some(effort) = settled.effort {
            self.flops += effort.flops();
            self.busy_us = self.busy_us.saturating_add(effort.compute_us());
        }
    }
}

const fn is_value(change: &Change) -> bool {
    matches!(change, Change::Ended(Ended::Value(_)))
}
