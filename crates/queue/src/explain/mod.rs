//! Why a job, a node, a run or a worker stands as it does: facts in, reasons out, most telling first.
//!
//! Pure. Says what follows from the facts and never guesses: a fact that is not known is a reason that says so. Words for
//! people are made elsewhere, from a reason's numbers.

mod ahead;
mod ended;
mod facts;
mod fleet;
mod graph;
mod job;
mod reason;
mod scene;
mod worker;

pub use ahead::{Ahead, MAX_AHEAD};
pub use facts::{
    AttemptTold, Database, JobCase, Known, Others, Scene, Suspended, WaitingClass, WorkerCase, WorkerTold,
};
pub use graph::{Cause, Leaf, MAX_CAUSES, OpenPort, merge, nearest, open_ports};
pub use job::{explain_class, explain_job, explain_queue};
pub use reason::{Fault, Lack, Reason, Unknown};
pub use worker::{JUST_JOINED_MS, explain_worker};

#[cfg(test)]
mod ended_test;
#[cfg(test)]
mod job_test;
#[cfg(test)]
mod worker_test;
