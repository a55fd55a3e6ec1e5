//! A run without the queue: real executors, and an in-process fleet that answers their jobs. What scheduling itself
//! costs shows here, what an answer that waits costs, and in which order nodes run.
//!
//! Never serves anybody; the store it is given keeps the end of the run and nothing else.

mod bare;
mod hold;
#[cfg(test)]
mod order_test;
mod rehearse;

pub use bare::bare;
pub use hold::hold;
pub use rehearse::schedule;
