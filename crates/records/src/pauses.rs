//! Pauses, of one run or of everything: what a database does with them.

use async_trait::async_trait;
use weevil_model::{JobId, ProjectId, Timestamp};
use weevil_queue::QueueCode;

use crate::StoreError;
use crate::run::Scope;

/// A code of which nothing is handed out in a queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoppedSince {
    pub code: QueueCode,
    /// One of its jobs that have failed, which may be forgotten by now.
    pub example: JobId,
    pub since: Timestamp,
}

/// What is paused stays so over a restart.
#[async_trait]
pub trait Pauses: Send + Sync {
    /// Pauses or resumes. Answers false of a run that is not there or has ended; otherwise it is so now, also where it was
    /// already.
    async fn pause(&self, scope: Scope, paused: bool, now: Timestamp) -> Result<bool, StoreError>;

    /// Since when the whole queue is paused.
    async fn paused_since(&self) -> Result<Option<Timestamp>, StoreError>;

    /// The newest of the codes that are stopped, in one project or in all.
    async fn stopped_codes(
        &self,
        project: Option<ProjectId>,
        most: u32,
    ) -> Result<Vec<StoppedSince>, StoreError>;
}
