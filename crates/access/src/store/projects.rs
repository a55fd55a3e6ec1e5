//! Projects and who belongs to them: what a database does with them.

use async_trait::async_trait;
use weevil_model::{AccountId, ProjectId, Role, StoreError, Timestamp};

use super::{Account, Answer};
use crate::audit::AuditEntry;
use crate::{ProjectSlug, Quotas, Title, Usage};

/// A room with walls. Its number is given by the database, from 1 on without gaps; the first is `default`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    pub id: ProjectId,
    pub slug: String,
    /// How people are shown it.
    pub name: String,
    /// 0 for the first one, which every database has.
    pub created_at: Timestamp,
    /// Since when it takes nothing new.
    pub archived_at: Option<Timestamp>,
    pub quotas: Quotas,
    /// Jobs that may be put in within a minute; 0 is no bound.
    pub jobs_a_minute: u64,
}

/// A project that is to be made.
#[derive(Debug, Clone)]
pub struct NewProject {
    pub slug: ProjectSlug,
    pub name: Title,
    pub quotas: Quotas,
    pub jobs_a_minute: u64,
}

/// Somebody who belongs to a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub account: Account,
    pub role: Role,
    pub since: Timestamp,
}

/// A project that somebody belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    pub project: Project,
    pub role: Role,
}

/// Projects are made and archived, never removed: runs and the audit name them.
#[async_trait]
pub trait Projects: Send + Sync {
    /// Declined: `NameTaken`, `TooMany`.
    async fn add_project(
        &self,
        new: &NewProject,
        entry: &AuditEntry,
    ) -> Result<Answer<ProjectId>, StoreError>;

    async fn project(&self, slug: &ProjectSlug) -> Result<Option<Project>, StoreError>;

    /// At most `most` projects, after this one, the oldest first.
    async fn projects(&self, after: Option<ProjectId>, most: u32) -> Result<Vec<Project>, StoreError>;

    /// Gives it another name for people. Declined: `NoSuchProject`, like the next two. What changes nothing is not told.
    async fn change_project(
        &self,
        id: ProjectId,
        name: &Title,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError>;

    /// What it may use from now on.
    async fn set_quotas(
        &self,
        id: ProjectId,
        quotas: Quotas,
        jobs_a_minute: u64,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError>;

    /// From now on it takes nothing new, or does again.
    async fn archive_project(
        &self,
        id: ProjectId,
        archived: bool,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError>;

    /// What a project has, as the last commit has left it. Nothing for one that is not there.
    async fn usage(&self, project: ProjectId) -> Result<Usage, StoreError>;

    /// At most `most` members of a project, after this account, the oldest account first.
    async fn members(
        &self,
        project: ProjectId,
        after: Option<AccountId>,
        most: u32,
    ) -> Result<Vec<Member>, StoreError>;

    /// Every project that an account belongs to, the oldest first.
    async fn memberships(&self, account: AccountId) -> Result<Vec<Membership>, StoreError>;

    /// Makes somebody a member, or gives a member another role. Declined: `NoSuchProject`, `NoSuchAccount`, `TooMany`.
    async fn set_member(
        &self,
        project: ProjectId,
        account: AccountId,
        role: Role,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError>;

    /// Declined: `NoSuchAccount`, also for one that is no member.
    async fn remove_member(
        &self,
        project: ProjectId,
        account: AccountId,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError>;
}
