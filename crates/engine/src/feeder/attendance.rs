//! Workers come, say who they are, are heard and leave; and how people see those that are here.
//!
//! What each holds and wants `workers.rs` knows; who may be given nothing, `suspensions.rs`.

use weevil_model::{ContentHash, WorkerId};
use weevil_queue::AttemptEnd;

use super::WorkerJoined;
use super::gather::Feeder;
use crate::fleet::Fleet;

/// How long a worker that could prove its device is given nothing, where any device is suspended, milliseconds: an honest one proves it
/// with its first words.
const IDENTITY_WAIT_MS: i64 = 2000;

impl Feeder {
    /// A worker has come.
    pub(super) fn welcome(&mut self, newcomer: WorkerJoined) {
        let (worker, now) = (newcomer.worker, self.context.clock.now());
        let awaits = newcomer.contact.may_prove() && !self.suspensions.is_empty();
        self.workers.join(newcomer, now);
        if awaits && let Some(line) = self.workers.line_mut(worker) {
            line.await_identity(now.plus_ms(IDENTITY_WAIT_MS));
        }
    }

    /// What was not for somebody unknown may be for this device.
    pub(super) fn identified(&mut self, worker: WorkerId, device: ContentHash) {
        self.workers.identify(worker, device);
        let now = self.context.clock.now();
        if let Some(suspension) = self.suspensions.of_device(device, now) {
            self.suspend_worker(worker, suspension);
        } else if let Some(line) = self.workers.line_mut(worker) {
            line.proved();
        }
        self.fruitless.forget();
    }

    /// It has told how many jobs it wants to hold.
    pub(super) fn heard(&mut self, worker: WorkerId, capacity: u32) {
        let now = self.context.clock.now();
        if let Some(line) = self.workers.line_mut(worker) {
            line.heard(capacity, now);
        }
    }

    pub(super) fn leave(&mut self, worker: WorkerId, end: AttemptEnd) {
        self.dispatch.left(worker);
        let (held, record) = self.workers.leave(worker);
        if let Some(record) = record {
            self.context.board.post_left(record);
        }
        self.crowding.leave(worker, held.len());
        self.release(held, end);
    }

    pub(super) fn post_fleet(&self) {
        let workers = self.workers.shown(self.context.clock.now());
        let slots = workers.iter().map(|worker| worker.slots).sum();
        self.context.board.post_fleet(Fleet { workers, slots });
    }
}
