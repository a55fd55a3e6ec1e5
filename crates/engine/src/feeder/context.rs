//! The feeder's life: what it needs of the server, and its loop over requests, batches and their news.

use std::sync::Arc;

use tokio::sync::mpsc;
use weevil_model::ContentHash;
use weevil_queue::Judging;
use weevil_records::{Batches, Suspension};

use super::Request;
use super::gather::Feeder;
use crate::board::SharedBoard;
use crate::budget::SharedBudget;
use crate::clock::SharedClock;
use crate::health::Health;
use crate::listeners::Listeners;
use crate::metrics::Metrics;
use crate::pace::SharedPacer;

/// Asks that one transaction takes.
pub(super) const MAX_BATCH: usize = 2048;
/// Bytes of the asks that one transaction takes; a larger ask goes alone.
pub(super) const MAX_BATCH_BYTES: usize = 32 * 1024 * 1024;

/// What the feeder needs of the server.
pub struct FeederContext {
    pub store: Arc<dyn Batches>,
    pub clock: SharedClock,
    pub board: SharedBoard,
    pub pacer: SharedPacer,
    pub health: Arc<Health>,
    pub metrics: Arc<Metrics>,
    pub listeners: Arc<Listeners>,
    pub budget: SharedBudget,
    /// How answers are judged on this server.
    pub judging: Judging,
    /// Do jobs that are out for long get second copies?
    pub spares: bool,
    /// Devices that are given nothing, as the database had them at the start.
    pub suspended: Vec<(ContentHash, Suspension)>,
}

impl FeederContext {
    /// Works until it is told to end, or every handle is gone.
    pub async fn run(self, mut inbox: mpsc::UnboundedReceiver<Request>) {
        let mut feeder = Feeder::new(self);
        loop {
            if !feeder.is_busy() {
                tokio::select! {
                    asked = inbox.recv() => match asked {
                        Some(ask) => feeder.take(ask),
                        None => return,
                    },
                    () = feeder.something_due() => {}
                    () = feeder.room() => feeder.look_again(),
                }
            }
            feeder.fill(&mut inbox);
            feeder.work().await;
            if feeder.has_ended() {
                return;
            }
        }
    }
}
