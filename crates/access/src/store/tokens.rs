//! Programs' ways in: what a database does with them.

use async_trait::async_trait;
use weevil_model::{AccountId, ProjectId, StoreError, Timestamp, TokenId};

use super::{Account, Answer};
use crate::audit::AuditEntry;
use crate::{Scopes, SecretHash};

/// A program's way in. It may never do more than its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub id: TokenId,
    /// For its owner to know it by.
    pub name: String,
    pub owner: AccountId,
    pub scopes: Scopes,
    /// `None`: all of its owner's.
    pub project: Option<ProjectId>,
    pub made_at: Timestamp,
    pub expires_at: Timestamp,
    /// To the minute.
    pub used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

/// A token that is to be made.
#[derive(Debug, Clone)]
pub struct NewToken {
    pub hash: SecretHash,
    pub token: Token,
}

/// Tokens, also those that are over: whoever uses one is told why it is refused.
#[async_trait]
pub trait Tokens: Send + Sync {
    /// Declined: `NoSuchAccount`, `TooMany` that are live.
    async fn make_token(&self, new: &NewToken, entry: &AuditEntry) -> Result<Answer<()>, StoreError>;

    /// By the hash of its text, with its owner.
    async fn token(&self, hash: SecretHash) -> Result<Option<(Token, Account)>, StoreError>;

    /// At most `most`, after this one, the oldest first: of one account, or of all.
    async fn tokens(
        &self,
        owner: Option<AccountId>,
        after: Option<TokenId>,
        most: u32,
    ) -> Result<Vec<Token>, StoreError>;

    /// At most `most` that are for this project alone, with their owners, after this one, the oldest first.
    async fn project_tokens(
        &self,
        project: ProjectId,
        after: Option<TokenId>,
        most: u32,
    ) -> Result<Vec<(Token, Account)>, StoreError>;

    /// Declined: `NoSuchToken`, also of one that is not `owner`'s where an owner is named. What is revoked stays so.
    async fn revoke_token(
        &self,
        id: TokenId,
        owner: Option<AccountId>,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError>;

    /// Declined: `NoSuchToken`, also of one that is not for this project alone.
    async fn revoke_project_token(
        &self,
        id: TokenId,
        project: ProjectId,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError>;

    /// Tokens and when they were last used, of which the minute is kept.
    async fn touch_tokens(&self, used: &[(TokenId, Timestamp)], now: Timestamp) -> Result<(), StoreError>;
}
