//! The profile of a run: what it computed, over time, for people to look at ([ADR 0072]).
//!
//! Attempts in, bins out. Never decides anything, never reads a clock, and no number that comes in can make it panic.
//!
//! [ADR 0072]: ../../../../docs/adr/0072-profile-of-a-run.md

mod bins;
mod blob;
mod changes;
mod computed;
mod facts;
mod gather;
mod grid;
mod lanes;
mod series;
mod sums;

pub use blob::{MAX_PROFILE_BYTES, UnreadableProfile};
pub use changes::Changes;
pub use computed::Computed;
pub use facts::{BinFacts, LaneFacts, ProfileFacts};
pub use gather::Profile;
pub use grid::{FIRST_BIN_MS, MAX_BINS, MAX_LANES, MAX_SHARES};
pub use sums::{SlotSums, Sums};

#[cfg(test)]
mod properties_test;
