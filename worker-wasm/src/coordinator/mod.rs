//! What the volunteer's machine does next: events in, effects out. Knows no browser, so every rule has a native test.
//!
//! Owns the wish of the volunteer, the connection's state, the jobs held and the slots. Never unpacks a value.

mod connection;
mod effect;
mod event;
mod gpu;
mod idle;
mod outcome;
mod quiet;
mod rests;
mod standby;
mod standstill;
mod state;
mod status;
mod supply;
#[cfg(test)]
mod tests;

pub(crate) use effect::Effect;
pub(crate) use event::Event;
pub(crate) use state::State;
use state::Wish;
