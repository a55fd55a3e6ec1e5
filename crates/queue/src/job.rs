//! A job, its attempts and what workers say of them, as the rules see them.
//!
//! Delivery (where the wanted copies are), outcome (how the job ended) and an attempt's state are independent facts.

use std::sync::Arc;

use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::{
    Agree, Arguments, ContentHash, DataType, Encoded, JobId, Needs, ProjectId, RunId, Timestamp, Within,
    WorkerId,
};

use crate::decide::effort::ClaimedEffort;

/// A job on its way into the queue. Project, origin and path identify it: the same three are never stored twice.
#[derive(Debug, Clone, PartialEq)]
pub struct NewJob {
    pub id: JobId,
    /// That of its run, or of who put it in.
    pub project: ProjectId,
    pub origin: Origin,
    /// Path of the node below its run; for a stand-alone job, its key, which the client may choose.
    pub path: Arc<str>,
    pub code: ContentHash,
    /// File name of the code, for stack traces.
    pub source: Arc<str>,
    pub input: Arguments,
    /// The type that the result must have; `None` where any will do.
    pub returns: Option<DataType>,
    /// May the stored result of an equal job stand in for this one's?
    pub reuse: bool,
    pub seed: u64,
    /// -50000..=50000, larger is earlier.
    pub priority: i32,
    pub needs: Needs,
    /// How long it is kept back, milliseconds.
    pub delay_ms: u32,
    /// How long it waits for a worker at a stretch, milliseconds; `None`: for ever.
    pub max_wait_ms: Option<u32>,
    /// The pause after its first error, milliseconds; see `decide::retry`.
    pub retry_ms: u32,
    pub timeout_ms: u32,
    pub max_attempts: u32,
    /// How many workers compute it at a time, 1 to `MAX_COPIES`: the first value counts. A judged job has its copies one after the
    /// other, whatever this says.
    pub copies: u32,
    /// From which answers on its value is believed.
    pub trust: Policy,
    /// The share of all work that liars are assumed to do, by which it is judged to its end.
    pub assumed: AssumedShare,
    /// When two of its answers are the same.
    pub agree: Agree<ContentHash>,
    /// The module that says whether a value of it is right.
    pub proof: Option<ContentHash>,
    /// Whose answers are compared; everybody's where it says nothing.
    pub within: Option<Within>,
    /// What it finds kernels by where it stands alone; a job of a run has those of its workflow.
    pub kernels: Option<ContentHash>,
    /// It computes an element of a pool, and may be judged in a lot with others of it.
    pub in_pool: bool,
}

impl NewJob {
    /// Copies that are to be out at a time.
    pub const fn wanted(&self) -> u32 {
        if self.trust.is_judged() { 1 } else { self.copies }
    }
}

/// Where a job comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A node of this run.
    Run(RunId),
    /// Somebody who put it into the queue of this name, without a workflow.
    Queue(Arc<str>),
}

impl Origin {
    pub const fn run(&self) -> Option<RunId> {
        match self {
            Self::Run(run) => Some(*run),
            Self::Queue(_) => None,
        }
    }

    pub fn queue(&self) -> Option<&str> {
        match self {
            Self::Run(_) => None,
            Self::Queue(name) => Some(name),
        }
    }
}

/// Names one attempt; see `weevil_protocol::frame::AttemptKey`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AttemptKey {
    pub job: JobId,
    pub token: i64,
}

/// Where a job is: where the copies of it are that are still wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// For workers to take.
    Ready,
    /// Workers have all copies that are wanted.
    Leased,
    /// Its moment is yet to come.
    Delayed,
    /// Its run is paused, or its code is stopped in its queue.
    Held,
    /// An answer is there that stands in a lot, and no copy is wanted or out.
    Answered,
    Ended,
}

impl Delivery {
    pub const ALL: [Self; 6] =
        [Self::Ready, Self::Leased, Self::Delayed, Self::Held, Self::Answered, Self::Ended];
}

/// How a job ended, in a word; see [`Ended`] for what belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    Value,
    Failed,
    /// Nobody took it within its longest wait.
    Overdue,
    Cancelled,
}

impl Outcome {
    pub const ALL: [Self; 4] = [Self::Value, Self::Failed, Self::Overdue, Self::Cancelled];
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    Value(Encoded),
    /// Every attempt's error, oldest first.
    Failed(Vec<Attempt>),
    /// Nobody took it within its longest wait.
    Overdue,
    Cancelled,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptEnd {
    Completed,
    Error,
    /// No heartbeat came before the deadline.
    Expired,
    /// The worker gave it back.
    Yielded,
    /// The connection closed.
    Lost,
    Cancelled,
}

impl AttemptEnd {
    pub const ALL: [Self; 6] =
        [Self::Completed, Self::Error, Self::Expired, Self::Yielded, Self::Lost, Self::Cancelled];

    /// The stable text form, in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Error => "error",
            Self::Expired => "expired",
            Self::Yielded => "yielded",
            Self::Lost => "lost",
            Self::Cancelled => "cancelled",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|end| end.as_str() == text)
    }
}

/// How an attempt stands. The lease is the attempt's: its token, its worker, its deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptState {
    /// Its worker has it.
    Open {
        /// The end of its lease.
        due: Timestamp,
    },
    Ended {
        end: AttemptEnd,
        at: Timestamp,
    },
}

/// One ended attempt, as history keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// 1 for the first hand-out.
    pub number: u32,
    pub worker: WorkerId,
    pub end: AttemptEnd,
    pub failure: Option<Failure>,
}

/// An error that a worker reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Stable name of the kind of error.
    pub kind: String,
    pub message: String,
    pub stack: String,
}

/// What a worker says of an attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct Submission {
    pub key: AttemptKey,
    pub reporter: Reporter,
    pub report: Report,
    /// That of the value, where it has been brought into the canonical form already.
    pub digest: Option<ContentHash>,
    /// What it cost, as the worker has it; see `decide::effort`.
    pub claimed: ClaimedEffort,
    /// Slots that the reporter has announced.
    pub slots: u32,
    /// What the job's code has logged: lines.
    pub log: Option<String>,
}

/// The worker that reports, whosever attempt it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reporter {
    pub worker: WorkerId,
    /// The fingerprint of the device's key, where the worker has proved one.
    pub device: Option<ContentHash>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Report {
    Value(Encoded),
    Error(Failure),
}
