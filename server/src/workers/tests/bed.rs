//! All that a session needs, with the test in the place of the feeder and of time.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::timeout;
use weevil_access::ServerSecret;
use weevil_engine::budget::{Budget, Peer, SharedBudget};
use weevil_engine::clock::Clock;
use weevil_engine::common::Common;
use weevil_engine::contact::Contact;
use weevil_engine::feeder::{self, Request};
use weevil_engine::pace::{Pacer, SharedPacer};
use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::witness::{device_name, device_number};
use weevil_model::{ContentHash, Encoded, JobId, Needs, RunId, Timestamp, Value, WorkerId};
use weevil_peer::{ClientAddress, Lines, Proxies, Settings, Table};
use weevil_queue::decide::pace::Pacing;
use weevil_queue::{AttemptKey, Claimed, Report, Submission};
use weevil_store::SqliteStore;

use crate::workers::{Networks, SessionContext};

/// After so long something counts as never happening.
const PATIENCE: Duration = Duration::from_mins(1);
/// Between two heartbeats, where a session is not to look after its worker by itself.
const NEVER_MS: u32 = 24 * 60 * 60 * 1000;
/// How long nothing has to be heard of a worker that is looked after.
pub(super) const LEASE_MS: u32 = 60_000;

/// Time that passes when a test says so.
pub(super) struct ManualClock(Mutex<Timestamp>);

impl ManualClock {
    pub(super) fn advance(&self, ms: u32) {
        let mut now = self.0.lock().unwrap();
        *now = now.plus_ms(ms.into());
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

pub(super) struct Bed {
    pub clock: Arc<ManualClock>,
    pub budget: SharedBudget,
    pacer: SharedPacer,
    common: Common,
    inbox: UnboundedReceiver<Request>,
    _folder: TempDir,
}

impl Bed {
    /// Whose sessions do not look after their workers: nothing happens that the test has not asked for.
    pub(super) async fn new() -> Self {
        Self::paced(Pacing::new(NEVER_MS, 2 * NEVER_MS, 99, 1)).await
    }

    /// Whose sessions look after their workers all the time.
    pub(super) async fn watching() -> Self {
        Self::paced(Pacing::new(1, LEASE_MS, 99, 1)).await
    }

    async fn paced(pacing: Pacing) -> Self {
        let folder = TempDir::new().unwrap();
        let store = Arc::new(SqliteStore::open(&folder.path().join("weevil.db")).await.unwrap());
        let clock = Arc::new(ManualClock(Mutex::new(Timestamp(1_000_000))));
        let settings =
            Settings { seats: 9, workers_per_address: 2, transfer_mib: 64, cores: 1, descriptors: 9_999 };
        let proxies = Proxies { trusted: Vec::new(), header: ClientAddress::XForwardedFor };
        let budget = Budget::new(Table::new(settings), proxies, [0; 16], clock.clone());
        let metrics = Arc::<weevil_engine::metrics::Metrics>::default();
        let (feeder, inbox) = feeder::channel(metrics.queue.asks.clone());
        let common = Common {
            store,
            clock: clock.clone(),
            ids: Arc::default(),
            board: Arc::default(),
            feeder,
            health: Arc::default(),
            metrics,
            listeners: Arc::default(),
            trust: Policy::None,
            assumed: AssumedShare::default(),
        };
        Self { clock, budget, pacer: Arc::new(Pacer::new(pacing)), common, inbox, _folder: folder }
    }

    pub(super) fn context(&self) -> SessionContext {
        SessionContext {
            common: self.common.clone(),
            pacer: self.pacer.clone(),
            budget: self.budget.clone(),
            networks: Networks::new(ServerSecret::from_bytes([7; 32])),
        }
    }

    /// Where all workers of a test come from.
    pub(super) fn peer(&self) -> Peer {
        self.budget.peer(Some(IpAddr::from([192, 0, 2, 1])), Lines::default())
    }

    /// What a session asks next.
    pub(super) async fn request(&mut self) -> Request {
        timeout(PATIENCE, self.inbox.recv()).await.expect("nothing is asked").unwrap()
    }

    /// The same in words.
    pub(super) async fn asked(&mut self) -> String {
        words(&self.request().await)
    }

    /// What has been asked and not read.
    pub(super) fn left(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.inbox.try_recv().ok()).map(|request| words(&request)).collect()
    }

    /// A worker comes.
    pub(super) async fn joined(&mut self) -> Contact {
        match self.request().await {
            Request::Join(joined, _) => joined.contact,
            other => panic!("{}", words(&other)),
        }
    }
}

/// As long as anything is waited for.
pub(super) async fn patient<T>(wanted: impl Future<Output = T>) -> T {
    timeout(PATIENCE, wanted).await.expect("it never comes")
}

/// A request in words; jobs by their numbers.
pub(super) fn words(request: &Request) -> String {
    match request {
        Request::Join(joined, _) => {
            format!("join {} with {} slots wants {}", joined.agent, joined.slots, joined.capacity)
        }
        Request::Identified { device, .. } => format!("identified {}", device_name(device_number(*device))),
        Request::Complete { submissions, capacity, .. } => {
            let reports: Vec<String> = submissions.iter().map(report).collect();
            format!("complete [{}] wants {capacity}", reports.join(", "))
        }
        Request::Heartbeat { holding, slots, capacity, .. } => {
            let holding = numbers(holding.iter().map(|renew| renew.key));
            format!("heartbeat {holding} with {slots} slots wants {capacity}")
        }
        Request::Yield { attempts, capacity, .. } => {
            format!("yield {} wants {capacity}", numbers(attempts.iter().copied()))
        }
        Request::Leave { end, .. } => format!("leave {}", end.as_str()),
        _ => "something that no session asks".to_owned(),
    }
}

fn report(submission: &Submission) -> String {
    let number = submission.key.job.number();
    match &submission.report {
        Report::Value(_) => format!("{number} value"),
        Report::Error(failure) => format!("{number} {}", failure.kind),
    }
}

fn numbers(keys: impl Iterator<Item = AttemptKey>) -> String {
    format!("{:?}", keys.map(|key| key.job.number()).collect::<Vec<_>>())
}

pub(super) fn key(number: i64) -> AttemptKey {
    AttemptKey { job: JobId::from_number(number).unwrap(), token: number }
}

/// A job that is handed out, with an input of about so many bytes.
pub(super) fn claimed(number: i64, bytes: usize) -> Claimed {
    Claimed {
        key: key(number),
        worker: WorkerId::from_number(1).unwrap(),
        project: weevil_model::ProjectId::DEFAULT,
        run: RunId::from_number(1),
        path: "a".into(),
        workflow: ContentHash::of(b"workflow"),
        workflow_name: "w".into(),
        code: ContentHash::of(b"code"),
        source: "a.js".into(),
        input: Encoded::of(&Value::String("x".repeat(bytes))).unwrap(),
        seed: 1,
        needs: Needs::JAVASCRIPT,
        timeout_ms: 1_000,
        deadline: Timestamp(1_000_000).plus_ms(LEASE_MS.into()),
        judged: false,
    }
}
