//! Browsers in which somebody is signed in: what a database does with them.

use async_trait::async_trait;
use weevil_model::{AccountId, SessionId, StoreError, Timestamp};

use super::{Account, Answer};
use crate::audit::AuditEntry;
use crate::{Halves, SecretHash, Session};

/// A browser in which somebody is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRecord {
    pub id: SessionId,
    pub account: AccountId,
    pub session: Session,
    /// When it is over however much it is used; its row goes some time later.
    pub ends_at: Timestamp,
    /// For its owner to know it by, like `place`.
    pub browser: String,
    pub place: String,
}

/// A session that is to be opened.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// The hash of its cookie.
    pub hash: SecretHash,
    pub record: SessionRecord,
}

/// A session, what it was found by, and whose it is, in one look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSession {
    pub record: SessionRecord,
    pub halves: Halves,
    pub account: Account,
}

/// New halves for a session.
#[derive(Debug, Clone, Copy)]
pub struct Rotation {
    pub session: SessionId,
    /// The hash of the cookie so far, which goes on for a while.
    pub from: SecretHash,
    pub to: SecretHash,
    pub at: Timestamp,
    /// Whether somebody has just proved in it who they are.
    pub proved: bool,
}

/// Sessions of people. Those of the caller `local` are in memory alone.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// Where an account has as many as it may, its oldest one ends. Declined: `NoSuchAccount`, also for one that is
    /// disabled.
    async fn open_session(&self, new: &NewSession, entry: &AuditEntry) -> Result<Answer<()>, StoreError>;

    /// By the hash of its cookie, or of the one before. Whether it still counts is for the caller to say.
    async fn session(&self, hash: SecretHash) -> Result<Option<FoundSession>, StoreError>;

    /// All sessions of an account, the oldest first.
    async fn sessions(&self, account: AccountId) -> Result<Vec<SessionRecord>, StoreError>;

    /// Sessions and when they were last used. One that is gone, or has been used later, stays as it is.
    async fn touch_sessions(&self, used: &[(SessionId, Timestamp)], now: Timestamp)
    -> Result<(), StoreError>;

    /// False where `from` is not its cookie any more: another request was faster. `entry` is for a rotation that somebody's
    /// sign-in asked for.
    async fn rotate_session(
        &self,
        rotation: &Rotation,
        entry: Option<&AuditEntry>,
    ) -> Result<bool, StoreError>;

    /// Declined: `NoSuchSession`, also for another account's.
    async fn end_session(
        &self,
        account: AccountId,
        id: SessionId,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError>;

    /// All of an account but `keep`. Answers how many.
    async fn end_sessions(
        &self,
        account: AccountId,
        keep: Option<SessionId>,
        entry: &AuditEntry,
    ) -> Result<u64, StoreError>;
}
