//! The notice board: what people may see, written by actors, read by routes without asking an actor.
//!
//! Holds only what is running; ended runs are read from the store. Never the truth: a restart rebuilds it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value as Json;
use tokio::sync::watch;
use weevil_api::{AimView, Fleet, Progress, RunStats, RunSummary, RunView};
use weevil_model::{ContentHash, Encoded, RunId, RunState};
use weevil_records::RunRecord;
use weevil_workflow::Aim;

/// Shared by every part of one server.
pub(crate) type SharedBoard = Arc<Board>;

/// A run that has not ended.
#[derive(Debug)]
pub struct Live {
    pub workflow: ContentHash,
    /// `None` for a run that is set aside: nobody computes for it.
    pub aim: Option<Aim>,
    pub view: watch::Receiver<Arc<RunView>>,
}

#[derive(Debug, Default)]
pub struct Board {
    live: Mutex<HashMap<RunId, Live>>,
    runs: watch::Sender<Arc<Vec<RunSummary>>>,
    fleet: watch::Sender<Arc<Fleet>>,
}

impl Board {
    fn live(&self) -> MutexGuard<'_, HashMap<RunId, Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run begins to be shown.
    pub fn show(&self, run: RunId, live: Live) {
        self.live().insert(run, live);
    }

    /// An ended run is in the store now.
    pub fn remove(&self, run: RunId) {
        self.live().remove(&run);
    }

    /// Runs that have not ended.
    pub fn open_runs(&self) -> usize {
        self.live().len()
    }

    /// The views of a run that has not ended.
    pub fn run(&self, run: RunId) -> Option<watch::Receiver<Arc<RunView>>> {
        self.live().get(&run).map(|live| live.view.clone())
    }

    /// What volunteers are told of the runs of a workflow; `None` where all have ended. Linear in the runs that go on.
    pub fn aim(&self, workflow: ContentHash) -> Option<AimView> {
        let live = self.live();
        let runs = live.iter().filter(|(_, live)| live.workflow == workflow);
        let runs = runs
            .filter_map(|(run, live)| Some((*run, live.aim.as_ref()?, live.view.borrow().summary.clone())));
        let runs: Vec<_> = runs.filter(|(.., summary)| summary.state == RunState::Started).collect();
        let (_, aim, newest) = runs.iter().max_by_key(|(run, ..)| *run)?;
        let Aim { project, question, link } = (*aim).clone();
        let jobs = |count: fn(&Progress) -> u32| {
            runs.iter().map(|(.., summary)| u64::from(count(&summary.progress))).sum()
        };
        let (done, total) = (jobs(|progress| progress.done), jobs(|progress| progress.total));
        Some(AimView { name: newest.name.clone(), project, question, link, done, total })
    }

    pub(crate) fn post_runs(&self, runs: Vec<RunSummary>) {
        self.runs.send_replace(Arc::new(runs));
    }

    pub fn runs(&self) -> watch::Receiver<Arc<Vec<RunSummary>>> {
        self.runs.subscribe()
    }

    pub(crate) fn post_fleet(&self, fleet: Fleet) {
        self.fleet.send_if_modified(|known| {
            let changed = **known != fleet;
            *known = Arc::new(fleet);
            changed
        });
    }

    pub fn fleet(&self) -> watch::Receiver<Arc<Fleet>> {
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

/// What people see of a run that has no executor: its last view, or what its row says where there is none that can be
/// read.
pub fn stored_view(record: &RunRecord) -> RunView {
    let view = last_view(record).unwrap_or_else(|| bare_view(record));
    let result = record.end.as_ref().and_then(|end| end.result.as_ref());
    RunView { result: result.and_then(shown_result), ..view }
}

/// The view that an ended run was stored with, less its result.
pub fn last_view(record: &RunRecord) -> Option<RunView> {
    let read = serde_json::from_str(&record.end.as_ref()?.view);
    read.inspect_err(
        |error| tracing::warn!(run = %record.id, %error, "the stored view of a run cannot be read"),
    )
    .ok()
}

/// What a run's row says.
pub(crate) fn bare_view(record: &RunRecord) -> RunView {
    let summary = RunSummary {
        id: record.id.to_string(),
        name: record.name.clone(),
        workflow: record.workflow.to_string(),
        state: record.state,
        created_at: record.created_at.0,
        finished_at: record.end.as_ref().map(|end| end.at.0),
        paused: record.paused && record.end.is_none(),
        progress: Progress::default(),
    };
    RunView {
        summary,
        nodes: Vec::new(),
        node_count: 0,
        stats: RunStats::default(),
        result: None,
        error: None,
        set_aside: None,
    }
}
