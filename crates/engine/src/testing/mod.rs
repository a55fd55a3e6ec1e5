//! What tests of the engine put in the place of a database, of workers, of everybody who waits, and of time.
//!
//! Decides nothing: a fake answers what it was prepared to, a recorder writes down what it hears. The one place where
//! tests make jobs, reports and what a database says of them.

mod batches;
mod bed;
mod clock;
mod jobs;
mod recorder;

pub(crate) use batches::FakeBatches;
pub(crate) use bed::{Bed, GPU, Guest, HEARTBEAT_MS, LEASE_MS, THRESHOLD};
pub(crate) use clock::{ManualClock, START};
pub(crate) use jobs::{
    RUN, alone, claimed, closing, effort, ended, failed, job, key, new_job, news, path, report, returned,
    ruled, run, settled, stale, value, worker,
};
pub(crate) use recorder::{Flush, Log, Recorder};
