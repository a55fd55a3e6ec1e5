//! What an attempt cost: the worker's claim, bounded by what the server saw.
//!
//! Figures are for people. No claim is refused: what cannot be becomes what can, and no verdict depends on it.

use weevil_model::Timestamp;
use weevil_model::limits::MAX_SLOTS;

/// Microseconds that one attempt computes at most: 30 days.
pub const MAX_COMPUTE_US: u64 = 30 * 24 * 60 * 60 * 1_000_000;
/// Floating-point operations that one slot counts in a second at most: ten times a large GPU of 2026.
pub const MAX_FLOPS_PER_SECOND: f64 = 1e15;
/// Moments are whole milliseconds: an attempt may have taken this much longer than they say.
const ROUNDING_MS: u64 = 1;

/// What a worker says that an attempt cost. Any number may stand here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClaimedEffort {
    /// Which of its slots, from 0.
    pub slot: u32,
    /// Microseconds inside the job's code.
    pub compute_us: u64,
    /// Floating-point operations, as the job's code counted them.
    pub flops: f64,
}

/// What the server saw of the same attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    pub handed_out: Timestamp,
    pub reported: Timestamp,
    /// Slots that the reporter has announced.
    pub slots: u32,
}

/// What an attempt cost, as it is stored and added up: never more than the server saw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    slot: u32,
    compute_us: u64,
    flops: f64,
    handed_out: Timestamp,
}

impl Seen {
    /// Microseconds from hand-out to report, as if the clock had stood still where it went back, and [`MAX_COMPUTE_US`]
    /// at most.
    fn most_us(&self) -> u64 {
        let span_ms = u64::try_from(self.reported.since(self.handed_out)).unwrap_or(0);
        span_ms.saturating_add(ROUNDING_MS).saturating_mul(1000).min(MAX_COMPUTE_US)
    }
}

impl Effort {
    /// The claim, as far as it can be true. There is no other way to an effort.
    pub fn judged(claimed: ClaimedEffort, seen: Seen) -> Self {
        let most_us = seen.most_us();
        let most_flops = most_us as f64 / 1e6 * MAX_FLOPS_PER_SECOND;
        Self {
            slot: claimed.slot.min(seen.slots.clamp(1, MAX_SLOTS) - 1),
            compute_us: claimed.compute_us.min(most_us),
            flops: if claimed.flops.is_finite() { claimed.flops.clamp(0.0, most_flops) } else { 0.0 },
            handed_out: seen.handed_out,
        }
    }

    /// From 0, below the slots that the reporter has announced.
    pub const fn slot(&self) -> u32 {
        self.slot
    }

    /// Microseconds inside the job's code.
    pub const fn compute_us(&self) -> u64 {
        self.compute_us
    }

    /// Floating-point operations; finite.
    pub const fn flops(&self) -> f64 {
        self.flops
    }

    /// When the attempt began.
    pub const fn handed_out(&self) -> Timestamp {
        self.handed_out
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DAY_MS: i64 = 24 * 60 * 60 * 1000;

    fn seen(span_ms: i64, slots: u32) -> Seen {
        Seen { handed_out: Timestamp(1_000), reported: Timestamp(1_000).plus_ms(span_ms), slots }
    }

    fn claim(effort: &Effort) -> ClaimedEffort {
        ClaimedEffort { slot: effort.slot, compute_us: effort.compute_us, flops: effort.flops }
    }

    #[test]
    fn an_attempt_computes_at_most_from_its_hand_out_to_its_report() {
        for (span_ms, claimed, kept) in [
            (50, 40_000, 40_000),
            (50, 51_000, 51_000),
            (50, 51_001, 51_000),
            (0, 700, 700),
            (0, u64::MAX, 1_000),
            (-5_000, 7_000_000, 1_000),
            (31 * DAY_MS, u64::MAX, MAX_COMPUTE_US),
            (i64::MAX, u64::MAX, MAX_COMPUTE_US),
        ] {
            let claimed = ClaimedEffort { slot: 0, compute_us: claimed, flops: 0.0 };
            assert_eq!(Effort::judged(claimed, seen(span_ms, 1)).compute_us(), kept, "{span_ms} {claimed:?}");
        }
    }

    #[test]
    fn operations_are_counted_as_far_as_a_slot_can_do_them() {
        for (span_ms, claimed, kept) in [
            (999, 2e9, 2e9),
            (999, 1e300, MAX_FLOPS_PER_SECOND),
            (999, f64::MAX, MAX_FLOPS_PER_SECOND),
            (999, f64::INFINITY, 0.0),
            (999, f64::NEG_INFINITY, 0.0),
            (999, f64::NAN, 0.0),
            (999, -1.0, 0.0),
            (0, 5.0, 5.0),
        ] {
            let judged =
                Effort::judged(ClaimedEffort { slot: 0, compute_us: 0, flops: claimed }, seen(span_ms, 1));
            assert!((judged.flops() - kept).abs() < f64::EPSILON, "{span_ms} {claimed} {judged:?}");
        }
    }

    #[test]
    fn a_slot_that_was_not_announced_is_the_last_one() {
        for (slots, claimed, kept) in [
            (4, 0, 0),
            (4, 3, 3),
            (4, 4, 3),
            (1, u32::MAX, 0),
            (0, 7, 0),
            (u32::MAX, MAX_SLOTS - 1, MAX_SLOTS - 1),
            (u32::MAX, u32::MAX, MAX_SLOTS - 1),
        ] {
            let claimed = ClaimedEffort { slot: claimed, compute_us: 0, flops: 0.0 };
            assert_eq!(Effort::judged(claimed, seen(1, slots)).slot(), kept, "{slots} {claimed:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_claimed_is_possible_afterwards(
            slot: u32, compute_us: u64, flops in prop::num::f64::ANY, from: i64, to: i64, slots: u32,
        ) {
            let seen = Seen { handed_out: Timestamp(from), reported: Timestamp(to), slots };
            let judged = Effort::judged(ClaimedEffort { slot, compute_us, flops }, seen);
            let seconds = judged.compute_us().max(seen.most_us()) as f64 / 1e6;
            prop_assert!(judged.slot() < slots.clamp(1, MAX_SLOTS) && judged.slot() <= slot);
            prop_assert!(judged.compute_us() <= MAX_COMPUTE_US && judged.compute_us() <= compute_us);
            prop_assert!(judged.compute_us() / 1000 <= to.saturating_sub(from).max(0).unsigned_abs() + 1);
            prop_assert!(judged.flops() >= 0.0 && judged.flops() <= seconds * MAX_FLOPS_PER_SECOND);
            prop_assert_eq!(claim(&Effort::judged(claim(&judged), seen)), claim(&judged), "a second time changes nothing");
        }

        #[test]
        fn what_is_possible_stays(slot in 0..MAX_SLOTS, ms in 0..30 * DAY_MS, percent in 0..=100_u64) {
            let compute_us = ms.unsigned_abs() * 10 * percent;
            let flops = compute_us as f64 / 1e6 * MAX_FLOPS_PER_SECOND;
            let claimed = ClaimedEffort { slot, compute_us, flops };
            prop_assert_eq!(claim(&Effort::judged(claimed, seen(ms, MAX_SLOTS))), claimed);
        }
    }
}
