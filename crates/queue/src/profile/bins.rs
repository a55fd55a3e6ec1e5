//! One bin of a profile, as it is added up. Whole numbers, which stand still at their bounds.

use super::series::Cell;

/// What was done within one stretch of time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Bin {
    /// Floating-point operations.
    pub flops: u128,
    /// Microseconds inside jobs' code, over all slots.
    pub busy_us: u64,
    /// Jobs that ended with a value.
    pub jobs: u32,
    /// Attempts that ended without one.
    pub errors: u32,
}

impl Cell for Bin {
    fn absorb(&mut self, other: Self) {
        self.flops = self.flops.saturating_add(other.flops);
        self.busy_us = self.busy_us.saturating_add(other.busy_us);
        self.jobs = self.jobs.saturating_add(other.jobs);
        self.errors = self.errors.saturating_add(other.errors);
    }
}
