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
