//! Which slot was busy when: a lane for each of the first slots, in the order of workers and slots.
//!
//! The slots with a lane are always the smallest that have come, in whatever order they came: a slot that has lost its lane
//! never gets it back. What the others did is the rest, which is what the bins hold beyond the lanes.

use std::collections::BTreeMap;

use weevil_model::{Timestamp, WorkerId};

use super::computed::Computed;
use super::grid::{Grid, MAX_LANES, bounded};
use super::series::Series;

/// What one slot did.
#[derive(Debug, Clone)]
pub(super) struct Lane {
    /// Its first hand-out.
    pub began: Timestamp,
    /// Its last result.
    pub ended: Timestamp,
    /// Microseconds inside jobs' code, on the grid of pairs of bins.
    pub busy: Series<u64>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Lanes {
    slots: BTreeMap<(WorkerId, u32), Lane>,
    /// More slots have computed than there are lanes.
    overfull: bool,
}

impl Lanes {
    pub(super) const fn has_rest(&self) -> bool {
        self.overfull
    }

    /// In the order of workers and slots.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&(WorkerId, u32), &Lane)> {
        self.slots.iter()
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Adds an attempt to the lane of its slot; `grid` is that of the lanes, and wide enough.
    pub(super) fn add(&mut self, computed: &Computed, grid: Grid) {
        let (began, ended) = (bounded(computed.handed_out), bounded(computed.reported));
        let Some(lane) = self.lane(computed.worker, computed.slot, began, ended) else { return };
        lane.began = lane.began.min(began);
        lane.ended = lane.ended.max(ended);
        let span = computed.span();
        let (first, last) = grid.reach(span);
        for index in first..=last {
            lane.busy.add(index, grid.part(span, index).length_us());
        }
    }

    pub(super) fn coarsen(&mut self) {
        for lane in self.slots.values_mut() {
            lane.busy.coarsen();
        }
    }

    /// The lane of a slot; `None` where it belongs to the rest. A new one may push out the last.
    fn lane(&mut self, worker: WorkerId, slot: u32, began: Timestamp, ended: Timestamp) -> Option<&mut Lane> {
        let key = (worker, slot);
        if !self.slots.contains_key(&key) && self.slots.len() >= MAX_LANES {
            self.overfull = true;
            if self.slots.last_key_value().is_some_and(|(last, _)| *last < key) {
                return None;
            }
            self.slots.pop_last();
        }
        Some(self.slots.entry(key).or_insert_with(|| Lane { began, ended, busy: Series::default() }))
    }
}
