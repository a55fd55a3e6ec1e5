//! Job workers: those that work, those on standby, and what each slot has rested from. Knows jobs by their numbers alone.

use std::collections::BTreeMap;

use super::rests::Rests;
use crate::slot::{Realm, Slot};

/// Who speaks: the slot, and which of its job workers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Speaker {
    pub slot: u32,
    pub generation: u32,
}

#[derive(Debug)]
#[expect(clippy::struct_field_names, reason = "slots are what it owns; no other word would be as plain")]
pub(super) struct Slots {
    pub slots: BTreeMap<u32, Slot>,
    /// Job workers of modules beside slots that work for scripts.
    pub standby: BTreeMap<u32, Slot>,
    /// New slots open in the realm that the latest work needed.
    pub realm: Realm,
    /// What slots have rested from, whichever job worker stands behind them.
    pub rests: Rests,
    /// The latest job worker's.
    pub generation: u32,
}

impl Slots {
    pub(super) fn new() -> Self {
        Self {
            slots: BTreeMap::new(),
            standby: BTreeMap::new(),
            realm: Realm::default(),
            rests: Rests::default(),
            generation: 0,
        }
    }

    /// Those that take jobs.
    pub(super) fn open(&self) -> u32 {
        u32::try_from(self.slots.values().filter(|slot| !slot.retiring).count()).unwrap_or(u32::MAX)
    }

    /// Where `which` holds, in order.
    pub(super) fn found(&self, which: impl Fn(&Slot) -> bool) -> Vec<u32> {
        self.slots.iter().filter(|(_, slot)| which(slot)).map(|(at, _)| *at).collect()
    }

    /// Its job worker may have been closed while the port was on its way.
    pub(super) fn awaits(&self, generation: u32) -> bool {
        self.slots.values().any(|slot| slot.generation == generation)
    }
}
