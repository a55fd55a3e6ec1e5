//! What every actor of a server shares.

use std::sync::Arc;

use weevil_model::trust::{AssumedShare, Policy};
use weevil_records::{Store, StoreError};

use crate::board::SharedBoard;
use crate::clock::SharedClock;
use crate::feeder::{FeederHandle, Request};
use crate::health::Health;
use crate::listeners::Listeners;
use crate::metrics::Metrics;
use crate::seeds::Ids;

/// Handles and sources; cheap to clone.
#[derive(Clone)]
pub struct Common {
    pub store: Arc<dyn Store>,
    pub clock: SharedClock,
    pub ids: Arc<Ids>,
    pub board: SharedBoard,
    pub feeder: FeederHandle,
    pub health: Arc<Health>,
    pub metrics: Arc<Metrics>,
    pub listeners: Arc<Listeners>,
    /// From which answers on values are believed, where nobody says so.
    pub trust: Policy,
    /// The share of all work that liars are assumed to do in what begins now.
    pub assumed: AssumedShare,
}

impl Common {
    /// A write beside the feeder's was refused: the server is not ready until the feeder has written something.
    pub fn refused(&self, error: &StoreError) {
        self.health.refused(error);
        self.feeder.ask(Request::Probe);
    }
}
