//! The pace at which workers are in contact: set by the feeder, which knows how many there are, read by everybody.
//!
//! Only holds it; what it is, `weevil-queue` decides.

use std::sync::Arc;

use tokio::sync::watch;
use weevil_model::Timestamp;
use weevil_queue::decide::pace::{Pace, Pacing};

/// Shared by every part of one server.
pub type SharedPacer = Arc<Pacer>;

#[derive(Debug)]
pub struct Pacer {
    pacing: Pacing,
    pace: watch::Sender<Pace>,
}

impl Pacer {
    pub fn new(pacing: Pacing) -> Self {
        Self { pacing, pace: watch::Sender::new(pacing.calm()) }
    }

    /// What whoever comes is told first: a worker that hears of no change then never lives by too long an interval.
    pub fn calm(&self) -> Pace {
        self.pacing.calm()
    }

    /// What holds at this moment.
    pub fn now(&self) -> Pace {
        *self.pace.borrow()
    }

    /// Hears of each new interval between heartbeats; the rest is only read.
    pub fn changes(&self) -> watch::Receiver<Pace> {
        self.pace.subscribe()
    }

    /// So many workers are connected.
    pub fn follow(&self, workers: usize, now: Timestamp) {
        let workers = u32::try_from(workers).unwrap_or(u32::MAX);
        let worth_telling = self.pace.send_if_modified(|pace| {
            let told_ms = pace.heartbeat_ms;
            *pace = self.pacing.next(*pace, workers, now);
            pace.heartbeat_ms != told_ms
        });
        if worth_telling {
            tracing::info!(workers, heartbeat_ms = self.now().heartbeat_ms, "workers hear of a new pace");
        }
    }
}
