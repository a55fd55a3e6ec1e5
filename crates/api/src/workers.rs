//! The workers that are connected.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::DeviceRank;

/// Who is connected; renewed once a second.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Fleet {
    pub workers: Vec<WorkerView>,
    pub slots: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WorkerView {
    pub id: String,
    pub agent: String,
    /// Short name of its device, where it has proved which one it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub device: Option<String>,
    pub slots: u32,
    pub in_flight: u32,
    /// Attempts that ended with a report, value or error.
    pub done: u32,
    #[ts(type = "number")]
    pub connected_at: i64,
    /// How much its answers count; left out for a newcomer.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    #[ts(optional, as = "Option<DeviceRank>")]
    pub rank: DeviceRank,
    /// Until when it gets no judged jobs; left out where it does not rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub rests_until: Option<i64>,
}
