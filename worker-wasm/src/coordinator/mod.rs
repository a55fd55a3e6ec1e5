//! What the volunteer's machine does next: events in, effects out. Knows no browser, so every rule has a native test.
//!
//! Owns the wish of the volunteer, the connection's state, the jobs held and the slots. Never unpacks a value.

mod commands;
mod connection;
mod effect;
mod event;
mod figures;
mod gpu;
mod idle;
mod outcome;
mod quiet;
mod rests;
mod slots;
mod standby;
mod standstill;
mod state;
mod status;
mod step;
mod stop;
mod supply;
#[cfg(test)]
mod tests;
mod tick;
mod uplink;
mod wishes;
mod work;

pub(crate) use effect::Effect;
pub(crate) use event::Event;
pub(crate) use state::State;
