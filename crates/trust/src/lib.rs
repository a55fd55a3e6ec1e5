//! When answers of strangers are believed, and what it costs a device that was wrong: the rules, as pure functions.
//!
//! No clock, no chance, no IO: moments and random bytes are arguments. Knows no job, run or row; the store brings answers, ranks
//! and lots, and carries out what is ruled. Why it holds: docs/trust.md.

mod bound;
pub mod certificate;
mod chance;
mod compare;
mod crowd;
mod groups;
mod lot;
mod near;
mod plan;
mod points;
mod rank;
mod refute;
mod ruling;

pub use bound::Bound;
pub use chance::Chance;
pub use compare::{EnginePair, Tally, left_out, scatters};
pub use crowd::{NetworkShare, is_crowded};
pub use groups::{Answer, Group, Groups, Lead, Said};
pub use lot::{Fate, Lot, Patience};
pub use near::near;
pub use plan::{Depth, NoPlan, Plan};
pub use points::{OpenFleet, points};
pub use rank::{forgive_error, mark, rank, refute, rests, waiting_answers};
pub use refute::{Cost, Difference, cost, rest_ms};
pub use ruling::{Basis, Case, Decision, Ruling, Standard, Subject, Taker, rule, subject};

/// Every bound of these rules.
pub mod limits {
    pub use crate::compare::{DIFFERED_TIMES, SCATTERED_JOBS};
    pub use crate::lot::EARLY_CHECKS;
    pub use crate::plan::{MAX_LOT, MAX_REPEATS, MAX_SAMPLE, MIN_LOT};
    pub use crate::points::OPENING_WITNESSES;
    pub use crate::rank::PASSES;
    pub use crate::refute::{ERRORS_A_DAY, FIRST_REST_MS, MAX_REST_MS};
    pub use crate::ruling::{ERROR_LEAD, ERROR_VOTES, LEAD, MAX_ANSWERS};
}
