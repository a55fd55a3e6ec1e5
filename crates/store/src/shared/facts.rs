//! What is known of the jobs and attempts that a batch of reports names.

use std::collections::HashMap;

use weevil_model::{DataType, JobId, RunId};
use weevil_queue::decide::complete::{AttemptFacts, Decision, JobFacts};
use weevil_queue::{AttemptEnd, AttemptKey, Delivery};

#[derive(Clone)]
pub(crate) struct Facts {
    pub(crate) run: RunId,
    pub(crate) path: String,
    /// None of a job that was enqueued before types were kept.
    pub(crate) returns: Option<DataType>,
    pub(crate) job: JobFacts,
    pub(crate) attempt: Option<AttemptFacts>,
}

/// Facts as they were at the start of the batch, with the batch's own decisions on top: a second report for a job
/// within one batch meets what the first one did.
pub(crate) struct FactBook {
    read: HashMap<AttemptKey, Facts>,
    changed: HashMap<JobId, Delivery>,
}

impl FactBook {
    pub(crate) fn new(read: HashMap<AttemptKey, Facts>) -> Self {
        Self { read, changed: HashMap::new() }
    }

    /// None where no such attempt was ever handed out.
    pub(crate) fn get(&self, key: AttemptKey) -> Option<Facts> {
        let mut facts = self.read.get(&key)?.clone();
        if let Some(delivery) = self.changed.get(&key.job) {
            facts.job.delivery = *delivery;
        }
        Some(facts)
    }

    pub(crate) fn note(&mut self, key: AttemptKey, decision: Decision) {
        let (delivery, end) = match decision {
            Decision::Finish => (Delivery::Ended, AttemptEnd::Completed),
            Decision::Fail => (Delivery::Ended, AttemptEnd::Error),
            Decision::Retry => (Delivery::Ready, AttemptEnd::Error),
            Decision::Ignore(_) => return,
        };
        self.changed.insert(key.job, delivery);
        if let Some(attempt) = self.read.get_mut(&key).and_then(|facts| facts.attempt.as_mut()) {
            attempt.end = Some(end);
        }
    }
}
