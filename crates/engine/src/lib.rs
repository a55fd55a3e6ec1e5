//! The engine: runs and their executors, the feeder between them and the queue, and what people may see of both.
//!
//! Carries out what `weevil_dataflow` and `weevil_queue` decide, with a clock, randomness and a store that it is handed.
//! Knows no HTTP, no worker's protocol and no SQL.

#![expect(missing_debug_implementations, reason = "actors, their messages and handles are never printed")]

pub mod board;
pub mod budget;
pub mod certificates;
pub mod clock;
pub mod common;
pub mod contact;
pub mod device_standings;
pub mod feeder;
pub mod fleet;
pub mod health;
pub mod job_fleet;
pub mod job_news;
pub mod judge;
pub mod keeper;
pub mod listeners;
pub mod metrics;
pub mod modules;
pub mod old_views;
pub mod pace;
pub mod parcel;
pub mod plans;
pub mod published;
pub mod reaper;
pub mod rehearsal;
pub mod root;
mod run_lists;
mod runs;
pub mod seeds;
mod standing;
pub mod take_up;
#[cfg(test)]
mod testing;
pub mod throughput;
pub mod worker_log;
