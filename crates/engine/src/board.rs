//! The notice board: what people may see, written by actors, read by routes without asking an actor.
//!
//! Holds facts, and only of what is running; ended runs are read from the store. Never the truth: a restart rebuilds it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use weevil_model::{ContentHash, Encoded, ProjectId, RunId, RunState, WorkerId};
use weevil_queue::RunJudgement;
use weevil_queue::profile::ProfileFacts;
use weevil_records::{
    LeftOutEngine, ListedRun, NodeStates, Progress, RunFacts, RunHead, RunRecord, WorkerRecord,
};
use weevil_workflow::{Aim, Plan};

use crate::fleet::Fleet;
use crate::published::Published;
use crate::throughput::Throughput;

/// Workers that have left and wait to be written down.
const MAX_LEFT: usize = 10_000;

/// Shared by every part of one server.
pub(crate) type SharedBoard = Arc<Board>;

/// What there is to say of a run, whether it goes on or has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownRun {
    pub head: RunHead,
    pub facts: RunFacts,
    pub result: Option<Encoded>,
    /// Engines that get no more of some code of it.
    pub left_out: Vec<LeftOutEngine>,
    /// It has ended and was judged.
    pub has_certificate: bool,
    /// What its jobs were believed on so far.
    pub judgement: RunJudgement,
    /// How every node of a run that goes on stands; of one that has ended, the store is asked.
    pub states: Arc<NodeStates>,
    /// What a run that goes on has computed over time; of one that has ended, the store is asked.
    pub profile: Option<Arc<ProfileFacts>>,
}

impl ShownRun {
    /// What its record says; nothing but its head of a run that has not ended.
    pub fn of(record: &RunRecord) -> Self {
        let end = record.end.as_ref();
        Self {
            head: record.head(),
            facts: end.map(|end| end.facts.clone()).unwrap_or_default(),
            result: end.and_then(|end| end.result.clone()),
            left_out: record.left_out.clone(),
            has_certificate: end.is_some() && record.assumed.is_some(),
            judgement: record.judgement,
            states: Arc::default(),
            profile: None,
        }
    }

    pub fn listed(&self) -> ListedRun {
        ListedRun { head: self.head.clone(), progress: self.facts.summary.progress }
    }

    pub const fn has_ended(&self) -> bool {
        self.head.state.is_terminal()
    }
}

/// A run that has not ended.
#[derive(Debug)]
pub struct Live {
    pub workflow: ContentHash,
    /// `None` until the run is taken up: its workflow is not read before.
    pub plan: Option<Arc<Plan>>,
    pub shown: watch::Receiver<Arc<ShownRun>>,
}

/// What volunteers compute for: all runs of a workflow that go on, taken together.
#[derive(Debug, Clone, PartialEq)]
pub struct CommonAim {
    /// The name of the newest of them.
    pub name: String,
    pub aim: Aim,
    /// Jobs that have ended with a value.
    pub done: u64,
    /// Jobs that are known.
    pub total: u64,
}

/// The newest runs, the newest first.
pub type PublishedRuns = Arc<Published<Vec<Arc<ListedRun>>>>;

#[derive(Debug, Default)]
pub struct Board {
    live: Mutex<HashMap<RunId, Live>>,
    /// Those of each project somebody has spoken of; `None`: of all.
    runs: Mutex<HashMap<Option<ProjectId>, watch::Sender<PublishedRuns>>>,
    fleet: watch::Sender<Arc<Published<Fleet>>>,
    /// How much has been done.
    pub throughput: Throughput,
    /// Workers that have left and are not written down yet, the first first.
    left: Mutex<Vec<WorkerRecord>>,
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

    /// What there is to say of a run that has not ended, whenever that changes.
    pub fn run(&self, run: RunId) -> Option<watch::Receiver<Arc<ShownRun>>> {
        self.live().get(&run).map(|live| live.shown.clone())
    }

    /// What a run that goes on does, once it is taken up.
    pub fn plan(&self, run: RunId) -> Option<Arc<Plan>> {
        self.live().get(&run).and_then(|live| live.plan.clone())
    }

    /// What volunteers are told of the runs of a workflow; `None` where all have ended. Linear in the runs that go on.
    pub fn aim(&self, workflow: ContentHash) -> Option<CommonAim> {
        let live = self.live();
        let runs = live.values().filter(|live| live.workflow == workflow);
        let runs = runs.filter_map(|live| Some((live.plan.as_ref()?, live.shown.borrow().clone())));
        let runs: Vec<_> = runs.filter(|(_, run)| run.head.state == RunState::Started).collect();
        let (plan, newest) = runs.iter().max_by_key(|(_, run)| run.head.id)?;
        let jobs = |count: fn(&Progress) -> u32| {
            runs.iter().map(|(_, run)| u64::from(count(&run.facts.summary.progress))).sum()
        };
        let (done, total) = (jobs(|progress| progress.done), jobs(|progress| progress.total));
        Some(CommonAim { name: newest.head.name.clone(), aim: plan.aim.clone(), done, total })
    }

    fn lists(&self) -> MutexGuard<'_, HashMap<Option<ProjectId>, watch::Sender<PublishedRuns>>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn post_runs(&self, of: Option<ProjectId>, runs: Vec<Arc<ListedRun>>) {
        self.lists().entry(of).or_default().send_replace(Arc::new(Published::new(runs)));
    }

    /// The newest runs of a project that there is, or of all, whenever they change.
    pub fn runs(&self, of: Option<ProjectId>) -> watch::Receiver<PublishedRuns> {
        self.lists().entry(of).or_default().subscribe()
    }

    /// Whoever waits for changes is not woken by heartbeats alone.
    pub(crate) fn post_fleet(&self, fleet: Fleet) {
        self.fleet.send_if_modified(|known| {
            let is_news = fleet.is_news_after(known);
            if is_news || ***known != fleet {
                *known = Arc::new(Published::new(fleet));
            }
            is_news
        });
    }

    /// A worker has left that was given something. Where more come than can wait, the last ones are forgotten.
    pub(crate) fn post_left(&self, worker: WorkerRecord) {
        let mut left = self.left();
        if left.len() < MAX_LEFT {
            left.push(worker);
        }
    }

    /// Those that wait to be written down.
    pub fn all_left(&self) -> Vec<WorkerRecord> {
        self.left().clone()
    }

    /// The first so many are written down.
    pub(crate) fn left_are_kept(&self, many: usize) {
        self.left().drain(..many);
    }

    /// One that has left and is not written down yet.
    pub fn left_worker(&self, worker: WorkerId) -> Option<WorkerRecord> {
        self.left().iter().find(|left| left.id == worker).cloned()
    }

    fn left(&self) -> MutexGuard<'_, Vec<WorkerRecord>> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn fleet(&self) -> watch::Receiver<Arc<Published<Fleet>>> {
        self.fleet.subscribe()
    }
}
