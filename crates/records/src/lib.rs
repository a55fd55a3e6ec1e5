//! What is kept and read back: workflows, runs, devices, the history of jobs; and what a database must do with it.
//!
//! Never decides anything, and knows no SQL: the rules are `weevil-queue`'s, the databases `weevil-store`'s.

mod batches;
mod blobs;
mod certificates;
mod course;
mod device;
mod facts;
pub mod history;
mod jobs;
mod left_out;
mod listing;
mod lookback;
pub mod old_view;
mod pauses;
mod questions;
mod run;
mod runs;
mod store;
mod waits;
mod workers;
mod workflows;

pub use batches::Batches;
pub use blobs::{Blob, Blobs};
pub use certificates::{AnswerFacts, Certificates, JobFacts, JobValues, LotFacts};
pub use course::{NodeStates, RunCourse};
pub use device::{Credit, Device, DeviceList, DeviceStanding, Devices, KnownDevice};
pub use facts::{
    AttemptFailure, DiagnosticFacts, NodeFacts, Progress, RunFacts, RunFailure, RunStats, RunTotals,
    of_column, to_column,
};
pub use history::{AnswerFate, AnswerRecord, AttemptRecord, JobRecord, LotRecord};
pub use jobs::Jobs;
pub use left_out::{EngineDifference, LeftOutEngine};
pub use listing::{LastRun, MAX_COUNTED_RUNS, NameSearch, NamedVersion, Order, RunList, VersionMark};
pub use lookback::{
    DoneAttempt, JobCode, JobTrace, LogMark, LogStretch, LoggedAttempt, LookingBack, MAX_GIVEN_SHOWN,
    MAX_REACHING, MAX_TROUBLED_SEEN, RunOrigin,
};
pub use pauses::{Pauses, StoppedSince};
pub use questions::{Question, QuestionKey, Questions};
pub use run::{
    FinalNode, Forgotten, JobTimes, ListedFile, ListedRun, ListedWorkflow, Retrace, RunEnd, RunHead,
    RunInput, RunRecord, Scope, SlotTotals, StoredWorkflow, Turned,
};
pub use runs::Runs;
pub use store::Store;
pub use waits::{MAX_WAITING_SHOWN, WaitingQueue, Waits};
pub use weevil_model::StoreError;
pub use workers::{
    AttemptMark, KeptWorker, MAX_KEPT_WORKERS, MAX_SUSPENDED, MAX_TOLD_CHARS, Suspension, Term,
    WorkerAttempt, WorkerList, WorkerRecord, Workers,
};
pub use workflows::{Removal, Workflows};
