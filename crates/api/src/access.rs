//! Bodies of signing in.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A link that opens the console, good once.
#[expect(missing_debug_implementations, reason = "a secret is never printed")]
#[derive(Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ConsoleLink {
    /// What stands behind `#link=` in its address.
    pub link: String,
    /// Until when somebody may open it.
    #[ts(type = "number")]
    pub expires_at: i64,
}

/// Asks for a session.
#[expect(missing_debug_implementations, reason = "a secret is never printed")]
#[derive(Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SessionAsked {
    /// The text of a [`ConsoleLink`].
    pub link: String,
}

/// A session is open; its other half is a cookie that no script reads.
#[expect(missing_debug_implementations, reason = "a secret is never printed")]
#[derive(Clone, Serialize, Deserialize, TS)]
pub struct SessionOpened {
    /// What every request that relies on the cookie sends as `x-weevil-session-key`.
    pub key: String,
}

/// Signs somebody in.
#[expect(missing_debug_implementations, reason = "a secret is never printed")]
#[derive(Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SignInAsked {
    /// The account's, in whatever case.
    pub name: String,
    pub password: String,
}

/// Proves again who somebody is, or sets another password.
#[expect(missing_debug_implementations, reason = "a secret is never printed")]
#[derive(Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct PasswordAsked {
    pub password: String,
}

/// What a link is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum LinkUse {
    /// Makes the first account that administers the server.
    FirstAdmin,
    /// Makes an account.
    Invite,
    /// Sets a new password.
    Reset,
}

/// A link that nobody has used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LinkView {
    pub kind: LinkUse,
    /// Whose password it sets.
    pub name: Option<String>,
    #[ts(type = "number")]
    pub expires_at: i64,
}

/// Makes an account by a link.
#[expect(missing_debug_implementations, reason = "a secret is never printed")]
#[derive(Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct AcceptAsked {
    pub link: String,
    /// 3 to 64 of `a-z 0-9 . _ - @`.
    pub name: String,
    /// What others read, up to 100 characters.
    pub display: String,
    /// 12 to 256 characters.
    pub password: String,
}

/// Sets a new password by a link.
#[expect(missing_debug_implementations, reason = "a secret is never printed")]
#[derive(Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ResetAsked {
    pub link: String,
    pub password: String,
}
