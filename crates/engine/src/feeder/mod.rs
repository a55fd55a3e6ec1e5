//! The feeder: gathers what executors and sessions ask of the queue into batches, one transaction each, and hands
//! out what comes back. While one batch commits, the next one gathers: that is the group commit.
//!
//! Never decides what happens to a job (`weevil-queue` does) and keeps nothing that a crash may not take.

mod clients;
mod commit;
mod context;
mod crowding;
mod desk;
mod dispatch;
mod handle;
mod lines;
#[cfg(test)]
mod lines_test;
mod loads;
mod news;
mod pieces;
mod request;
mod vain;
mod work;

pub use clients::{NotStored, Reply};
pub(crate) use commit::NOT_STORED;
pub use context::Feeder;
pub use handle::{FeederHandle, channel};
pub use lines::Newcomer;
pub use request::Ask;
