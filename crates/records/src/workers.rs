//! Workers as people look back at them, what keeps a device from being given jobs, and what a database does with both.

use async_trait::async_trait;
use weevil_model::{ContentHash, JobId, Needs, ProjectId, RunId, Timestamp, WorkerId, beginning};
use weevil_queue::AttemptEnd;

use crate::StoreError;

/// Devices that may be suspended at a time: the server has all of them in mind.
pub const MAX_SUSPENDED: u32 = 10_000;
/// Workers that are kept, those that were heard last.
pub const MAX_KEPT_WORKERS: u32 = 100_000;
/// Characters of an error's message that the history of a worker repeats.
pub const MAX_TOLD_CHARS: u32 = 200;

/// Why a worker, or every worker of a device, is given nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspension {
    pub term: Term,
    /// For people in charge; the worker is not told.
    pub note: String,
}

/// For how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    Paused { until: Timestamp },
    Banned { since: Timestamp },
}

impl Suspension {
    pub fn is_over(&self, now: Timestamp) -> bool {
        matches!(self.term, Term::Paused { until } if until <= now)
    }

    pub const fn is_ban(&self) -> bool {
        matches!(self.term, Term::Banned { .. })
    }
}

/// A worker that was given something, as it was when it was last written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerRecord {
    pub id: WorkerId,
    pub agent: String,
    /// The fingerprint of its device, where it has proved which one it is.
    pub device: Option<ContentHash>,
    /// Vendor and architecture of the GPU that it lends.
    pub adapter: Option<String>,
    pub has: Needs,
    pub slots: u32,
    pub connected_at: Timestamp,
    pub heard_at: Timestamp,
    /// Attempts that ended with a report, value or error.
    pub done: u32,
    /// Those of them that ended with an error.
    pub errors: u32,
    /// Attempts whose lease has expired.
    pub expired: u32,
}

/// What is kept of a worker, and whether its device is suspended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptWorker {
    pub worker: WorkerRecord,
    /// Perhaps one that is over.
    pub suspension: Option<Suspension>,
}

/// Some kept workers, the newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkerList {
    /// Those that came before this one.
    pub before: Option<WorkerId>,
    /// Those whose agent or adapter has this in it, in lower case, and those whose device or id begins so.
    pub text: Option<String>,
}

impl WorkerList {
    /// The smallest and the largest id that begin with the text, where ids do.
    pub fn ids(&self) -> Option<(WorkerId, WorkerId)> {
        beginning(self.text.as_deref()?).ok()
    }
}

/// An attempt as the history of its worker tells of it.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkerAttempt {
    pub job: JobId,
    pub number: u32,
    pub project: ProjectId,
    /// `None` for a stand-alone job.
    pub run: Option<RunId>,
    pub path: String,
    pub started_at: Timestamp,
    /// `None` while the attempt runs, like `end`.
    pub ended_at: Option<Timestamp>,
    pub end: Option<AttemptEnd>,
    pub error_kind: Option<String>,
    /// The beginning of the error's message.
    pub error_message: Option<String>,
    pub compute_us: u64,
}

/// Where a page of a worker's history begins: behind this attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttemptMark {
    pub started_at: Timestamp,
    pub job: JobId,
}

/// Workers that were given something.
#[async_trait]
pub trait Workers: Send + Sync {
    /// Keeps these as they are now, known or not.
    async fn keep_workers(&self, workers: &[WorkerRecord], now: Timestamp) -> Result<(), StoreError>;

    async fn worker(&self, worker: WorkerId) -> Result<Option<KeptWorker>, StoreError>;

    async fn workers(&self, list: &WorkerList, most: u32) -> Result<Vec<KeptWorker>, StoreError>;

    /// What a worker was handed, the newest first.
    async fn worker_attempts(
        &self,
        worker: WorkerId,
        before: Option<AttemptMark>,
        most: u32,
    ) -> Result<Vec<WorkerAttempt>, StoreError>;

    /// Why this device is given nothing; perhaps what is over.
    async fn suspension(&self, device: ContentHash) -> Result<Option<Suspension>, StoreError>;

    /// Devices that are suspended, those for the longest first.
    async fn suspended(
        &self,
        most: u32,
        now: Timestamp,
    ) -> Result<Vec<(ContentHash, Suspension)>, StoreError>;

    /// Forgets so many workers that were last heard before a moment, or before the `keep` that were heard last. Answers how many.
    /// A worker of a suspended device stays: by it people let the device go on.
    async fn forget_workers(
        &self,
        before: Timestamp,
        keep: u32,
        most: u32,
        now: Timestamp,
    ) -> Result<u64, StoreError>;
}
