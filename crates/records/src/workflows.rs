//! Workflows, by hash and by name: what a database does with them.

use async_trait::async_trait;
use weevil_model::{ContentHash, Timestamp};

use crate::run::{FinalNode, ListedWorkflow, StoredWorkflow};
use crate::{NamedVersion, StoreError, VersionMark};

/// Workflows are immutable and stay.
#[async_trait]
pub trait Workflows: Send + Sync {
    /// Keeps a workflow under its name; files that any workflow has already are not stored again.
    async fn keep_workflow(&self, workflow: &StoredWorkflow, now: Timestamp) -> Result<(), StoreError>;

    /// By the first name it had.
    async fn workflow(&self, hash: ContentHash) -> Result<Option<StoredWorkflow>, StoreError>;

    /// The same, without reading any file.
    async fn workflow_files(&self, hash: ContentHash) -> Result<Option<ListedWorkflow>, StoreError>;

    /// Keeps what the document of a workflow tells, which an earlier release had not kept.
    async fn keep_final_node(
        &self,
        hash: ContentHash,
        node: &FinalNode,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// At most `most` versions, the newest first, behind the one where the page before has ended.
    async fn workflows(
        &self,
        after: Option<&VersionMark>,
        most: u32,
    ) -> Result<Vec<NamedVersion>, StoreError>;
}
