//! How long workers wait from their report to their next job. For the metrics only.

use std::collections::HashMap;
use std::time::Duration;

use weevil_model::WorkerId;

use crate::clock::Stopwatch;

/// Workers that have reported and got nothing since.
#[derive(Default)]
pub(super) struct Dispatch(HashMap<WorkerId, Stopwatch>);

impl Dispatch {
    pub(super) fn reported(&mut self, worker: WorkerId) {
        self.0.insert(worker, Stopwatch::start());
    }

    /// The worker gets a job. Answers how long it waited, if a report came before.
    pub(super) fn handed(&mut self, worker: WorkerId) -> Option<Duration> {
        self.0.remove(&worker).map(Stopwatch::elapsed)
    }

    pub(super) fn left(&mut self, worker: WorkerId) {
        self.0.remove(&worker);
    }

    /// No job is ready for these: they do not wait for the server.
    pub(super) fn idle(&mut self, is_idle: impl Fn(WorkerId) -> bool) {
        self.0.retain(|worker, _| !is_idle(*worker));
    }
}
