//! How a worker's connection stands with the server: who it is by place, what it holds, what went out over it.
//!
//! Shared by the connection's reader, its session and its writer; what it holds is free again when all three have gone.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use weevil_engine::budget::{Peer, Permit};
use weevil_model::limits::MAX_IN_FLIGHT;
use weevil_model::{ContentHash, WorkerId};
use weevil_protocol::frame::AttemptKey;
use weevil_queue::{Claimed, Reporter};

use super::wire;

#[derive(Clone)]
pub(crate) struct Standing(Rc<Inner>);

struct Inner {
    peer: Peer,
    /// A place in the lobby, and after the welcome a seat.
    held: RefCell<Permit>,
    /// Who reports over it, from the welcome on.
    reporter: Cell<Option<Reporter>>,
    /// Nothing is read for want of room: silence is not the worker's.
    waits: Cell<bool>,
    /// As the worker announced them last.
    slots: Cell<u32>,
    given: RefCell<Given>,
}

impl Standing {
    pub(crate) fn new(peer: Peer, lobby: Permit) -> Self {
        Self(Rc::new(Inner {
            peer,
            held: RefCell::new(lobby),
            reporter: Cell::new(None),
            waits: Cell::new(false),
            slots: Cell::new(0),
            given: RefCell::default(),
        }))
    }

    pub(crate) fn peer(&self) -> Peer {
        self.0.peer
    }

    /// `None` before the welcome.
    pub(crate) fn reporter(&self) -> Option<Reporter> {
        self.0.reporter.get()
    }

    pub(crate) fn is_welcome(&self) -> bool {
        self.reporter().is_some()
    }

    pub(super) fn welcome(&self, seat: Permit, worker: WorkerId) {
        *self.0.held.borrow_mut() = seat;
        self.0.reporter.set(Some(Reporter { worker, device: None }));
    }

    /// The worker has proved that it is this device: what it reports from now on is the device's.
    pub(super) fn prove(&self, device: ContentHash) {
        let proved = |reporter| Reporter { device: Some(device), ..reporter };
        self.0.reporter.set(self.0.reporter.get().map(proved));
    }

    /// Whether its reader waits for room.
    pub(crate) fn set_waiting(&self, waits: bool) {
        self.0.waits.set(waits);
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.0.waits.get()
    }

    pub(super) fn set_slots(&self, slots: u32) {
        self.0.slots.set(slots);
    }

    pub(crate) fn slots(&self) -> u32 {
        self.0.slots.get()
    }

    pub(super) fn give(&self, jobs: &[Claimed]) {
        self.0.given.borrow_mut().give_jobs(jobs);
    }

    /// Those of these whose values are compared with others, as far as this connection was given them.
    pub(super) fn judged(&self, keys: impl IntoIterator<Item = AttemptKey>) -> HashSet<AttemptKey> {
        self.0.given.borrow().judged(keys)
    }

    /// How many of these it was not given; the others have ended.
    pub(crate) fn unasked(&self, keys: impl IntoIterator<Item = AttemptKey>) -> usize {
        self.0.given.borrow_mut().unasked(keys)
    }
}

/// Attempts that were handed to one worker: the newest few thousand that it has not reported.
#[derive(Debug, Default)]
struct Given {
    newest: HashSet<AttemptKey>,
    /// What is forgotten when there are too many.
    older: HashSet<AttemptKey>,
    /// Those among them whose values are compared with others.
    judged: HashSet<AttemptKey>,
}

/// More than a worker can hold, so that only what was given long ago is forgotten.
const MAX_GIVEN: usize = 2 * MAX_IN_FLIGHT as usize;

impl Given {
    fn give_jobs(&mut self, jobs: &[Claimed]) {
        self.give(jobs.iter().map(|job| wire::key(job.key)));
        self.judge(jobs.iter().filter(|job| job.judged).map(|job| wire::key(job.key)));
    }

    fn give(&mut self, keys: impl IntoIterator<Item = AttemptKey>) {
        for key in keys {
            if self.newest.len() >= MAX_GIVEN {
                self.older = std::mem::take(&mut self.newest);
            }
            self.newest.insert(key);
        }
    }

    /// These are among what was given, and judged. What is forgotten is no loss: the store brings into form what nobody has.
    fn judge(&mut self, keys: impl IntoIterator<Item = AttemptKey>) {
        if self.judged.len() >= 2 * MAX_GIVEN {
            self.judged.clear();
        }
        self.judged.extend(keys);
    }

    fn judged(&self, keys: impl IntoIterator<Item = AttemptKey>) -> HashSet<AttemptKey> {
        if self.judged.is_empty() {
            return HashSet::new();
        }
        keys.into_iter().filter(|key| self.judged.contains(key)).collect()
    }

    fn count_unasked(&self, keys: impl IntoIterator<Item = AttemptKey>) -> usize {
        keys.into_iter().filter(|key| !self.newest.contains(key) && !self.older.contains(key)).count()
    }

    fn unasked(&mut self, keys: impl IntoIterator<Item = AttemptKey>) -> usize {
        let mut unasked = 0;
        for key in keys {
            self.judged.remove(&key);
            unasked += usize::from(!self.newest.remove(&key) && !self.older.remove(&key));
        }
        unasked
    }
}

/// The same for a worker without a connection, whose reports the routes read.
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedGiven(Arc<Mutex<Given>>);

impl SharedGiven {
    fn given(&self) -> MutexGuard<'_, Given> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn give(&self, jobs: &[Claimed]) {
        self.given().give_jobs(jobs);
    }

    pub(super) fn judged(&self, keys: impl IntoIterator<Item = AttemptKey>) -> HashSet<AttemptKey> {
        self.given().judged(keys)
    }

    pub(crate) fn count_unasked(&self, keys: impl IntoIterator<Item = AttemptKey>) -> usize {
        self.given().count_unasked(keys)
    }

    /// These were reported.
    pub(crate) fn end(&self, keys: impl IntoIterator<Item = AttemptKey>) {
        self.given().unasked(keys);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(numbers: std::ops::Range<i64>) -> impl Iterator<Item = AttemptKey> {
        numbers.map(|job| AttemptKey { job, token: 1 })
    }

    #[test]
    fn what_was_given_counts_once() {
        let mut given = Given::default();
        given.give(keys(0..10));
        for (asked, unasked) in [(0..5, 0), (0..5, 5), (5..12, 2)] {
            assert_eq!(given.unasked(keys(asked.clone())), unasked, "{asked:?}");
        }
    }

    #[test]
    fn what_is_judged_is_known_until_it_is_reported() {
        let mut given = Given::default();
        given.give(keys(0..4));
        given.judge(keys(2..4));
        assert_eq!(given.judged(keys(0..9)), keys(2..4).collect());
        given.unasked(keys(2..3));
        assert_eq!(given.judged(keys(0..9)), keys(3..4).collect());
        let most = i64::try_from(MAX_GIVEN).unwrap();
        (0..5).for_each(|at| given.judge(keys(at * most..(at + 1) * most)));
        assert!(given.judged.len() <= 3 * MAX_GIVEN);
    }

    #[test]
    fn what_was_given_long_ago_is_forgotten() {
        let mut given = Given::default();
        let most = i64::try_from(MAX_GIVEN).unwrap();
        given.give(keys(0..3 * most));
        assert!(given.newest.len() + given.older.len() <= 2 * MAX_GIVEN);
        assert_eq!(given.unasked(keys(0..most)), MAX_GIVEN);
        assert_eq!(given.unasked(keys(most..3 * most)), 0, "what a worker can hold is known");
    }
}
