//! A run without the queue: real executors, and an in-process fleet that answers their jobs. What scheduling itself
//! costs shows here, and in which order nodes run.
//!
//! Never serves anybody; the store it is given keeps the end of the run and nothing else.

mod bare;
#[cfg(test)]
mod order_test;
mod rehearse;

pub use bare::bare;
pub use rehearse::schedule;
