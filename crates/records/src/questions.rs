//! What modules of workflows are to be asked about answers. Never asks one.

use async_trait::async_trait;
use weevil_model::{ContentHash, Encoded, JobId, ProjectId};

use crate::StoreError;

/// Reads of what waits for a module's word; a batch brings it (`weevil_queue::Opinion`).
#[async_trait]
pub trait Questions: Send + Sync {
    /// At most `most` questions of the next project behind this one that has any, the oldest jobs first.
    async fn questions(&self, after: Option<ProjectId>, most: u32) -> Result<Vec<QuestionKey>, StoreError>;

    /// What is asked. `None` where its job has ended, or nobody has said this any more.
    async fn question(&self, key: &QuestionKey) -> Result<Option<Question>, StoreError>;

    /// What an answer of a job that is open has said.
    async fn answer_value(&self, job: JobId, digest: ContentHash) -> Result<Option<Encoded>, StoreError>;
}

/// A value of which a module is to say something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct QuestionKey {
    pub project: ProjectId,
    pub job: JobId,
    pub digest: ContentHash,
}

/// What is asked about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub path: String,
    /// That of code and input.
    pub fingerprint: i64,
    /// Whether it is right: the module, and the job's arguments.
    pub proof: Option<(ContentHash, Encoded)>,
    /// Which of the others agree with it: the module.
    pub comparator: Option<ContentHash>,
    pub value: Encoded,
    /// Digests of what else was said of the job.
    pub others: Vec<ContentHash>,
}
