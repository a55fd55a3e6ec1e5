//! Accounts, as those who look after them see them, and the links that they make.

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
    /// Whether a thousand sign-ins as it have failed here within a day.
    pub under_attack: bool,
}

/// A page of accounts, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AccountPage {
    pub accounts: Vec<AccountView>,
    /// The `after` of the next page; null at the end.
    pub next: Option<String>,
}

/// Asks for an invitation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct InviteAsked {
    /// Whether who accepts it administers the server.
    #[serde(default)]
    pub admin: bool,
    /// How long it is good: 1 to 720; a week unless it is given.
    #[serde(default)]
    pub hours: Option<u32>,
    /// The project that who accepts it belongs to, by its name in addresses; none unless it is given.
    #[serde(default)]
    pub project: Option<String>,
    /// The role there, as its word: goes with a project.
    #[serde(default)]
    pub role: Option<String>,
}

/// A link that is good once; this is the only time that it is told.
#[expect(missing_debug_implementations, reason = "a secret is never printed")]
#[derive(Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LinkMade {
    /// What stands behind `#link=` in its address.
    pub link: String,
    /// What a browser opens.
    pub address: String,
    /// Until when somebody may use it.
    #[ts(type = "number")]
    pub expires_at: i64,
}

/// Says whether an account administers the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RoleAsked {
    pub admin: bool,
}
