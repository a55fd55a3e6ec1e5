//! What a database must do for accounts and their audit, all of it together; a trait for each noun stands in `store/`.
//! Implementations live in `weevil-store`.
//!
//! A method that changes something also takes what the audit is to say of it, and writes both in one transaction.
//! Where it declines nothing has changed, the audit included.

mod accounts;
mod audit_log;
mod links;
mod projects;
mod sessions;
mod tokens;

use async_trait::async_trait;
use weevil_model::{StoreError, Timestamp};

use crate::{CertificateKey, ServerSecret};

pub use accounts::{Account, AccountState, Accounts, Credentials, NewAccount, PasswordText};
pub use audit_log::{AuditLog, AuditQuery};
pub use links::{Link, LinkFor, Links, NewLink};
pub use projects::{Member, Membership, NewProject, Project, Projects};
pub use sessions::{FoundSession, NewSession, Rotation, SessionRecord, Sessions};
pub use tokens::{NewToken, Token, Tokens};

/// Why a rule says no. The database is well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Declined {
    #[error("there is no such account")]
    NoSuchAccount,
    /// That of an account, or of a project.
    #[error("this name is taken")]
    NameTaken,
    #[error("this is the last account that administers the server")]
    LastAdmin,
    #[error("the server has an administrator already")]
    AdminThere,
    /// Unknown, used or expired: nobody is told which.
    #[error("this link is used, expired or unknown")]
    BadLink,
    #[error("there is no such project")]
    NoSuchProject,
    #[error("there is no such session")]
    NoSuchSession,
    #[error("there is no such token")]
    NoSuchToken,
    #[error("{most} {what} are there already, which is the most there may be")]
    TooMany { what: &'static str, most: u32 },
}

/// What a database answers that is well: done, or declined.
pub type Answer<T> = Result<T, Declined>;

/// Everything about accounts: each method of these traits is one transaction. When it returns, its effects survive
/// SIGKILL and power loss.
pub trait AccessStore:
    ServerSecrets + Accounts + Sessions + Links + Tokens + Projects + AuditLog + Expired
{
}

impl<T: ServerSecrets + Accounts + Sessions + Links + Tokens + Projects + AuditLog + Expired> AccessStore
    for T
{
}

/// What the server itself knows and nobody else, shared by all servers of a database.
#[async_trait]
pub trait ServerSecrets: Send + Sync {
    /// The secret; where there is none yet, `fresh` becomes it. It never changes.
    async fn server_secret(&self, fresh: ServerSecret, now: Timestamp) -> Result<ServerSecret, StoreError>;

    /// The same for what certificates are signed with.
    async fn certificate_key(
        &self,
        fresh: CertificateKey,
        now: Timestamp,
    ) -> Result<CertificateKey, StoreError>;
}

/// What is over by itself, removed piece by piece.
#[async_trait]
pub trait Expired: Send + Sync {
    /// Removes at most `most` each of the sessions, links and tokens whose time was over before `before`. Answers how many
    /// there were; 0: nothing is left that old.
    async fn forget_expired(&self, before: Timestamp, most: u32, now: Timestamp) -> Result<u64, StoreError>;
}
