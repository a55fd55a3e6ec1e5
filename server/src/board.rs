//! The notice board: what people may see, written by actors, read by routes without asking an actor.
//!
//! Holds only what is running; ended runs are read from the store. Never the truth: a restart rebuilds it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value as Json;
use tokio::sync::watch;
use weevil_model::{Encoded, RunId};
use weevil_protocol::api::{Fleet, Progress, RunStats, RunSummary, RunView};
use weevil_queue::RunRecord;

/// Shared by every part of one server.
pub(crate) type SharedBoard = Arc<Board>;

#[derive(Debug)]
pub(crate) struct Board {
    live: Mutex<HashMap<RunId, watch::Receiver<Arc<RunView>>>>,
    runs: watch::Sender<Arc<Vec<RunSummary>>>,
    fleet: watch::Sender<Arc<Fleet>>,
}

impl Board {
    pub(crate) fn new() -> Self {
        Self { live: Mutex::default(), runs: watch::Sender::default(), fleet: watch::Sender::default() }
    }

    fn live(&self) -> MutexGuard<'_, HashMap<RunId, watch::Receiver<Arc<RunView>>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run begins to be shown.
    pub(crate) fn show(&self, run: RunId, view: watch::Receiver<Arc<RunView>>) {
        self.live().insert(run, view);
    }

    /// An ended run is in the store now.
    pub(crate) fn remove(&self, run: RunId) {
        self.live().remove(&run);
    }

    /// Runs that have not ended.
    pub(crate) fn open_runs(&self) -> usize {
        self.live().len()
    }

    /// The views of a run that has not ended.
    pub(crate) fn run(&self, run: RunId) -> Option<watch::Receiver<Arc<RunView>>> {
        self.live().get(&run).cloned()
    }

    pub(crate) fn post_runs(&self, runs: Vec<RunSummary>) {
        self.runs.send_replace(Arc::new(runs));
    }

    pub(crate) fn runs(&self) -> watch::Receiver<Arc<Vec<RunSummary>>> {
        self.runs.subscribe()
    }

    pub(crate) fn post_fleet(&self, fleet: Fleet) {
        self.fleet.send_if_modified(|known| {
            let changed = **known != fleet;
            *known = Arc::new(fleet);
            changed
        });
    }

    pub(crate) fn fleet(&self) -> watch::Receiver<Arc<Fleet>> {
        self.fleet.subscribe()
    }
}

/// Results beyond this are fetched on their own instead of being shown with the run.
const MAX_SHOWN_RESULT_BYTES: usize = 256 * 1024;

/// The JSON view of a result that is small enough to show.
pub(crate) fn shown_result(result: &Encoded) -> Option<Json> {
    if result.as_bytes().len() > MAX_SHOWN_RESULT_BYTES {
        return None;
    }
    result.value().ok().map(|value| value.to_json())
}

/// What people see of a run that has no executor: its last view, or a bare one for a run about to go on.
pub(crate) fn stored_view(record: &RunRecord) -> Result<RunView, String> {
    let Some(end) = &record.end else { return Ok(bare_view(record)) };
    let view: RunView = serde_json::from_str(&end.view)
        .map_err(|error| format!("the stored view of {} cannot be read: {error}", record.id))?;
    Ok(RunView { result: end.result.as_ref().and_then(shown_result), ..view })
}

fn bare_view(record: &RunRecord) -> RunView {
    let summary = RunSummary {
        id: record.id.to_string(),
        name: record.name.clone(),
        workflow: record.workflow.to_string(),
        state: record.state,
        created_at: record.created_at.0,
        finished_at: None,
        paused: record.paused,
        progress: Progress::default(),
    };
    RunView {
        summary,
        nodes: Vec::new(),
        node_count: 0,
        stats: RunStats::default(),
        result: None,
        error: None,
    }
}
