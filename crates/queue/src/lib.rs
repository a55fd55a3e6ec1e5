//! The rules of the job queue: what a job and an attempt are, and what a database is to do with them at once.
//!
//! `decide` holds pure functions: facts and `now` in, a decision out. `Batch` is a transaction's worth of work, `Outcomes` its
//! answer. `profile` and `explain` are for people: a run's work over time, and why something waits or has failed. Never does IO;
//! knows no run, workflow or device, no database, actor or wire.

pub mod batch;
mod counts;
pub mod decide;
pub mod explain;
pub mod job;
mod opinion;
pub mod profile;

pub use batch::{
    Appetite, Batch, Cancel, Claim, Claimed, Closing, Duplicate, Enqueued, Judging, Outcomes, Release, Renew,
    Reopen, Ruled, ServerAppetite, Settled, Shortened, Spares,
};
pub use counts::{AnswerCounts, Depth, RunJudgement};
pub use decide::copies::{Copies, MAX_COPIES};
pub use decide::effort::{ClaimedEffort, Effort};
pub use decide::standing::Waiting;
pub use decide::stopped::{QueueCode, StoppedCode};
pub use job::{
    Attempt, AttemptEnd, AttemptKey, AttemptState, Delivery, Ended, Failure, NewJob, Origin, Outcome, Report,
    Reporter, Submission,
};
pub use opinion::{Opinion, Proof};
