//! Workflows, by hash and by name: what a database does with them.

use async_trait::async_trait;
use weevil_model::{ContentHash, ProjectId, Timestamp};

use crate::run::{FinalNode, ListedWorkflow, StoredWorkflow};
use crate::{NamedVersion, StoreError, VersionMark};

/// What became of a workflow that was to be taken out of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    Removed,
    /// The project does not have it.
    NotThere,
    /// A run of it is kept in the project.
    InUse,
}

/// Workflows are immutable and stay. One is in a project where it has a name there.
#[async_trait]
pub trait Workflows: Send + Sync {
    /// Keeps a workflow under its name in a project; files that any workflow has already are not stored again.
    async fn keep_workflow(
        &self,
        project: ProjectId,
        workflow: &StoredWorkflow,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// The projects that have a workflow, the oldest first.
    async fn workflow_projects(&self, hash: ContentHash) -> Result<Vec<ProjectId>, StoreError>;

    /// The first name that a project gave a workflow; `None` where it does not have it.
    async fn workflow_name(
        &self,
        project: ProjectId,
        hash: ContentHash,
    ) -> Result<Option<String>, StoreError>;

    /// By the first name that it had in any project.
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

    /// At most `most` versions of a project, or of all, the newest first, behind the one where the page before has ended.
    async fn workflows(
        &self,
        project: Option<ProjectId>,
        after: Option<&VersionMark>,
        most: u32,
    ) -> Result<Vec<NamedVersion>, StoreError>;
}
