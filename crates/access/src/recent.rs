//! A map with room for so many entries: the one that was least recently used makes room for the next.
//!
//! It never reads a clock: uses are counted, and the order of their counts is the order of time.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

#[derive(Debug)]
pub(crate) struct Recent<K, V> {
    room: usize,
    uses: u64,
    entries: HashMap<K, (u64, V)>,
    /// The key of each entry under its last use.
    by_use: BTreeMap<u64, K>,
}

impl<K: Copy + Eq + Hash, V: Default> Recent<K, V> {
    pub(crate) fn new(room: usize) -> Self {
        Self { room, uses: 0, entries: HashMap::new(), by_use: BTreeMap::new() }
    }

    /// An entry as it is, without counting that as a use.
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.entries.get(key).map(|(_, value)| value)
    }

    /// An entry to change, which is new where there was none. That is a use of it.
    pub(crate) fn entry(&mut self, key: K) -> &mut V {
        self.uses += 1;
        if !self.entries.contains_key(&key) && self.entries.len() >= self.room {
            self.forget_least_used();
        }
        let (used, value) = self.entries.entry(key).or_default();
        self.by_use.remove(used);
        self.by_use.insert(self.uses, key);
        *used = self.uses;
        value
    }

    fn forget_least_used(&mut self) {
        if let Some((_, key)) = self.by_use.pop_first() {
            self.entries.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_holds_the_keys_that_were_used_last(uses in prop::collection::vec(0..12_u8, 0..200), room in 1..8_usize) {
            let mut recent = Recent::<u8, u32>::new(room);
            let mut expected: Vec<u8> = Vec::new();
            for key in uses {
                *recent.entry(key) += 1;
                expected.retain(|held| *held != key);
                expected.push(key);
                expected.drain(..expected.len().saturating_sub(room));
                prop_assert_eq!(recent.by_use.values().copied().collect::<Vec<_>>(), &*expected);
                prop_assert!((0..12).all(|key| recent.get(&key).is_some() == expected.contains(&key)));
            }
        }
    }
}
