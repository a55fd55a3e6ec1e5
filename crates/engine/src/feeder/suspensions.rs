//! Devices and workers that are given nothing: whose pause or ban goes on, what becomes of those that are connected, and of one
//! that is sent away for now.
//!
//! Knows all suspended devices from the start of the server on; the database is the truth (`weevil_records::Suspension`). What a
//! worker without a device is paused for is lost with its connection.

use std::collections::HashMap;

use weevil_model::{ContentHash, Timestamp, WorkerId};
use weevil_queue::AttemptEnd;
use weevil_records::Suspension;

use super::gather::Feeder;
use crate::contact::SentAway;

/// Who is given nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suspended {
    /// A connected worker that has proved no device.
    Worker(WorkerId),
    /// Each worker of the device with this fingerprint, now and later.
    Device(ContentHash),
}

/// The devices, by their fingerprints.
#[derive(Debug)]
pub(super) struct Suspensions(HashMap<ContentHash, Suspension>);

impl Suspensions {
    pub(super) fn new(suspended: Vec<(ContentHash, Suspension)>) -> Self {
        Self(suspended.into_iter().collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this device is suspended, and why.
    pub(super) fn of_device(&self, device: ContentHash, now: Timestamp) -> Option<Suspension> {
        self.0.get(&device).filter(|suspension| !suspension.is_over(now)).cloned()
    }

    fn forget_over(&mut self, now: Timestamp) {
        self.0.retain(|_, suspension| !suspension.is_over(now));
    }
}

impl Feeder {
    /// Somebody in charge has said so, and it is durable where it is of a device.
    pub(super) fn suspend(&mut self, who: Suspended, suspension: &Suspension) {
        if let Suspended::Device(device) = who {
            self.suspensions.0.insert(device, suspension.clone());
        }
        for worker in self.workers_of(who) {
            self.suspend_worker(worker, suspension.clone());
        }
        self.post_fleet();
    }

    pub(super) fn let_go_on(&mut self, who: Suspended) {
        if let Suspended::Device(device) = who {
            self.suspensions.0.remove(&device);
        }
        for worker in self.workers_of(who) {
            if let Some(line) = self.workers.line_mut(worker) {
                line.let_go_on();
            }
        }
        self.fruitless.forget();
        self.post_fleet();
    }

    fn workers_of(&self, who: Suspended) -> Vec<WorkerId> {
        match who {
            Suspended::Worker(worker) => vec![worker],
            Suspended::Device(device) => self.workers.of_device(device),
        }
    }

    /// One that is banned leaves at once, and what it holds is lost to it.
    pub(super) fn suspend_worker(&mut self, worker: WorkerId, suspension: Suspension) {
        let is_ban = suspension.is_ban();
        let Some(line) = self.workers.line_mut(worker) else { return };
        line.suspend(suspension);
        if is_ban {
            line.contact.send_away(SentAway::Banned);
            self.leave(worker, AttemptEnd::Lost);
        }
    }

    /// It leaves at once, and may come again: as another worker, unless it proves its device.
    pub(super) fn send_away(&mut self, worker: WorkerId) {
        let Some(line) = self.workers.line_mut(worker) else { return };
        line.contact.send_away(SentAway::ForNow);
        self.leave(worker, AttemptEnd::Lost);
        self.post_fleet();
    }

    /// Time has passed.
    pub(super) fn look_at_suspensions(&mut self) {
        let now = self.context.clock.now();
        self.suspensions.forget_over(now);
        self.workers.look_at_bars(now);
    }
}
