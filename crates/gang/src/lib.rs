//! For tests and the benchmark: a fleet of volunteers with a gang of liars in it, and what different rules believe of its answers.
//!
//! The attack model is that of docs/trust.md: liars know every rule, see what any of them was handed, recognise copies, and say
//! the same wrong value. Answers come at once, so there is no clock. Never used by a server.

mod certify;
mod dice;
mod figures;
mod fleet;
mod job;
mod ledger;
mod lots;
mod play;
mod rivals;
mod setting;
mod settle;

pub use figures::Figures;
pub use play::{play, play_certified};
pub use rivals::{Rival, play_rival};
pub use setting::{Kind, Off, Setting};
