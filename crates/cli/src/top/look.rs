//! What `weevil top` knows of a server at one moment.

use weevil_api::{Fleet, QueueView, RunSummary};
use weevil_client::{RunFilter, Server};
use weevil_model::RunState;

/// Runs that are looked at.
const RUNS: u32 = 50;

#[derive(Debug, Clone)]
pub(super) struct Look {
    pub(super) fleet: Fleet,
    pub(super) queue: QueueView,
    /// The newest first.
    pub(super) runs: Vec<RunSummary>,
}

impl Look {
    /// # Errors
    /// In words for people.
    pub(super) fn at(server: &Server) -> Result<Self, String> {
        let asked = RunFilter { text: None, state: None, workflow: None, sort: None, limit: RUNS };
        let runs = server.find_runs(&asked, None)?.runs;
        Ok(Self { fleet: server.fleet()?, queue: server.queue()?, runs })
    }

    pub(super) fn busy(&self) -> u32 {
        self.fleet.workers.iter().map(|worker| worker.busy).sum()
    }

    pub(super) fn going(&self) -> usize {
        self.runs.iter().filter(|run| run.state == RunState::Started).count()
    }
}
