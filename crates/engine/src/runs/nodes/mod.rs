//! The executors of nodes: thin shells that carry out what `weevil_dataflow` decides.
//!
//! A pool starts values and jobs, a value feeds jobs, a part reports to its pool.

pub(crate) mod job;
mod news;
pub(crate) mod pool;
pub(crate) mod value;
