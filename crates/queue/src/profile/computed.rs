//! An attempt as a profile takes it: when it computed, and what it counted, as whole numbers.
//!
//! Whatever a row or a worker says becomes something that can be added up. Never keeps anything.

use weevil_model::{Timestamp, WorkerId};

use super::grid::{Grid, Index, Span, bounded};
use crate::decide::effort::{Effort, MAX_COMPUTE_US, MAX_FLOPS_PER_SECOND};

/// An attempt that ended its job with a value. Any number may stand here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Computed {
    pub worker: WorkerId,
    /// Which of its slots, from 0.
    pub slot: u32,
    pub handed_out: Timestamp,
    pub reported: Timestamp,
    /// Microseconds inside the job's code; they are taken for the last ones before the report.
    pub compute_us: u64,
    /// Floating-point operations; what is not finite counts as none.
    pub flops: f64,
}

impl Computed {
    /// This effort of a worker, whose report came at this moment.
    pub const fn of(worker: WorkerId, effort: &Effort, reported: Timestamp) -> Self {
        Self {
            worker,
            slot: effort.slot(),
            handed_out: effort.handed_out(),
            reported,
            compute_us: effort.compute_us(),
            flops: effort.flops(),
        }
    }

    /// The time in which it computed.
    pub(super) fn span(&self) -> Span {
        let to_us = bounded(self.reported).0.saturating_mul(1000);
        let compute_us = self.compute_us.min(MAX_COMPUTE_US).cast_signed();
        Span { from_us: to_us.saturating_sub(compute_us), to_us }
    }
}

/// Operations that are spread evenly over a span, in whole numbers: the parts of a span are as many as the whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spread {
    span: Span,
    flops: u128,
}

impl Spread {
    pub(super) fn of(computed: &Computed) -> Self {
        Self { span: computed.span(), flops: whole(computed.flops) }
    }

    /// The operations in one stretch of those that the span reaches.
    pub(super) fn part(&self, grid: Grid, index: Index) -> u128 {
        if self.span.length_us() == 0 {
            return self.flops;
        }
        let part = grid.part(self.span, index);
        self.until(part.to_us).saturating_sub(self.until(part.from_us))
    }

    /// The operations up to a moment of the span. Each stretch gets what lies between two of these, so nothing is lost,
    /// and two stretches have together what one of their coarser grid has.
    fn until(&self, moment_us: i64) -> u128 {
        let passed = Span { to_us: moment_us, ..self.span }.length_us();
        // Below 2^72 times 2^42.
        self.flops * u128::from(passed) / u128::from(self.span.length_us().max(1))
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, and within the bounds")]
fn whole(flops: f64) -> u128 {
    let most = MAX_COMPUTE_US as f64 / 1e6 * MAX_FLOPS_PER_SECOND;
    if flops.is_finite() { flops.clamp(0.0, most).round() as u128 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn computed(reported: i64, compute_us: u64, flops: f64) -> Computed {
        let worker = WorkerId::from_number(1).unwrap();
        Computed {
            worker,
            slot: 0,
            handed_out: Timestamp(0),
            reported: Timestamp(reported),
            compute_us,
            flops,
        }
    }

    #[test]
    fn work_lies_before_its_report() {
        for (reported, compute_us, from_us, to_us) in [
            (10, 4_000, 6_000, 10_000),
            (10, 0, 10_000, 10_000),
            (0, 5, -5, 0),
            (-7, 5, -5, 0),
            (i64::MIN, u64::MAX, -MAX_COMPUTE_US.cast_signed(), 0),
            (i64::MAX, 1, 8_639_999_999_999_999_999, 8_640_000_000_000_000_000),
        ] {
            let span = computed(reported, compute_us, 0.0).span();
            assert_eq!(span, Span { from_us, to_us }, "{reported} {compute_us}");
        }
    }

    #[test]
    fn operations_are_spread_evenly_and_all_of_them() {
        for (compute_us, flops, parts) in [
            (500_000, 10.0, vec![5, 5]),
            (500_000, 11.0, vec![5, 6]),
            (375_000, 3.0, vec![1, 2]),
            (250_000, 1.4, vec![1]),
            (0, 7.0, vec![7]),
            (500_000, f64::NAN, vec![0, 0]),
            (500_000, f64::INFINITY, vec![0, 0]),
            (500_000, -1.0, vec![0, 0]),
            (0, f64::MAX, vec![2_592_000_000_000_000_000_000]),
        ] {
            let spread = Spread::of(&computed(1_000, compute_us, flops));
            let (first, last) = Grid::FINEST.reach(spread.span);
            let found: Vec<u128> = (first..=last).map(|at| spread.part(Grid::FINEST, at)).collect();
            assert_eq!(found, parts, "{compute_us} {flops}");
        }
    }
}
