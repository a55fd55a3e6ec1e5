//! What a run computed, over time.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Answer to `GET /api/v1/runs/{id}/profile`: a column for each figure, with a number for each bin, oldest first. Bins begin at whole
/// multiples of their width since 1970, and double their width when there would be more than 512.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ProfileView {
    /// When the first bin begins.
    #[ts(type = "number")]
    pub from: i64,
    /// Milliseconds of a bin.
    #[ts(type = "number")]
    pub width_ms: u64,
    /// Jobs that ended with a value.
    pub jobs: Vec<u32>,
    /// Attempts that ended without one.
    pub errors: Vec<u32>,
    /// Millions of counted floating-point operations a second.
    pub mflops: Vec<f64>,
    /// Slots that were busy, on average.
    pub busy: Vec<f64>,
    /// The first 256 slots, in the order in which their workers connected.
    pub lanes: Vec<LaneView>,
    /// Slots beyond those that were busy, on average in each pair of bins; left out where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<f64>>")]
    pub rest: Vec<f64>,
}

/// What one slot did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LaneView {
    pub worker: String,
    pub slot: u32,
    /// Its first hand-out.
    #[ts(type = "number")]
    pub began: i64,
    /// Its last result.
    #[ts(type = "number")]
    pub ended: i64,
    /// Which pair of bins the first share stands for, from 0.
    pub first: u32,
    /// How busy it was in each pair of bins from there on: 0 not at all, 255 all the time.
    pub shares: Vec<u8>,
}
