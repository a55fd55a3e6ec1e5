//! What people see of themselves: account, rights, the browsers in which they are signed in.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{AccountView, TokenView};

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum CallerKind {
    /// The owner of the server's machine.
    Local,
    /// Somebody who is signed in.
    Account,
    /// A program with a token.
    Token,
}

/// Whoever asks, and what they may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Me {
    pub kind: CallerKind,
    /// Null for the owner of the server's machine.
    pub account: Option<AccountView>,
    /// Whether what asks for a fresh proof would be done.
    pub fresh: bool,
    /// The session in which it is asked.
    pub session: Option<String>,
    /// The token with which it is asked.
    pub token: Option<TokenView>,
    pub memberships: Vec<MembershipView>,
    /// Rights in one project at least, as their words.
    pub rights: Vec<String>,
}

/// What somebody is in a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MembershipView {
    /// Its name in addresses.
    pub project: String,
    /// Its name for people.
    pub name: String,
    pub role: String,
}

/// A browser in which somebody is signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    pub id: String,
    /// As far as it tells.
    pub browser: String,
    /// From where it was opened: an IPv4 address, or an IPv6 /64.
    pub place: String,
    #[ts(type = "number")]
    pub opened_at: i64,
    /// To the minute.
    #[ts(type = "number")]
    pub used_at: i64,
    /// Whether it is the one in which this is asked.
    pub current: bool,
}

/// All sessions of an account, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SessionList {
    pub sessions: Vec<SessionView>,
}

/// How many sessions have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SessionsEnded {
    #[ts(type = "number")]
    pub ended: u64,
}
