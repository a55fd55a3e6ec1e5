//! What volunteers are told of the runs that they compute for.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Answer to `GET /api/v1/aims/{workflow}`: all runs of a workflow that go on, taken together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct AimView {
    /// The name of the newest of them.
    pub name: String,
    /// Who asks, in at most 100 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub project: Option<String>,
    /// What it is for, in at most 300 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub question: Option<String>,
    /// Where there is more: an address that begins with `http://` or `https://`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub link: Option<String>,
    /// Jobs that have ended with a value.
    #[ts(type = "number")]
    pub done: u64,
    /// Jobs that are known: it grows when a pool learns how many elements it has.
    #[ts(type = "number")]
    pub total: u64,
}
