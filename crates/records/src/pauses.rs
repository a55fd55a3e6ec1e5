//! Pauses, of one run or of everything: what a database does with them.

use async_trait::async_trait;
use weevil_model::{JobId, PauseWords, ProjectId, QueuePause, RunId, RunPause, Timestamp};
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
    /// Pauses, with what the person says, or resumes: `None`. Answers false of a run that is not there or has ended; otherwise it is so
    /// now, also where it was already: then a pause keeps its moment, and its words unless there is another note.
    async fn pause(
        &self,
        scope: Scope,
        paused: Option<&PauseWords>,
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// The pause of the whole queue, where there is one.
    async fn queue_pause(&self) -> Result<Option<QueuePause>, StoreError>;

    /// The pause of a run; `None` where it goes on, has ended or is not there.
    async fn run_pause(&self, run: RunId) -> Result<Option<RunPause>, StoreError>;

    /// The newest of the codes that are stopped, in one project or in all.
    async fn stopped_codes(
        &self,
        project: Option<ProjectId>,
        most: u32,
    ) -> Result<Vec<StoppedSince>, StoreError>;
}
