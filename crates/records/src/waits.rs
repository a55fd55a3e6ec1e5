//! What waits in the queue, counted for people who ask why: what a database tells of it.

use async_trait::async_trait;
use weevil_model::{JobId, Needs, ProjectId, Timestamp};
use weevil_queue::explain::{Ahead, WaitingClass};

use crate::StoreError;

/// Classes and queues that are told at a time, the fullest first.
pub const MAX_WAITING_SHOWN: u32 = 1_000;

/// Stand-alone jobs of one queue that have not ended and that nobody holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingQueue {
    pub project: ProjectId,
    pub queue: String,
    /// They wait for a worker.
    pub ready: u64,
    pub delayed: u64,
    /// Their code is stopped.
    pub held: u64,
    /// When the oldest of them was put in, where it is still there.
    pub oldest: Option<Timestamp>,
}

/// Looking at what waits. Decides nothing, and changes nothing.
#[async_trait]
pub trait Waits: Send + Sync {
    /// Ready jobs that come before this one in the queue's order, of all classes that one of these workers meets. Stops counting at
    /// `MAX_AHEAD`; `None` of a job that is not ready.
    async fn ahead(&self, job: JobId, workers: &[Needs]) -> Result<Option<Ahead>, StoreError>;

    /// Ready jobs by what they need, at most `MAX_WAITING_SHOWN` classes. Costs time for each ready job: not for every request.
    async fn waiting_classes(&self) -> Result<Vec<WaitingClass>, StoreError>;

    /// Stand-alone jobs that wait, queue by queue, at most `MAX_WAITING_SHOWN` of these. Costs time for each job that waits.
    async fn waiting_queues(&self) -> Result<Vec<WaitingQueue>, StoreError>;
}
