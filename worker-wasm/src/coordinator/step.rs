//! One event's turn: when it came, and what it leads to. Decides nothing.

use super::effect::Effect;

/// What every rule is handed beside what it may change.
#[derive(Debug)]
pub(super) struct Step {
    /// Milliseconds of a clock that only grows.
    pub now: f64,
    /// In the order in which they are to be done.
    pub out: Vec<Effect>,
}

impl Step {
    pub(super) const fn at(now: f64) -> Self {
        Self { now, out: Vec::new() }
    }
}
