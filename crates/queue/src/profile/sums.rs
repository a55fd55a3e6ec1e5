//! What a profile adds up to: the numbers that a run's statistics are compared with. Only sums.

use super::gather::Profile;

/// Sums over all bins.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sums {
    pub jobs: u64,
    pub errors: u64,
    /// Microseconds inside jobs' code, over all slots.
    pub busy_us: u64,
    pub flops: f64,
    /// Milliseconds from the first hand-out to the last result.
    pub wall_ms: i64,
}

/// Sums over all lanes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SlotSums {
    pub slots: u32,
    /// Milliseconds from each slot's first hand-out to its last result.
    pub span_ms: u64,
    /// Microseconds inside jobs' code, of each slot at most as long as it was there.
    pub busy_us: u64,
}

impl Profile {
    pub fn sums(&self) -> Sums {
        let mut flops = 0_u128;
        let mut sums = Sums::default();
        for (_, bin) in self.bins.iter() {
            flops = flops.saturating_add(bin.flops);
            sums.jobs = sums.jobs.saturating_add(bin.jobs.into());
            sums.errors = sums.errors.saturating_add(bin.errors.into());
            sums.busy_us = sums.busy_us.saturating_add(bin.busy_us);
        }
        let wall_ms = self.ends.map_or(0, |(began, ended)| ended.since(began));
        Sums { flops: flops as f64, wall_ms, ..sums }
    }

    /// `None` where more slots have computed than there are lanes: what the others were there for is not known.
    pub fn slot_sums(&self) -> Option<SlotSums> {
        if self.lanes.has_rest() {
            return None;
        }
        let mut sums =
            SlotSums { slots: u32::try_from(self.lanes.len()).unwrap_or(u32::MAX), ..SlotSums::default() };
        for (_, lane) in self.lanes.iter() {
            let span_ms = u64::try_from(lane.ended.since(lane.began)).unwrap_or(0);
            let busy_us = lane.busy.iter().fold(0, |all: u64, (_, busy)| all.saturating_add(*busy));
            sums.span_ms = sums.span_ms.saturating_add(span_ms);
            // A millisecond more than the span says, since moments are whole ones.
            let there_us = span_ms.saturating_add(1).saturating_mul(1000);
            sums.busy_us = sums.busy_us.saturating_add(busy_us.min(there_us));
        }
        Some(sums)
    }
}
