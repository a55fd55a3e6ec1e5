//! The queue's jobs as a whole: what a database does with a batch.

use async_trait::async_trait;
use weevil_model::Timestamp;
use weevil_queue::{Batch, Depth, Outcomes};

use crate::StoreError;

/// The only writer of jobs. Each method is one transaction.
#[async_trait]
pub trait Batches: Send + Sync {
    /// Carries out a batch by the rules of `decide`. After an error the caller may try the same batch again.
    async fn apply(&self, batch: &Batch, now: Timestamp) -> Result<Outcomes, StoreError>;

    /// How many jobs wait and run. Costs time for each of them: not for the hot path.
    async fn depth(&self) -> Result<Depth, StoreError>;

    /// For a server that has just started: ends every lease, since nobody is connected, and the jobs that ended runs
    /// have left. Answers how many leases there were.
    async fn tidy_up(&self, now: Timestamp) -> Result<u64, StoreError>;
}
