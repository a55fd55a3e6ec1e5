//! The audit, as those who may read it see it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Who did what to what, when, from where, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct AuditRowView {
    pub id: String,
    #[ts(type = "number")]
    pub at: i64,
    /// The id of an account or of a token, `local`, `system` or `nobody`.
    pub actor: String,
    /// As `account.disabled`.
    pub action: String,
    /// The id of what it was done to.
    pub subject: Option<String>,
    /// The project's id.
    pub project: Option<String>,
    /// An IPv4 address or an IPv6 /64.
    pub place: Option<String>,
    /// `done`, `refused` or `failed`.
    pub outcome: String,
    /// JSON, as it is in the chain.
    pub details: Option<String>,
    /// The hash of the row before.
    pub previous: String,
    /// SHA-256 of all of the above.
    pub hash: String,
}

/// A page of the audit, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AuditPage {
    pub rows: Vec<AuditRowView>,
    /// The `after` of the next page; null at the end.
    pub next: Option<String>,
}
