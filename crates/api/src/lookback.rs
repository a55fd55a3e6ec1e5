//! What was logged in a run, and who did what when.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::LaneView;

/// Answer to `GET /api/v1/runs/{id}/log`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LogPage {
    /// In the order in which the attempts ended.
    pub logs: Vec<LogView>,
    /// What to send as `after` for the next page; `null` where this is the last so far.
    pub next: Option<String>,
    /// What to send as `after` for what is logged later; `null` where nothing has been logged yet.
    pub end: Option<String>,
}

/// What an attempt has logged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LogView {
    pub job: String,
    /// Path of the node below its run.
    pub path: String,
    /// The number of the attempt.
    pub number: u32,
    pub worker: String,
    #[ts(type = "number")]
    pub ended_at: i64,
    /// `completed` or `error`, or as a later event has left it.
    pub end: Option<String>,
    /// Lines.
    pub log: String,
}

/// Answer to `GET /api/v1/runs/{id}/timeline`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TimelineView {
    /// From when it tells.
    #[ts(type = "number")]
    pub from: i64,
    /// Until when.
    #[ts(type = "number")]
    pub to: i64,
    /// In no order; `null` where there are more than 2,000 in this time, or too many of other runs beside them.
    pub attempts: Option<Vec<TimelineAttempt>>,
    /// A lane for each slot that has given values, and how busy it was over the whole run.
    pub lanes: Vec<LaneView>,
    /// How many of the other slots were busy, on average, over the whole run.
    pub rest: Vec<f64>,
    /// When the first share of a lane begins whose `first` is 0.
    #[ts(type = "number")]
    pub shares_from: i64,
    /// Milliseconds of a share.
    #[ts(type = "number")]
    pub share_ms: u64,
    /// What to send as `after` for the next lanes; `null` where these are the last.
    pub next: Option<String>,
}

/// An attempt as a bar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TimelineAttempt {
    pub job: String,
    /// Path of the node below its run.
    pub path: String,
    /// Which attempt of the job.
    pub number: u32,
    pub worker: String,
    /// `null` where its worker has not told it.
    pub slot: Option<u32>,
    /// `completed`, `error`, `expired`, `yielded`, `lost` or `cancelled`; `null` while it runs, like `to`.
    pub end: Option<String>,
    /// When it was handed out or, where its worker has told for how long it computed, when that began.
    #[ts(type = "number")]
    pub from: i64,
    #[ts(type = "number | null")]
    pub to: Option<i64>,
}
