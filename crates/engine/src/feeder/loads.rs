//! Large inputs on their way to workers: who is sent one is asked for no more until its socket has taken it, and nobody is
//! while too much is on its way to all.
//!
//! Only counts and waits; what a claim hands out, `decide::claim` says.

use std::collections::HashMap;
use std::sync::Arc;

use weevil_model::WorkerId;
use weevil_peer::limits::SMALL_TRANSFER_BYTES;
use weevil_peer::{Full, Row};
use weevil_queue::decide::claim::{MAX_CLAIM_BYTES, MAX_LOAD_BYTES};

use crate::budget::{Peer, SharedBudget};
use crate::parcel::{Bell, Parcel, Trace};

pub(super) struct Loads {
    budget: SharedBudget,
    /// What each worker was sent last, where that may be on its way.
    sent: HashMap<WorkerId, Trace>,
    /// Was nothing on its way when this looked last? What a worker has left behind still counts.
    is_idle: bool,
    bell: Arc<Bell>,
}

impl Loads {
    pub(super) fn new(budget: SharedBudget) -> Self {
        Self { budget, sent: HashMap::new(), is_idle: true, bell: Arc::default() }
    }

    /// A worker is sent inputs of so many bytes. The claim has left room for them.
    pub(super) fn send(&mut self, worker: WorkerId, peer: Peer, bytes: u64) -> Parcel {
        if bytes <= SMALL_TRANSFER_BYTES {
            return Parcel::default();
        }
        let Ok(mut permit) = self.budget.take_nothing(peer, Row::Unsent) else { return Parcel::default() };
        permit.resize_towards(bytes, bytes);
        let parcel = Parcel::new(permit, self.bell.clone());
        self.sent.insert(worker, parcel.trace());
        parcel
    }

    pub(super) fn leave(&mut self, worker: WorkerId) {
        self.sent.remove(&worker);
    }

    /// Bytes that may be claimed at this moment.
    pub(super) fn room(&self) -> u64 {
        self.budget.room_of_all(Row::Unsent).min(MAX_CLAIM_BYTES)
    }

    /// Is nothing to be claimed for a worker before something is taken?
    pub(super) fn bars(&self, worker: WorkerId, peer: Peer) -> bool {
        if self.is_idle || !self.is_full(worker, peer) {
            return false;
        }
        self.bell.await_next();
        self.is_full(worker, peer)
    }

    fn is_full(&self, worker: WorkerId, peer: Peer) -> bool {
        let place = || self.budget.has_room(peer, Row::Unsent, MAX_CLAIM_BYTES) == Err(Full::Place);
        self.sent.get(&worker).is_some_and(Trace::is_on_its_way)
            || place()
            || self.budget.room_of_all(Row::Unsent) < MAX_LOAD_BYTES
    }

    /// Has something been taken that somebody waited for?
    pub(super) fn look(&mut self) -> bool {
        let taken = self.bell.has_rung();
        self.sent.retain(|_, sent| sent.is_on_its_way());
        self.is_idle = self.budget.is_unused(Row::Unsent);
        taken
    }

    /// What rings when something was taken that somebody waits for.
    pub(super) fn bell(&self) -> Arc<Bell> {
        self.bell.clone()
    }
}
