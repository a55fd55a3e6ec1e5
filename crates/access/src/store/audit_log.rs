//! The audit's rows: what a database does with them.

use async_trait::async_trait;
use weevil_model::{AuditId, ProjectId, StoreError, Timestamp};

use crate::audit::{Action, Actor, AuditEntry, AuditRow};

/// Which rows somebody wants to see: those that fit all that is named.
#[derive(Debug, Clone, Copy, Default)]
pub struct AuditQuery {
    pub actor: Option<Actor>,
    pub action: Option<Action>,
    pub project: Option<ProjectId>,
    /// The first moment.
    pub from: Option<Timestamp>,
    /// The first moment no more.
    pub to: Option<Timestamp>,
}

/// Appended to and trimmed at its beginning; no row is ever changed.
#[async_trait]
pub trait AuditLog: Send + Sync {
    /// For what changes nothing else in the database.
    async fn append_audit(&self, entries: &[AuditEntry], now: Timestamp) -> Result<(), StoreError>;

    /// At most `most` rows before this one, the newest first.
    async fn audit_page(
        &self,
        query: &AuditQuery,
        before: Option<AuditId>,
        most: u32,
    ) -> Result<Vec<AuditRow>, StoreError>;

    /// Removes at most `most` rows from before this moment, the oldest first, and keeps the last one's hash. Answers how
    /// many; 0: nothing is left that old.
    async fn trim_audit(&self, before: Timestamp, most: u32, now: Timestamp) -> Result<u64, StoreError>;
}
