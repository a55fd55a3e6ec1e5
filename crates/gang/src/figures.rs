//! What came of a play.

use std::iter::Sum;

/// Counts, to be added up over seeds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// Jobs whose value was believed.
    pub accepted: u64,
    /// Those of them whose value is a lie.
    pub wrong: u64,
    /// Jobs that were given up.
    pub disputed: u64,
    /// Answers that were computed.
    pub computed: u64,
    /// Devices that had to rest, and had never lied.
    pub honest_refuted: u64,
    pub liars_refuted: u64,
}

impl Figures {
    /// The share of believed values that is wrong.
    pub fn wrong_share(&self) -> f64 {
        self.wrong as f64 / self.accepted.max(1) as f64
    }

    /// Answers that were computed for each job.
    pub fn per_job(&self) -> f64 {
        self.computed as f64 / self.accepted.max(1) as f64
    }
}

impl Sum for Figures {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            accepted: sum.accepted + one.accepted,
            wrong: sum.wrong + one.wrong,
            disputed: sum.disputed + one.disputed,
            computed: sum.computed + one.computed,
            honest_refuted: sum.honest_refuted + one.honest_refuted,
            liars_refuted: sum.liars_refuted + one.liars_refuted,
        })
    }
}
