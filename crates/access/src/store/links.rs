//! Links that are good once: what a database does with them.

use async_trait::async_trait;
use weevil_model::{AccountId, ProjectId, Role, StoreError, Timestamp};

use super::{Account, Answer, NewAccount, PasswordText};
use crate::SecretHash;
use crate::audit::{Actor, AuditEntry};

/// What a link is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkFor {
    /// Makes the first account that administers the server.
    FirstAdmin,
    /// Makes an account, perhaps one that belongs to a project.
    Invite { admin: bool, into: Option<(ProjectId, Role)> },
    /// Sets the password of an account.
    Reset { account: AccountId },
}

/// A link that is to be made.
#[derive(Debug, Clone, Copy)]
pub struct NewLink {
    pub hash: SecretHash,
    pub link: Link,
}

/// A link that nobody has used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    pub made_by: Actor,
    pub good_for: LinkFor,
    pub made_at: Timestamp,
    pub expires_at: Timestamp,
}

/// Each is used once, in the transaction of what it is used for: a server that is killed has done both or neither.
#[async_trait]
pub trait Links: Send + Sync {
    /// A link for a first admin, or to set a password, makes earlier ones of its kind, and for the same account, void.
    /// Declined: `AdminThere`, `NoSuchAccount`, `NoSuchProject`, `TooMany` invitations.
    async fn make_link(&self, new: &NewLink, entry: &AuditEntry) -> Result<Answer<()>, StoreError>;

    /// What it is good for, while nobody has used it and it has not expired.
    async fn link(&self, hash: SecretHash, now: Timestamp) -> Result<Option<Link>, StoreError>;

    /// Makes an account by an invitation or by a first admin's link, which says whether it administers the server, whatever
    /// `account` says. Declined: `BadLink`, `NameTaken`, `AdminThere`, `TooMany` members; with a
    /// name that is taken, and while the project is full, the link stays good.
    async fn accept_link(
        &self,
        hash: SecretHash,
        account: &NewAccount,
        entry: &AuditEntry,
    ) -> Result<Answer<Account>, StoreError>;

    /// Sets a password by a link made for that, and ends all sessions of its account. Declined: `BadLink`.
    async fn reset_password(
        &self,
        hash: SecretHash,
        password: &PasswordText,
        entry: &AuditEntry,
    ) -> Result<Answer<AccountId>, StoreError>;
}
