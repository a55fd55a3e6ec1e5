//! What was looked up by the hash of a proof, for a few seconds; all of it goes when something about people changes here.
//!
//! Never holds a proof itself, and never reads a clock.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use weevil_access::SecretHash;
use weevil_model::Timestamp;

/// Proofs that are remembered at a time; the one that was looked up first goes.
const MAX_ENTRIES: usize = 10_000;
/// Milliseconds for which one is: as late hears another server of the database of a change.
const GOOD_MS: i64 = 5000;

struct Held<V> {
    entries: HashMap<SecretHash, (Timestamp, V)>,
    /// In the order in which they came.
    order: VecDeque<SecretHash>,
    changes: u64,
}

pub(super) struct Cache<V>(Mutex<Held<V>>);

/// What was not there, and how often things had changed then: what is looked up now may be older than the next change.
pub(super) struct Missing(u64);

impl<V> Default for Cache<V> {
    fn default() -> Self {
        Self(Mutex::new(Held { entries: HashMap::new(), order: VecDeque::new(), changes: 0 }))
    }
}

impl<V: Clone> Cache<V> {
    fn held(&self) -> MutexGuard<'_, Held<V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, hash: SecretHash, now: Timestamp) -> Result<V, Missing> {
        let held = self.held();
        let found = held.entries.get(&hash).filter(|(since, _)| (0..GOOD_MS).contains(&now.since(*since)));
        found.map(|(_, value)| value.clone()).ok_or(Missing(held.changes))
    }

    /// Keeps what was looked up, unless something has changed meanwhile.
    pub(super) fn keep(&self, hash: SecretHash, value: V, Missing(changes): Missing, now: Timestamp) {
        let mut held = self.held();
        if held.changes != changes {
            return;
        }
        if held.entries.insert(hash, (now, value)).is_none() {
            held.order.push_back(hash);
        }
        if held.order.len() > MAX_ENTRIES
            && let Some(oldest) = held.order.pop_front()
        {
            held.entries.remove(&oldest);
        }
    }

    /// What is there about a proof is another value now, and no older for it.
    pub(super) fn change(&self, hash: SecretHash, change: impl FnOnce(&mut V)) {
        if let Some((_, value)) = self.held().entries.get_mut(&hash) {
            change(value);
        }
    }

    pub(super) fn forget_all(&self) {
        let mut held = self.held();
        held.changes += 1;
        held.entries.clear();
        held.order.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(number: usize) -> SecretHash {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&number.to_be_bytes());
        SecretHash::from_bytes(bytes)
    }

    fn keep(cache: &Cache<usize>, number: usize, at: i64) {
        let missing = cache.get(hash(number), Timestamp(at)).expect_err("it is not there");
        cache.keep(hash(number), number, missing, Timestamp(at));
    }

    #[test]
    fn an_entry_is_good_for_five_seconds() {
        let cache = Cache::default();
        keep(&cache, 7, 1000);
        for (at, there) in [(1000, true), (5999, true), (6000, false), (999, false)] {
            assert_eq!(cache.get(hash(7), Timestamp(at)).is_ok(), there, "{at}");
        }
        cache.change(hash(7), |value| *value = 8);
        assert_eq!(cache.get(hash(7), Timestamp(5999)).ok(), Some(8));
        keep(&cache, 7, 6000);
        assert_eq!(cache.get(hash(7), Timestamp(6000)).ok(), Some(7));
    }

    #[test]
    fn what_was_looked_up_before_a_change_is_not_kept() {
        let cache = Cache::default();
        keep(&cache, 1, 0);
        let missing = cache.get(hash(2), Timestamp(0)).expect_err("it is not there");
        cache.forget_all();
        cache.keep(hash(2), 2, missing, Timestamp(0));
        assert!(cache.get(hash(1), Timestamp(0)).is_err() && cache.get(hash(2), Timestamp(0)).is_err());
    }

    #[test]
    fn the_first_makes_room() {
        let cache = Cache::default();
        (0..=MAX_ENTRIES).for_each(|number| keep(&cache, number, 0));
        for (number, there) in [(0, false), (1, true), (MAX_ENTRIES, true)] {
            assert_eq!(cache.get(hash(number), Timestamp(0)).is_ok(), there, "{number}");
        }
        assert_eq!(cache.held().entries.len(), MAX_ENTRIES);
    }
}
