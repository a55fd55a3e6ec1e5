//! Workers: both protocols from the request to the session that stands for one of them.
//!
//! `socket` opens a connection, which `session` answers, `socket_reader` and `socket_writer` carry; `plain_http` is the
//! way in for workers without one, which `plain_session` answers. What they are given and what becomes of it, the engine's
//! feeder decides.

mod allowance;
mod device;
mod inlet;
mod networks;
mod outbox;
pub(crate) mod plain_http;
mod plain_leases;
mod plain_session;
mod plain_wire;
mod plain_workers;
mod repeats;
mod sent_away;
mod session;
mod shipment;
mod shipped_body;
pub(crate) mod socket;
mod socket_head;
mod socket_reader;
mod socket_writer;
mod standing;
#[cfg(test)]
mod tests;
mod unanswered;
mod wire;

pub(crate) use networks::Networks;
pub(crate) use plain_workers::{NoEntry, PlainWorkers};
pub(crate) use session::SessionContext;
