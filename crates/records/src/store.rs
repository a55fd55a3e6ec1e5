//! What a database must do. Implementations live in `weevil-store`; the rules they obey in `weevil_queue::decide`.

use async_trait::async_trait;
use weevil_model::{ContentHash, Encoded, JobId, RunId, Timestamp};
use weevil_queue::{Batch, Depth, Outcomes};

use crate::device::Device;
use crate::history::{AttemptRecord, JobRecord};
use crate::run::{
    Forgotten, JobTimes, NamedWorkflow, RunEnd, RunInput, RunRecord, Scope, SlotTotals, StoredWorkflow,
};

/// Why the database did not do it. Nothing of the request was applied.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(
        "the database in {place} cannot be opened: {cause}; check that the folder exists and is writable"
    )]
    Open { place: String, cause: String },
    #[error(
        "the database {place} cannot be reached: {cause}; check that it runs there, that it exists, and that the user \
         may use it"
    )]
    Connect { place: String, cause: String },
    #[error("the database {place} cannot be used: {cause}")]
    Unfit { place: String, cause: String },
    #[error("the database has schema {found}, this binary knows up to {known}: start a newer binary")]
    TooNew { found: i64, known: i64 },
    #[error("the database failed while {doing}: {cause}")]
    Failed { doing: &'static str, cause: String },
    /// Trying the same again does not cure it: a constraint, a column, a length.
    #[error("the database does not take it while {doing}: {cause}")]
    Refused { doing: &'static str, cause: String },
    #[error("the database holds {what} that this binary cannot read")]
    Corrupt { what: String },
}

/// Durable truth. Each method is one transaction: when it returns, its effects survive SIGKILL and power loss.
#[async_trait]
pub trait Store: Send + Sync {
    /// Carries out a batch by the rules of `decide`. After an error the caller may try the same batch again.
    async fn apply(&self, batch: &Batch, now: Timestamp) -> Result<Outcomes, StoreError>;

    /// How many jobs wait and run. Costs time for each of them: not for the hot path.
    async fn depth(&self) -> Result<Depth, StoreError>;

    /// For a server that has just started: ends every lease, since nobody is connected, and the jobs that ended runs
    /// have left. Answers how many leases there were.
    async fn tidy_up(&self, now: Timestamp) -> Result<u64, StoreError>;

    /// Keeps a workflow under its name; files that any workflow has already are not stored again.
    async fn keep_workflow(&self, workflow: &StoredWorkflow, now: Timestamp) -> Result<(), StoreError>;

    /// Keeps a workflow and a new run of it.
    async fn create_run(
        &self,
        workflow: &StoredWorkflow,
        run: &RunRecord,
        inputs: &[RunInput],
    ) -> Result<(), StoreError>;

    async fn end_run(&self, run: RunId, end: &RunEnd) -> Result<(), StoreError>;

    /// Removes at most `most` jobs, with their attempts, of the run that ended first of those that ended before `before`;
    /// the run as well once it has none. Where there is no such run, the stand-alone jobs that ended before. Workflows
    /// stay. Nothing removed: nothing is left that old.
    async fn forget(&self, before: Timestamp, most: u32, now: Timestamp) -> Result<Forgotten, StoreError>;

    async fn run(&self, run: RunId) -> Result<Option<RunRecord>, StoreError>;

    /// Newest first.
    async fn runs(&self, limit: u32) -> Result<Vec<RunRecord>, StoreError>;

    /// Runs that have not ended, oldest first.
    async fn open_runs(&self) -> Result<Vec<RunRecord>, StoreError>;

    async fn inputs(&self, run: RunId) -> Result<Vec<RunInput>, StoreError>;

    /// Pauses or resumes. Answers false of a run that is not there or has ended; otherwise it is so now, also where it was
    /// already.
    async fn pause(&self, scope: Scope, paused: bool, now: Timestamp) -> Result<bool, StoreError>;

    /// Since when the whole queue is paused.
    async fn paused_since(&self) -> Result<Option<Timestamp>, StoreError>;

    /// At most `most` jobs of a run, after the one with this path, in an order that stays as it is while the run goes on.
    async fn jobs(&self, run: RunId, after: Option<&str>, most: u32) -> Result<Vec<JobRecord>, StoreError>;

    /// At most `most` stand-alone jobs of a queue, after this one, the oldest first.
    async fn queued(
        &self,
        queue: &str,
        after: Option<JobId>,
        most: u32,
    ) -> Result<Vec<JobRecord>, StoreError>;

    /// The value that a job has ended with.
    async fn value(&self, job: JobId) -> Result<Option<Encoded>, StoreError>;

    /// A job with its newest attempts, at most `MAX_ATTEMPTS_READ`, oldest first.
    async fn attempts(&self, job: JobId) -> Result<Option<(JobRecord, Vec<AttemptRecord>)>, StoreError> {
        self.attempts_before(job, u32::MAX).await
    }

    /// The same of the attempts whose number is smaller than this one.
    async fn attempts_before(
        &self,
        job: JobId,
        number: u32,
    ) -> Result<Option<(JobRecord, Vec<AttemptRecord>)>, StoreError>;

    async fn slot_totals(&self, run: RunId) -> Result<Vec<SlotTotals>, StoreError>;

    /// How long the completed jobs of a run took, each within half a percent.
    async fn job_times(&self, run: RunId) -> Result<Vec<JobTimes>, StoreError>;

    /// By the first name it had.
    async fn workflow(&self, hash: ContentHash) -> Result<Option<StoredWorkflow>, StoreError>;

    /// The newest `limit` versions by name; the name with the newest version first.
    async fn workflows(&self, limit: u32) -> Result<Vec<NamedWorkflow>, StoreError>;

    /// Keeps code that no workflow has; bytes that are there are not stored again.
    async fn keep_code(&self, code: &[u8], now: Timestamp) -> Result<ContentHash, StoreError>;

    /// Counts accepted results of a device; it is known from the first time on.
    async fn count_device(
        &self,
        fingerprint: ContentHash,
        accepted: u32,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    async fn device(&self, fingerprint: ContentHash) -> Result<Option<Device>, StoreError>;

    /// The bytes with this hash.
    async fn blob(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError>;
}
