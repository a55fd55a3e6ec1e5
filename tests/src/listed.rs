//! A run's jobs as its list shows them: what is in the database, where the run itself speaks of what it has asked for.

use std::time::Instant;

use weevil_api::routes::{Operation, search};
use weevil_api::{JobPage, JobView};
use weevil_model::NodeState;

use crate::{Api, PATIENCE};

impl Api {
    /// The run's jobs, once so many of them are in the queue; at most a thousand.
    pub fn await_jobs(&self, run: &str, count: usize) -> Vec<JobView> {
        self.await_list(run, |jobs| jobs.len() >= count)
    }

    /// Waits until so many of the run's jobs can be handed out, and no more.
    pub fn await_waiting(&self, run: &str, count: usize) {
        let waits = |job: &&JobView| job.state == NodeState::Enqueued;
        self.await_list(run, |jobs| jobs.iter().filter(waits).count() == count);
    }

    fn await_list(&self, run: &str, fits: impl Fn(&[JobView]) -> bool) -> Vec<JobView> {
        let first = Operation::RunJobs.path(&[&run]) + &search(&[("limit", Some(&1000))]);
        let deadline = Instant::now() + PATIENCE;
        loop {
            let page: JobPage = self.json(&first);
            if fits(&page.jobs) {
                return page.jobs;
            }
            assert!(Instant::now() < deadline, "{page:?}");
        }
    }
}
