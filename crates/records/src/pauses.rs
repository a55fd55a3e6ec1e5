//! Pauses, of one run or of everything: what a database does with them.

use async_trait::async_trait;
use weevil_model::Timestamp;

use crate::StoreError;
use crate::run::Scope;

/// What is paused stays so over a restart.
#[async_trait]
pub trait Pauses: Send + Sync {
    /// Pauses or resumes. Answers false of a run that is not there or has ended; otherwise it is so now, also where it was
    /// already.
    async fn pause(&self, scope: Scope, paused: bool, now: Timestamp) -> Result<bool, StoreError>;

    /// Since when the whole queue is paused.
    async fn paused_since(&self) -> Result<Option<Timestamp>, StoreError>;
}
