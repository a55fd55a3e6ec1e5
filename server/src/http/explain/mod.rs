//! Why a job, a node, a run, a worker or a class of the queue stands as it does, for people who ask.
//!
//! Facts are gathered here, `weevil_queue::explain` makes reasons of them, and `weevil_api::explain` has the sentences. Nothing is
//! decided by them, and nothing is read back from metrics.

mod classes;
mod jobs;
mod nodes;
mod routes;
mod runs;
mod scene;
mod views;
mod waiting;
mod workers;

pub(super) use classes::{classes, names};
pub(super) use routes::{job, node, run, worker};
pub(super) use waiting::Waiting;
