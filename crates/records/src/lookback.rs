//! What of a run's jobs and attempts people look back at beyond one job: what went wrong, what was logged, who did what when.

use async_trait::async_trait;
use weevil_model::{ContentHash, DataType, JobId, Reuse, RunId, Timestamp, WorkerId};
use weevil_queue::AttemptEnd;

use crate::{JobRecord, StoreError};

/// Attempts that one worker began before a span of time, the newest, which are looked at for those that reach into it: more than it
/// holds at a time, unless it is given far more than it has slots.
pub const MAX_REACHING: u32 = 32;
/// Jobs of a run that have gone wrong whose workers are looked for.
pub const MAX_TROUBLED_SEEN: u32 = 100;

/// Value nodes of a run that are told of those that were given something else.
pub const MAX_GIVEN_SHOWN: u32 = 1000;

/// Where a run comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOrigin {
    pub seed: u64,
    pub reuse: Reuse,
    /// Who started it, in the words of the audit; `None` where an earlier release did not keep it.
    pub created_by: Option<String>,
    /// The value nodes that were given something else than the workflow says, by their ids, and how many bytes that has: the first
    /// `MAX_GIVEN_SHOWN`.
    pub given: Vec<(String, u64)>,
}

/// What of a job its record leaves out: what it needs to be computed again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobCode {
    /// File name of its code.
    pub source: String,
    pub seed: u64,
    /// `None` where any type will do.
    pub returns: Option<DataType>,
    pub timeout_ms: u32,
    /// That of its run, or the one whose kernels it finds; `None` for a stand-alone job without any.
    pub workflow: Option<ContentHash>,
    /// When the oldest of its attempts that are kept was handed out.
    pub first_handed_out: Option<Timestamp>,
}

/// What the newest attempts of a job say, for a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobTrace {
    pub job: JobId,
    /// That of its newest attempt.
    pub worker: WorkerId,
    /// The beginning of its newest error; `expired` where a worker fell silent after that.
    pub error: Option<String>,
}

/// Where an attempt stands among those that have logged something, by their ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogMark {
    pub ended_at: Timestamp,
    pub job: JobId,
    pub number: u32,
}

/// Some attempts that have logged something: what runs go on at the same time stands between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogStretch {
    pub from: Timestamp,
    /// The last moment that belongs to it.
    pub until: Timestamp,
    /// Those behind this one.
    pub after: Option<LogMark>,
}

/// What an attempt has logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedAttempt {
    pub mark: LogMark,
    pub path: String,
    pub worker: WorkerId,
    pub end: Option<AttemptEnd>,
    /// Lines.
    pub log: String,
}

/// An attempt as a bar in a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoneAttempt {
    pub job: JobId,
    pub number: u32,
    /// `None` for a stand-alone job.
    pub run: Option<RunId>,
    pub path: String,
    pub worker: WorkerId,
    /// `None` where no report has told it.
    pub slot: Option<u32>,
    pub started_at: Timestamp,
    /// `None` while the attempt runs, like `end`.
    pub ended_at: Option<Timestamp>,
    pub end: Option<AttemptEnd>,
    pub compute_us: u64,
}

#[async_trait]
pub trait LookingBack: Send + Sync {
    /// At most `most` jobs of a run that went wrong at least once, after this one, the oldest first.
    async fn troubled_jobs(
        &self,
        run: RunId,
        after: Option<JobId>,
        most: u32,
    ) -> Result<Vec<JobRecord>, StoreError>;

    /// What the attempts of these jobs say, in no order. A job without attempts has none.
    async fn job_traces(&self, jobs: &[JobId]) -> Result<Vec<JobTrace>, StoreError>;

    async fn run_origin(&self, run: RunId) -> Result<Option<RunOrigin>, StoreError>;

    async fn job_code(&self, job: JobId) -> Result<Option<JobCode>, StoreError>;

    /// The first of the attempts of a stretch, whatever run they are of: at most `most`, each with whether it is of this run.
    async fn logged(
        &self,
        run: RunId,
        stretch: &LogStretch,
        most: u32,
    ) -> Result<Vec<(LogMark, bool)>, StoreError>;

    /// What these attempts have logged, in no order.
    async fn logs(&self, attempts: &[LogMark]) -> Result<Vec<LoggedAttempt>, StoreError>;

    /// Workers that had jobs of a run which have gone wrong, of the first `MAX_TROUBLED_SEEN` such jobs.
    async fn troubled_workers(&self, run: RunId) -> Result<Vec<WorkerId>, StoreError>;

    /// What these workers did from one moment to another, whatever run it was for: at most `most` attempts that began then, and of
    /// each worker at most `MAX_REACHING` that may reach into that time. In no order.
    async fn done_by(
        &self,
        workers: &[WorkerId],
        span: (Timestamp, Timestamp),
        most: u32,
    ) -> Result<Vec<DoneAttempt>, StoreError>;
}
