//! What waits in the queue, by what it needs and by the name of its queue.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::JobNeeds;
use crate::explain::ReasonView;

/// Answer to `GET /api/v1/queue/classes`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WaitingClasses {
    /// When they were counted: at most once in five seconds, whoever asks.
    #[ts(type = "number")]
    pub counted_at: i64,
    /// The fullest first, at most 1,000.
    pub classes: Vec<WaitingClassView>,
    /// Why nothing of all of it is handed out; empty where that depends on the job.
    #[serde(default)]
    pub why: Vec<ReasonView>,
}

/// Jobs that are ready and need the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WaitingClassView {
    pub needs: JobNeeds,
    /// Engines that their code is not for, such as `gecko`.
    pub left_out: Vec<String>,
    #[ts(type = "number")]
    pub jobs: u64,
    /// When the oldest of them was put in; `null` where it has just been handed out.
    #[ts(type = "number | null")]
    pub oldest_at: Option<i64>,
    /// Connected workers that meet what they need.
    pub workers: u32,
    /// Those of them that have a slot free and take jobs.
    pub idle: u32,
    /// Why they wait, most telling first.
    pub why: Vec<ReasonView>,
}

/// Answer to `GET /api/v1/queue/names`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WaitingQueues {
    /// When they were counted: at most once in five seconds, whoever asks.
    #[ts(type = "number")]
    pub counted_at: i64,
    /// Those of projects whose jobs the asker may read, the fullest first.
    pub queues: Vec<WaitingQueueView>,
}

/// Stand-alone jobs of a queue that have not ended and are with no worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WaitingQueueView {
    /// Id of the project.
    pub project: String,
    pub queue: String,
    #[ts(type = "number")]
    pub ready: u64,
    #[ts(type = "number")]
    pub delayed: u64,
    /// Their code is stopped.
    #[ts(type = "number")]
    pub held: u64,
    /// When the oldest of them was put in; `null` where it has just been handed out.
    #[ts(type = "number | null")]
    pub oldest_at: Option<i64>,
}
