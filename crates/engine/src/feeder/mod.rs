//! The feeder: gathers what executors and sessions ask of the queue into batches, one transaction each, and hands
//! out what comes back. While one batch commits, the next one gathers: that is the group commit.
//!
//! Never decides what happens to a job (`weevil-queue` does) and keeps nothing that a crash may not take.

mod attendance;
mod commit;
mod connected;
mod context;
mod copies_out;
mod crowding;
mod dispatch;
mod doubts;
mod fruitless;
mod gather;
mod handle;
mod loads;
mod news;
mod pieces;
mod replies;
mod request;
mod server;
mod spares;
mod speed;
mod stopped;
mod suspensions;
#[cfg(test)]
mod tests;
mod work;
mod workers;
#[cfg(test)]
mod workers_test;

pub(crate) use commit::NOT_STORED;
pub use context::FeederContext;
pub use handle::{FeederHandle, channel};
pub use replies::{NotStored, Reply};
pub use request::{Request, ServerRequest};
pub use suspensions::Suspended;
pub use workers::WorkerJoined;
