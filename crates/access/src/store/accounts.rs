//! Accounts, from the first admin to the day somebody is forgotten: what a database does with them.

use std::fmt;

use async_trait::async_trait;
use weevil_model::{AccountId, SessionId, StoreError, Timestamp};

use super::Answer;
use crate::audit::AuditEntry;
use crate::{AccountName, Title};

/// Somebody who may sign in, or might once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: AccountId,
    /// In small letters; empty once the account is removed.
    pub name: String,
    /// What others read; empty once the account is removed.
    pub display: String,
    /// Whether it administers the server.
    pub admin: bool,
    pub created_at: Timestamp,
    pub state: AccountState,
}

/// Whether somebody can sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountState {
    Active,
    /// Its name stays in runs and audit.
    Disabled {
        at: Timestamp,
    },
    /// Only the id is left.
    Removed {
        at: Timestamp,
    },
}

/// A password's hash with its salt and costs, as PHC text. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordText(pub String);

impl fmt::Debug for PasswordText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordText(..)")
    }
}

/// An account that is to be made.
#[derive(Debug, Clone)]
pub struct NewAccount {
    pub id: AccountId,
    pub name: AccountName,
    pub display: Title,
    pub admin: bool,
    /// `None`: nobody can sign in with a password yet.
    pub password: Option<PasswordText>,
}

/// An account and what proves that somebody is its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    pub account: Account,
    pub password: Option<PasswordText>,
}

/// People who may sign in. A server that has had an admin is never left without one.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Declined: `NameTaken`.
    async fn add_account(&self, account: &NewAccount, entry: &AuditEntry) -> Result<Answer<()>, StoreError>;

    /// The account with this id, also once it is removed.
    async fn account(&self, id: AccountId) -> Result<Option<Account>, StoreError>;

    /// By its name, which knows no capital letters.
    async fn credentials(&self, name: &AccountName) -> Result<Option<Credentials>, StoreError>;

    /// At most `most` accounts that are not removed, after this one, the oldest first: all, or those that are `disabled`
    /// or not.
    async fn accounts(
        &self,
        disabled: Option<bool>,
        after: Option<AccountId>,
        most: u32,
    ) -> Result<Vec<Account>, StoreError>;

    /// Whether somebody who can sign in administers the server.
    async fn has_admin(&self) -> Result<bool, StoreError>;

    /// Also ends its sessions and revokes its tokens. Declined: `NoSuchAccount`, `LastAdmin`.
    async fn disable_account(&self, id: AccountId, entry: &AuditEntry) -> Result<Answer<()>, StoreError>;

    /// Declined: `NoSuchAccount`.
    async fn enable_account(&self, id: AccountId, entry: &AuditEntry) -> Result<Answer<()>, StoreError>;

    /// Makes it administer the server, or no longer. Declined: `NoSuchAccount`, `LastAdmin`.
    async fn set_admin(
        &self,
        id: AccountId,
        admin: bool,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError>;

    /// Forgets names, places and ways to sign in; the id stays. The audit keeps its rows. Declined: `NoSuchAccount`, `LastAdmin`.
    async fn remove_account(&self, id: AccountId, entry: &AuditEntry) -> Result<Answer<()>, StoreError>;

    /// Also ends its sessions but for `keep`. Declined: `NoSuchAccount`.
    async fn set_password(
        &self,
        id: AccountId,
        password: &PasswordText,
        keep: Option<SessionId>,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError>;

    /// The same password, hashed anew with higher costs. Nothing else changes, and nothing is written down.
    async fn rehash_password(
        &self,
        id: AccountId,
        password: &PasswordText,
        now: Timestamp,
    ) -> Result<(), StoreError>;
}
