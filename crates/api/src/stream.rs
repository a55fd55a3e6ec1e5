//! What the frames of `GET /api/v1/events?topics=..` say: one kind for each topic, bounded, and made once for everybody.
//!
//! Numbers are always as they stand, never what was added, so that a frame may come twice.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Progress, RunStats, RunSummary};

/// What the topic `overview` tells.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OverviewFrame {
    /// A snapshot: what was told before is void. Left out of a change.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    #[ts(optional, as = "Option<bool>")]
    pub whole: bool,
    pub fleet: FleetSums,
    pub queue: QueueFrame,
    /// Why the server cannot be given work; left out where it can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trouble: Option<String>,
    /// Bytes that the disk with the data folder has left, where they are few; else left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub disk_left: Option<u64>,
    /// The newest; left out before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub sample: Option<SampleView>,
    /// Runs that have changed, or the newest, as far as they fit. The others follow with the next frames, or are listed.
    pub runs: Vec<RunSummary>,
    /// Runs that are not kept any more; left out where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub gone: Vec<String>,
}

/// What connected workers are together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FleetSums {
    pub workers: u32,
    pub slots: u32,
    /// Slots that have a job.
    pub busy: u32,
    /// Millions of floating-point operations a second, over the last minute.
    pub mflops: f64,
}

/// What the topic `workers` tells.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WorkersFrame {
    pub fleet: FleetSums,
    /// Workers that get no judged jobs for now.
    pub resting: u32,
    /// Workers that are given nothing at all.
    pub held_back: u32,
    /// Workers by what runs their jobs: `chromium`, `gecko`, `webkit`, `other`.
    pub engines: Vec<(String, u32)>,
    /// Workers by what they can run; one may be counted several times.
    pub capabilities: Vec<(String, u32)>,
}

/// What the topic `queue` tells, as it was counted last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct QueueFrame {
    /// Jobs that wait for a worker.
    #[ts(type = "number")]
    pub ready: u64,
    #[ts(type = "number")]
    pub leased: u64,
    #[ts(type = "number")]
    pub delayed: u64,
    /// Jobs of paused runs, and of stopped codes as far as somebody has asked for them.
    #[ts(type = "number")]
    pub held: u64,
    /// Jobs whose answer waits for the end of its lot.
    #[ts(type = "number")]
    pub answered: u64,
    /// Codes that are stopped, each once for each queue.
    #[ts(type = "number")]
    pub stopped: u64,
    /// Since when nothing is handed out.
    #[ts(type = "number | null")]
    pub paused_since: Option<i64>,
}

/// A second of the server: see [`SeriesView`](crate::SeriesView).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SampleView {
    #[ts(type = "number")]
    pub at: i64,
    #[ts(type = "number")]
    pub jobs: u64,
    #[ts(type = "number")]
    pub attempts: u64,
    #[ts(type = "number")]
    pub errors: u64,
    pub mflops: f64,
    pub workers: f64,
    pub slots: f64,
    pub busy: f64,
    pub waiting: f64,
    pub leased: f64,
}

/// What a topic `run:ID` tells. What has not changed is left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunFrame {
    /// A snapshot: what was told before is void. Left out of a change.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    #[ts(optional, as = "Option<bool>")]
    pub whole: bool,
    pub summary: RunSummary,
    pub stats: RunStats,
    /// How many engines are left out of some code; left out where there are none.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    #[ts(optional, as = "Option<u32>")]
    pub left_out: u32,
    /// Place and state of at most 1,000 nodes, each as its octet in `/states`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<(u32, u8)>>")]
    pub nodes: Vec<(u32, u8)>,
    /// At most 200 pools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<PoolCounts>>")]
    pub pools: Vec<PoolCounts>,
    /// Layers of the picture, each with how many of its nodes are in each state, in the order of states.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<(u32, Vec<u32>)>>")]
    pub layers: Vec<(u32, Vec<u32>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub profile: Option<ProfileChange>,
    /// Parts that did not fit: what is known of them is void, and a route has all of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<RunPart>>")]
    pub overflow: Vec<RunPart>,
}

/// A pool's place, and its jobs: `total`, `queued`, `running`, `done`, `failed`, `answered`, `reused`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PoolCounts(pub u32, pub u32, pub u32, pub u32, pub u32, pub u32, pub u32, pub u32);

impl PoolCounts {
    pub const fn new(place: u32, jobs: Progress) -> Self {
        let Progress { total, queued, running, done, failed, answered, reused } = jobs;
        Self(place, total, queued, running, done, failed, answered, reused)
    }
}

/// Bins of a run's profile that have changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ProfileChange {
    /// Bins that were known are void: they have another width now.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    #[ts(optional, as = "Option<bool>")]
    pub whole: bool,
    /// Milliseconds of a bin.
    #[ts(type = "number")]
    pub width_ms: u64,
    /// In order; those between that are not told stay as they were, or are empty.
    pub bins: Vec<BinView>,
}

/// When a bin begins, and its jobs, errors, mflops and busy slots: see [`ProfileView`](crate::ProfileView).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
pub struct BinView(#[ts(type = "number")] pub i64, pub u32, pub u32, pub f64, pub f64);

/// What may be too much for a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum RunPart {
    /// `/api/v1/runs/{run}/states` has them.
    States,
    /// `/api/v1/runs/{run}/nodes?kind=pool` has them.
    Pools,
    /// They follow from the states, and from the layers of `/api/v1/workflows/{hash}/graph?layers`.
    Layers,
    /// `/api/v1/runs/{run}/profile` has it.
    Profile,
}
