//! Workers as the server sees them: `session` is one with a connection, `plain_session` one without.

mod allowance;
mod device;
pub(crate) mod holdings;
pub(crate) mod outbox;
pub(crate) mod plain_session;
pub(crate) mod plain_wire;
pub(crate) mod plain_workers;
mod repeats;
pub(crate) mod session;
pub(crate) mod standing;
mod unanswered;
pub(crate) mod wire;
