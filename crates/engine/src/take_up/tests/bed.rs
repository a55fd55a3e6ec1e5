//! A server over a database of its own, with runs that were left open.

use std::collections::BTreeSet;
use std::sync::Arc;

use actix::Addr;
use tempfile::TempDir;
use tokio::sync::mpsc;
use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::{ContentHash, Encoded, Minter, ProjectId, Reuse, RunId, RunState, Timestamp};
use weevil_queue::RunJudgement;
use weevil_records::{FinalNode, Retrace, RunFailure, RunInput, RunRecord, Runs, StoredWorkflow};
use weevil_store::SqliteStore;

use super::guard::Guard;
use crate::board::Board;
use crate::common::Common;
use crate::feeder::{self, Request};
use crate::health::Health;
use crate::listeners::Listeners;
use crate::metrics::Metrics;
use crate::root::{self, Root};
use crate::seeds::Ids;
use crate::take_up::{TakeUp, left_open, start};
use crate::testing::ManualClock;

pub(super) const DOCUMENT: &str = r#"<workflow><nodes>
    <value id="v" value="1" returntype="Number"/>
    <job id="j" src="Code" returntype="Number">
        <parameters><parameter id="n" paramtype="Number"/></parameters></job>
    </nodes><edges><edge id="e" source="v" dest="j"/></edges><finalnode id="j"/></workflow>"#;

/// What is stored of a run.
pub(super) struct Stored {
    pub files: Vec<(String, Vec<u8>)>,
    pub inputs: Vec<RunInput>,
    pub checked_by: u32,
    /// Its workflow is not.
    pub lost: bool,
    /// Its record holds a word that nobody knows.
    pub unread: bool,
}

impl Stored {
    pub(super) fn of(document: &str) -> Self {
        Self::files(&[("workflow.xml", document), ("Code.js", "function weevil_main(n) { return n }")])
    }

    pub(super) fn files(files: &[(&str, &str)]) -> Self {
        let bytes = |(path, text): &(&str, &str)| ((*path).to_owned(), text.as_bytes().to_vec());
        let files = files.iter().map(bytes).collect();
        Self { files, inputs: Vec::new(), checked_by: 1, lost: false, unread: false }
    }

    pub(super) fn input(mut self, node: &str, value: Encoded) -> Self {
        self.inputs.push((node.to_owned(), value));
        self
    }
}

pub(super) struct Bed {
    _folder: TempDir,
    pub guard: Arc<Guard>,
    pub common: Common,
    clock: Arc<ManualClock>,
    inbox: mpsc::UnboundedReceiver<Request>,
    minter: Minter,
    root: Option<Addr<Root>>,
}

impl Bed {
    pub(super) async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let store = Arc::new(SqliteStore::open(&folder.path().join("weevil.db")).await.unwrap());
        let clock = Arc::new(ManualClock::default());
        let (health, metrics) = (Arc::new(Health::default()), Arc::new(Metrics::default()));
        let (feeder, inbox) = feeder::channel(metrics.queue.asks.clone());
        let common = Common {
            store: store.clone(),
            clock: clock.clone(),
            ids: Arc::new(Ids::default()),
            board: Arc::new(Board::default()),
            feeder,
            health,
            metrics,
            listeners: Arc::new(Listeners::default()),
            trust: Policy::None,
            assumed: AssumedShare::default(),
        };
        let guard = Arc::new(Guard::new(store));
        Self { _folder: folder, guard, common, clock, inbox, minter: Minter::new(0), root: None }
    }

    pub(super) fn now(&self) -> Timestamp {
        self.common.clock.now()
    }

    pub(super) async fn store(&mut self, stored: Stored) -> RunId {
        let id = self.minter.run(Timestamp(1));
        let hash = ContentHash::of(id.to_string().as_bytes());
        let Stored { files, inputs, checked_by, lost, unread } = stored;
        let record = RunRecord {
            id,
            project: ProjectId::DEFAULT,
            created_by: None,
            name: id.to_string(),
            workflow: hash,
            seed: 0,
            state: RunState::Started,
            created_at: Timestamp(1),
            paused: None,
            reuse: Reuse::Never,
            trust: None,
            assumed: None,
            left_out: Vec::new(),
            doubted: 0,
            retrace: Retrace::Never,
            judgement: RunJudgement::default(),
            end: None,
            unread: None,
        };
        let final_node = FinalNode::Untold;
        let workflow =
            StoredWorkflow { hash, name: "w".into(), files, code: BTreeSet::new(), checked_by, final_node };
        self.guard.store.create_run(&workflow, &record, &inputs).await.unwrap();
        self.guard.lose(lost.then_some(hash), unread.then_some(id));
        id
    }

    pub(super) async fn three(&mut self) -> [RunId; 3] {
        let mut store = async || self.store(Stored::of(DOCUMENT)).await;
        [store().await, store().await, store().await]
    }

    /// Nothing is taken up before what this answers is polled.
    pub(super) async fn start(&mut self) -> TakeUp {
        let open = left_open(&*self.guard.store).await.unwrap();
        let (root, take_up) = start(&self.common, Vec::new(), &open);
        self.root = Some(root);
        let (runs, workflows) = (self.guard.clone(), self.guard.clone());
        TakeUp { runs, workflows, ..take_up }
    }

    /// Takes all up; whenever a run rests, its second passes.
    pub(super) async fn take_up(&self, take_up: TakeUp) {
        let time = async {
            loop {
                self.clock.somebody_sleeps().await;
                self.clock.advance(1_000);
            }
        };
        tokio::select! {
            () = take_up.run() => {}
            () = time => {}
        }
    }

    /// Has a run begin anew: its executors rest for so many milliseconds, and ask again.
    pub(super) async fn begin_anew(&mut self, run: RunId) -> i64 {
        self.root().send(root::Retrace(run)).await.unwrap();
        let rest_ms = i64::try_from(self.clock.somebody_sleeps().await.as_millis()).unwrap();
        self.clock.advance(rest_ms);
        while !matches!(self.inbox.recv().await, Some(Request::Enqueue(job)) if job.origin.run() == Some(run))
        {
        }
        rest_ms
    }

    pub(super) fn root(&self) -> &Addr<Root> {
        self.root.as_ref().unwrap()
    }

    /// What the gauge says.
    pub(super) fn left(&self) -> i64 {
        self.common.metrics.to_take_up.get()
    }

    /// Why a run has failed, as it is stored.
    pub(super) async fn error(&self, run: RunId) -> RunFailure {
        let end = self.guard.store.run(run).await.unwrap().unwrap().end.unwrap();
        assert_eq!(end.state, RunState::Failed, "{run}");
        end.facts.error.unwrap()
    }

    /// How it stands in the list.
    pub(super) fn listed(&self, run: RunId) -> RunState {
        let runs = self.common.board.runs(None).borrow().clone();
        runs.iter().find(|listed| listed.head.id == run).unwrap().head.state
    }

    /// The runs whose jobs the feeder is to cancel, and those that have asked for one.
    pub(super) fn asked(&mut self) -> (Vec<RunId>, Vec<RunId>) {
        let (mut cancelled, mut enqueued) = (Vec::new(), Vec::new());
        while let Ok(request) = self.inbox.try_recv() {
            match request {
                Request::CancelRun(run) => cancelled.push(run),
                Request::Enqueue(job) => enqueued.extend(job.origin.run()),
                _ => {}
            }
        }
        (cancelled, enqueued)
    }
}
