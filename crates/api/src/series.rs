//! How the server fares over time.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Answer to `GET /api/v1/series`: a column for each figure, with a number for each sample, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SeriesView {
    /// `10m`, `2h` or `7d`.
    pub span: String,
    /// Milliseconds between two samples.
    #[ts(type = "number")]
    pub every_ms: u64,
    /// When the server started: there is nothing from before.
    #[ts(type = "number")]
    pub since: i64,
    /// When each sample was taken.
    #[ts(type = "number[]")]
    pub at: Vec<i64>,
    /// Jobs that ended with a value since the sample before.
    #[ts(type = "number[]")]
    pub jobs: Vec<u64>,
    /// Attempts that ended with a report, or ran out of time, since the sample before.
    #[ts(type = "number[]")]
    pub attempts: Vec<u64>,
    /// Those of them without a value.
    #[ts(type = "number[]")]
    pub errors: Vec<u64>,
    /// Millions of counted floating-point operations a second since the sample before.
    pub mflops: Vec<f64>,
    /// Connected workers, on average.
    pub workers: Vec<f64>,
    /// Their slots, on average.
    pub slots: Vec<f64>,
    /// Attempts that they hold, as far as they have slots for them, on average.
    pub busy: Vec<f64>,
    /// Jobs that wait for a worker, are delayed or held, on average.
    pub waiting: Vec<f64>,
    /// Attempts that are out, on average.
    pub leased: Vec<f64>,
}
