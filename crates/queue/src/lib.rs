//! The rules of the job queue, and the border to the database that carries them out.
//!
//! `decide` holds pure functions: facts and `now` in, a decision out. `Store` is what a database must do with them.
//! Never does IO, never knows SQL, actors or the wire.

pub mod batch;
pub mod decide;
pub mod device;
pub mod history;
pub mod job;
pub mod run;
mod store;

pub use batch::{
    Ask, Batch, Cancel, Claim, Claimed, Depth, Duplicate, Enqueued, Outcomes, Release, Renew, Reopen, Settled,
};
pub use decide::effort::{ClaimedEffort, Effort};
pub use device::Device;
pub use history::{AttemptRecord, JobRecord, Waiting};
pub use job::{
    Attempt, AttemptEnd, AttemptKey, Delivery, Ended, Failure, NewJob, Origin, Report, Submission,
};
pub use run::{
    Forgotten, JobTimes, NamedWorkflow, Reuse, RunEnd, RunInput, RunRecord, Scope, SlotTotals,
    StoredWorkflow, WorkflowVersion,
};
pub use store::{Store, StoreError};
