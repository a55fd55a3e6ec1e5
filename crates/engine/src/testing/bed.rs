//! All that a feeder needs, workers that come, and everybody who may hear of jobs.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use actix::{Actor, Addr};
use weevil_model::trust::AssumedShare;
use weevil_model::{Capabilities, Needs, PlaceNumber};
use weevil_peer::{ClientAddress, Lines, Proxies, Settings, Table};
use weevil_queue::Judging;
use weevil_queue::decide::pace::Pacing;

use super::{FakeBatches, Flush, Log, ManualClock, RUN, Recorder, job, run, worker};
use crate::board::Board;
use crate::budget::{Budget, Peer, SharedBudget};
use crate::contact::Contact;
use crate::feeder::{FeederContext, Request, WorkerJoined};
use crate::health::Health;
use crate::listeners::{Listener, Listeners, Subject};
use crate::metrics::Metrics;
use crate::pace::Pacer;

const PLAIN: Needs = Needs::JAVASCRIPT;
pub(crate) const GPU: Needs = Needs { capabilities: Capabilities(3), memory_mb: 0 };
pub(crate) const HEARTBEAT_MS: u32 = 20_000;
pub(crate) const LEASE_MS: u32 = 60_000;
/// Workers from which on heartbeats are told to be longer, each by a second.
pub(crate) const THRESHOLD: u32 = 2;
/// Other settings than a server has by itself.
const JUDGING: Judging = Judging { liars: AssumedShare::LARGEST, absence_ms: 1000, lot_ms: 2000 };
/// Rounds in which everybody who has been told something gets to say so.
const ROUNDS: usize = 8;

/// A worker that is about to come: of one slot and place, runs JavaScript, and wants nothing yet.
#[derive(Clone, Copy)]
pub(crate) struct Guest {
    number: i64,
    place: u8,
    slots: u32,
    capacity: u32,
    has: Needs,
}

impl Guest {
    pub(crate) const fn new(number: i64) -> Self {
        Self { number, place: 1, slots: 1, capacity: 0, has: PLAIN }
    }

    pub(crate) const fn at(self, place: u8) -> Self {
        Self { place, ..self }
    }

    pub(crate) const fn slots(self, slots: u32) -> Self {
        Self { slots, ..self }
    }

    pub(crate) const fn wants(self, capacity: u32) -> Self {
        Self { capacity, ..self }
    }

    pub(crate) const fn with(self, has: Needs) -> Self {
        Self { has, ..self }
    }
}

/// All that a feeder needs, and everybody who may hear of it.
pub(crate) struct Bed {
    pub clock: Arc<ManualClock>,
    pub batches: Arc<FakeBatches>,
    pub log: Log,
    pub board: Arc<Board>,
    pub pacer: Arc<Pacer>,
    pub health: Arc<Health>,
    pub metrics: Arc<Metrics>,
    pub listeners: Arc<Listeners>,
    pub budget: SharedBudget,
    recorders: Mutex<Vec<Addr<Recorder>>>,
}

impl Default for Bed {
    fn default() -> Self {
        let clock = Arc::new(ManualClock::default());
        Self {
            batches: Arc::default(),
            log: Log::default(),
            board: Arc::default(),
            pacer: Arc::new(Pacer::new(Pacing::new(HEARTBEAT_MS, LEASE_MS, THRESHOLD, 1_000))),
            health: Arc::default(),
            metrics: Arc::default(),
            listeners: Arc::default(),
            budget: budget(clock.clone()),
            recorders: Mutex::default(),
            clock,
        }
    }
}

/// Bounds that no test comes near but those of newcomers and of returns.
pub(crate) fn budget(clock: Arc<ManualClock>) -> SharedBudget {
    let settings =
        Settings { seats: 99, workers_per_address: 99, transfer_mib: 64, cores: 1, descriptors: 9999 };
    let proxies = Proxies { trusted: Vec::new(), header: ClientAddress::XForwardedFor };
    Budget::new(Table::new(settings), proxies, [0; 16], clock)
}

impl Bed {
    pub(crate) fn context(&self) -> FeederContext {
        FeederContext {
            store: self.batches.clone(),
            clock: self.clock.clone(),
            board: self.board.clone(),
            pacer: self.pacer.clone(),
            health: self.health.clone(),
            metrics: self.metrics.clone(),
            listeners: self.listeners.clone(),
            budget: self.budget.clone(),
            judging: JUDGING,
            spares: true,
            suspended: Vec::new(),
        }
    }

    pub(crate) fn recorder(&self, name: String) -> Addr<Recorder> {
        let recorder = Recorder { name, log: self.log.clone() }.start();
        self.recorders.lock().unwrap().push(recorder.clone());
        recorder
    }

    /// The worker comes.
    pub(crate) fn join(&self, guest: Guest) -> Request {
        let Guest { number, place: from, slots, capacity, has } = guest;
        let recorder = self.recorder(format!("worker {number}"));
        let contact = Contact::of(recorder.clone()).that_can_leave(recorder.recipient()).that_may_prove();
        let (worker, place) = (worker(number), PlaceNumber::from_number(from.into()));
        let joined = WorkerJoined {
            worker,
            place,
            network: None,
            contact,
            agent: String::new(),
            slots,
            capacity,
            has,
            adapter: None,
            keeps_gpu: false,
            trusted: false,
        };
        Request::Join(joined, self.peer(from))
    }

    /// Everybody who comes from this place.
    pub(crate) fn peer(&self, place: u8) -> Peer {
        self.budget.peer(Some(IpAddr::from([192, 0, 2, place])), Lines::default())
    }

    /// An executor listens for the node's job.
    pub(crate) fn listen(&self, path: &str) {
        let executor = self.recorder(format!("node {path}")).recipient();
        let subject = Subject::Node { run: run(RUN), path: path.into() };
        self.listeners.listen(subject, Listener::Executor(executor));
    }

    /// Somebody waits for the end of a job.
    pub(crate) fn wait(&self, number: i64) {
        let (end, log) = (self.listeners.end_of(job(number)), self.log.clone());
        actix::spawn(async move {
            if end.await.is_ok() {
                log.note(format!("waiter {number} hears the end"));
            }
        });
    }

    /// What everybody has been told since this was asked last.
    pub(crate) async fn heard(&self) -> Vec<String> {
        for _ in 0..ROUNDS {
            tokio::task::yield_now().await;
        }
        let recorders = self.recorders.lock().unwrap().clone();
        for recorder in recorders {
            recorder.send(Flush).await.unwrap();
        }
        self.log.take()
    }
}
