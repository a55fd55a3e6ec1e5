//! The actors: thin shells that carry out what `weevil-dataflow` and `weevil-queue` decide.
//!
//! `root` supervises runs, `run` is the workflow executor, `aside` stands for a run that
//! could not be taken up, `job`, `pool` and `value` are node executors, `feeder`
//! is the way to the queue, `session` is a worker with a connection and `plain_session` one without, `reaper` ends
//! leases, `keeper` forgets what is old.

mod allowance;
mod aside;
mod contact;
mod context;
mod device;
pub(crate) mod feeder;
pub(crate) mod holdings;
pub(crate) mod job;
mod keeper;
mod nodes;
pub(crate) mod outbox;
mod outlet;
pub(crate) mod plain_session;
pub(crate) mod plain_wire;
pub(crate) mod plain_workers;
mod pool;
mod reaper;
mod repeats;
pub(crate) mod root;
mod run;
pub(crate) mod session;
pub(crate) mod standing;
mod tally;
mod times;
mod unanswered;
mod value;
pub(crate) mod wire;

use std::sync::Arc;

use weevil_records::{Store, StoreError};

use crate::board::SharedBoard;
use crate::clock::SharedClock;
use crate::ends::Ends;
use crate::health::Health;
use crate::metrics::Metrics;
use crate::seeds::Ids;

pub(crate) use keeper::keep;
pub(crate) use reaper::reap;

/// What every actor of a server shares.
#[derive(Clone)]
pub(crate) struct Common {
    pub store: Arc<dyn Store>,
    pub clock: SharedClock,
    pub ids: Arc<Ids>,
    pub board: SharedBoard,
    pub feeder: feeder::FeederHandle,
    pub health: Arc<Health>,
    pub metrics: Arc<Metrics>,
    pub ends: Arc<Ends>,
}

impl Common {
    /// A write beside the feeder's was refused: the server is not ready until the feeder has written something.
    pub(crate) fn refused(&self, error: &StoreError) {
        self.health.refused(error);
        self.feeder.ask(feeder::Ask::Probe);
    }
}

/// Data for a port of a node executor.
#[derive(Debug, Clone, actix::Message)]
#[rtype(result = "()")]
pub(crate) struct Input {
    pub port: usize,
    pub value: weevil_model::Encoded,
}

/// The run is over for this executor; for a run's own executor, a person wants it to be.
#[derive(Debug, Clone, Copy, actix::Message)]
#[rtype(result = "()")]
pub(crate) struct Cancel;
