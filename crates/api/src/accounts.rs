//! Accounts, as those who look after them see them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whether somebody can sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum AccountState {
    Active,
    /// Its name stays in runs and in the audit.
    Disabled,
    /// Only the id is left.
    Removed,
}

/// Somebody who may sign in, or might once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct AccountView {
    pub id: String,
    /// In small letters; empty once the account is removed.
    pub name: String,
    /// What others read; empty once the account is removed.
    pub display: String,
    /// Whether it administers the server.
    pub admin: bool,
    pub state: AccountState,
    #[ts(type = "number")]
    pub created_at: i64,
    /// Since when it is disabled or removed.
    #[ts(type = "number | null")]
    pub state_at: Option<i64>,
}
