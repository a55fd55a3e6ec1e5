//! Workers: those that are connected, those that have left, what keeps one from being given jobs, and what each was handed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::DeviceRank;

/// Who is connected; renewed once a second.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Fleet {
    pub workers: Vec<WorkerView>,
    /// Workers that are connected as well and not listed, in an event; left out where all are.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    #[ts(optional, as = "Option<u32>")]
    pub more: u32,
    pub slots: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WorkerView {
    pub id: String,
    pub agent: String,
    /// Short name of its device, where it has proved which one it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub device: Option<String>,
    /// Vendor and architecture of the GPU that it lends, as it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub adapter: Option<String>,
    /// What it can run, by name.
    #[serde(default)]
    pub capabilities: Vec<String>,
    /// Memory that one of its jobs may use, 2^20 bytes; 0 where it does not say.
    #[serde(default)]
    pub memory_mb: u32,
    pub slots: u32,
    /// Slots of it that have a job.
    #[serde(default)]
    pub busy: u32,
    pub in_flight: u32,
    /// How many jobs it said last that it would hold; 0 where it pauses by itself. Left out of one that has left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub capacity: Option<u32>,
    /// The share of its time, in percent, that each of its slots computes, as it says; left out where that is all of it or where it does not
    /// say, and of one that has left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub duty: Option<u32>,
    /// Attempts that ended with a report, value or error.
    pub done: u32,
    /// Those of them that ended with an error.
    #[serde(default)]
    pub errors: u32,
    /// Attempts whose lease has expired.
    #[serde(default)]
    pub expired: u32,
    /// Millions of floating-point operations a second, over the last minute; never more than the server saw.
    #[serde(default)]
    pub mflops: f64,
    #[ts(type = "number")]
    pub connected_at: i64,
    /// When something came from it last.
    #[serde(default)]
    #[ts(type = "number")]
    pub last_heard_at: i64,
    /// How much its answers count; left out for a newcomer.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    #[ts(optional, as = "Option<DeviceRank>")]
    pub rank: DeviceRank,
    /// Until when it gets no judged jobs; left out where it does not rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub rests_until: Option<i64>,
    /// Why it is given nothing at all; left out where it is not held back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub held_back: Option<HeldBackView>,
    /// Whether it has left; left out of one that is connected.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    #[ts(optional, as = "Option<bool>")]
    pub gone: bool,
}

/// Why a worker is given nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct HeldBackView {
    /// Whether its device is banned, and not only paused.
    pub banned: bool,
    /// Until when it is paused; null for a ban.
    #[ts(type = "number | null")]
    pub paused_until: Option<i64>,
    /// What was noted, for people in charge.
    pub note: String,
}

/// Which workers are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum WorkerState {
    #[default]
    Connected,
    /// Those that have left, as far as they are kept.
    Gone,
}

/// A page of workers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct WorkerPage {
    pub workers: Vec<WorkerView>,
    /// The `after` of the next page; null at the end.
    pub next: Option<String>,
    /// What is true of all connected workers, listed or not; only their first page has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub sums: Option<WorkerSums>,
}

/// What the connected workers are, and do, in numbers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct WorkerSums {
    pub workers: u32,
    pub slots: u32,
    /// Slots that have a job.
    pub busy: u32,
    /// Millions of floating-point operations a second, over the last minute.
    pub mflops: f64,
    /// How many do what; each worker does one thing. Those that nobody does are left out, as in the other two.
    pub doing: BTreeMap<WorkerDoing, u32>,
    /// How many are which browser: `Chrome`, `Edge`, `Firefox`, `Opera`, `Safari`, or `other`, also for other programs.
    pub browsers: BTreeMap<String, u32>,
    /// How many have which capability.
    pub capabilities: BTreeMap<String, u32>,
}

/// What a worker does. The first of these that fits counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum WorkerDoing {
    /// It is paused by somebody in charge.
    Paused,
    Computing,
    /// It gets no judged jobs for a while.
    Resting,
    /// It lends no slot for now.
    Away,
    Idle,
}

/// An attempt as the history of its worker tells of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WorkerAttemptView {
    /// Its job, for those who may read jobs in its project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub job: Option<WorkerJobView>,
    #[ts(type = "number")]
    pub started_at: i64,
    /// Null while it runs, like `end`.
    #[ts(type = "number | null")]
    pub ended_at: Option<i64>,
    /// As in the history of its job: `completed`, `errored`, `expired`, ...
    pub end: Option<String>,
    /// Inside the job's code, where a result came.
    pub compute_ms: f64,
}

/// The job of an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WorkerJobView {
    pub id: String,
    /// Null for a stand-alone job.
    pub run: Option<String>,
    /// Path of its node below its run, or its key.
    pub path: String,
    /// Which attempt of the job it is, from 1.
    pub attempt: u32,
    /// The kind of the error that it ended with.
    pub error: Option<String>,
    /// The beginning of the error's message.
    pub message: Option<String>,
}

/// A page of what a worker was handed, the newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct WorkerAttemptPage {
    pub attempts: Vec<WorkerAttemptView>,
    /// The `after` of the next page; null at the end.
    pub next: Option<String>,
}

/// Body of a pause.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
pub struct PauseAsked {
    /// Why, for people in charge: 200 characters at most.
    pub note: String,
    /// For how long, 1 to 43,200; an hour unless it is given.
    pub minutes: Option<u32>,
}

/// Body of a ban.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
pub struct BanAsked {
    /// Why, for people in charge: 200 characters at most.
    pub note: String,
    /// Ban nothing: this worker alone is sent away, and may come again. Also for one that has proved no device.
    #[serde(skip_serializing_if = "crate::is_default")]
    #[ts(optional, as = "Option<bool>")]
    pub once: bool,
}
