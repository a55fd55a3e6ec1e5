//! Bodies of tokens, and of letting a program in from a browser.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A program's way in, without what opens it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TokenView {
    pub id: String,
    /// For its owner to know it by.
    pub name: String,
    /// Rights by their words: what it is for, where its owner has them.
    pub scopes: Vec<String>,
    /// The one project that it is for; null: all of its owner's.
    pub project: Option<String>,
    #[ts(type = "number")]
    pub created_at: i64,
    #[ts(type = "number")]
    pub expires_at: i64,
    /// To the minute.
    #[ts(type = "number | null")]
    pub used_at: Option<i64>,
    #[ts(type = "number | null")]
    pub revoked_at: Option<i64>,
}

/// A page of an account's tokens, the oldest first, also of those that are over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TokenList {
    pub tokens: Vec<TokenView>,
    /// What `after` says to get the next page.
    pub next: Option<String>,
}

/// Asks for a token.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TokenAsked {
    /// 1 to 100 characters.
    pub name: String,
    /// One at least, like `runs:read`.
    pub scopes: Vec<String>,
    /// The one project that it is for.
    #[serde(default)]
    #[ts(optional)]
    pub project: Option<String>,
    /// 1 to 366; 90 where it is left out.
    #[serde(default)]
    #[ts(optional)]
    pub days: Option<u32>,
    /// Whose token it is to be, from the owner of the server's machine; everybody else makes their own.
    #[serde(default)]
    #[ts(optional)]
    pub account: Option<String>,
}

/// A token that was made.
#[expect(missing_debug_implementations, reason = "a secret is never printed")]
#[derive(Clone, Serialize, Deserialize, TS)]
pub struct TokenMade {
    pub token: TokenView,
    /// What `Authorization: Bearer` brings. It is told once.
    pub secret: String,
}

/// A program wants to be let in.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct LoginAsked {
    /// What whoever approves sees of it, and the name of its token: 1 to 100 characters.
    pub name: String,
}

/// A program waits to be let in.
#[expect(missing_debug_implementations, reason = "a secret is never printed")]
#[derive(Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LoginBegun {
    /// What the program asks with; nobody else may know it.
    pub login: String,
    /// What it shows to its user.
    pub code: String,
    /// Where somebody who is signed in approves the code.
    pub address: String,
    #[ts(type = "number")]
    pub expires_at: i64,
    /// Milliseconds between two questions at least.
    #[ts(type = "number")]
    pub ask_ms: i64,
}

/// The program asks whether it is let in.
#[expect(missing_debug_implementations, reason = "a secret is never printed")]
#[derive(Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct LoginPoll {
    /// The text of a [`LoginBegun`].
    pub login: String,
}

/// How a login stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum LoginState {
    /// Nobody has decided.
    Waiting,
    /// It was asked too soon.
    TooSoon,
    /// Somebody let the program in: here is its token, once.
    Approved,
    /// Somebody said no, its time is over, or it has had its answer.
    Over,
}

/// What the program is told.
#[expect(missing_debug_implementations, reason = "a secret is never printed")]
#[derive(Clone, Serialize, Deserialize, TS)]
pub struct LoginAnswered {
    pub state: LoginState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub token: Option<TokenMade>,
}

/// A program that waits, as whoever is to approve it sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LoginView {
    /// What it calls itself.
    pub name: String,
    /// From where it asks: an IPv4 address, or an IPv6 /64.
    pub place: String,
    #[ts(type = "number")]
    pub since: i64,
}

/// What somebody who is signed in says to it.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct LoginDecision {
    pub approve: bool,
    /// As those of a token; of no use where it is not let in.
    #[serde(default)]
    pub scopes: Vec<String>,
    #[serde(default)]
    #[ts(optional)]
    pub project: Option<String>,
    #[serde(default)]
    #[ts(optional)]
    pub days: Option<u32>,
}
