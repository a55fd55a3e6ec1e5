//! Bytes that are known by their hash alone: what a database does with them.

use async_trait::async_trait;
use weevil_model::{ContentHash, ProjectId, Timestamp};

use crate::StoreError;

/// Bytes, and whether volunteers may be given them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    pub bytes: Vec<u8>,
    pub code: bool,
}

/// Each content once, however many workflows and jobs have it.
#[async_trait]
pub trait Blobs: Send + Sync {
    /// Keeps code that a project has without a workflow; bytes that are there are not stored again, and are code from now on.
    async fn keep_code(
        &self,
        project: ProjectId,
        code: &[u8],
        now: Timestamp,
    ) -> Result<ContentHash, StoreError>;

    /// The projects that have these bytes, as code or as a file of a workflow, the oldest first.
    async fn blob_projects(&self, hash: ContentHash) -> Result<Vec<ProjectId>, StoreError>;

    /// Lets jobs of this code that stand alone find the kernels of a workflow; answers what they are known by.
    async fn keep_kernels(
        &self,
        code: ContentHash,
        workflow: ContentHash,
        now: Timestamp,
    ) -> Result<ContentHash, StoreError>;

    /// The workflow whose kernels are known by this.
    async fn kernels_of(&self, set: ContentHash) -> Result<Option<ContentHash>, StoreError>;

    /// The bytes with this hash.
    async fn blob(&self, hash: ContentHash) -> Result<Option<Blob>, StoreError>;

    /// The same of code alone: other bytes take as long as those that are not there.
    async fn code(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError>;
}
