//! Messages between the volunteer's page and the coordinator in its Web Worker. The page shows; the coordinator decides.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::standing::Standing;

/// Page to coordinator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PageCommand {
    /// The volunteer agreed: connect and work. `origin` is `ws://host:port`; `agent` names the browser.
    Start {
        origin: String,
        agent: String,
        slots: u32,
    },
    /// Give waiting jobs back, let running ones end, take no more.
    Pause,
    Resume,
    SetSlots {
        slots: u32,
    },
    /// Compute for this much of the time, 5 to 100, in each slot. May come before `start`.
    SetDuty {
        percent: u32,
    },
    /// Give waiting jobs back, let running ones end, hand their results in, then stop.
    Finish,
    /// Take GPU jobs and let them use the GPU for this much of the time, 1 to 100; 0 takes none. Where it is more, the page found an
    /// adapter and the volunteer agreed. May come before `start`.
    SetGpu {
        percent: u32,
        /// Its vendor and architecture, where the browser tells them; left out where there is no adapter.
        #[serde(default)]
        #[ts(optional)]
        adapter: Option<String>,
    },
    /// Give everything back and disconnect.
    Stop,
    /// The job worker asked for by `openSlot` exists; its port comes along as the message's transfer.
    SlotPort {
        slot: u32,
        generation: u32,
    },
    /// The job worker ended by itself.
    SlotCrashed {
        slot: u32,
        generation: u32,
        message: String,
    },
}

/// Coordinator to page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PageEvent {
    /// The module has loaded: `start` may come.
    Loaded,
    /// The module cannot be loaded: said by the script that would have loaded it.
    NotLoaded { message: String },
    /// Make a job worker in the sandbox and send its port back; `strict` in the frame that evaluates no text, `frozen` with a
    /// realm in which deterministic jobs find no time.
    OpenSlot { slot: u32, generation: u32, strict: bool, frozen: bool },
    /// Terminate that job worker, whatever it is doing.
    CloseSlot { slot: u32, generation: u32 },
    /// At most once a second, and at once when `state` changes.
    Status(Box<Status>),
}

/// All that the page shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    pub state: WorkState,
    /// Why, where the state alone does not say it: the server's words, or a detail for somebody who looks closer.
    pub message: Option<String>,
    /// Milliseconds until the next try to connect.
    pub retry_ms: Option<f64>,
    pub slots: u32,
    pub busy: u32,
    pub waiting: u32,
    pub done: u32,
    pub failed: u32,
    /// Millions of floating-point operations a second, over the last ten seconds.
    pub mflops: f64,
    /// What is being computed, and by which code file.
    pub workflow: Option<String>,
    /// Content hash of it, in hex: what there is to know of it is asked for by this.
    pub workflow_hash: Option<String>,
    pub source: Option<String>,
    /// Milliseconds from `start` to the first job handed to a job worker.
    pub first_job_ms: Option<f64>,
    /// How this device's answers stand, once the server has said so.
    pub standing: Option<Standing>,
    /// What each slot is at, in their order.
    pub each_slot: Vec<SlotStatus>,
    /// What has ended since the status before this one: each attempt is told once.
    pub ended: Vec<EndedAttempts>,
}

/// One slot, as the picture of the work shows it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SlotStatus {
    pub slot: u32,
    pub activity: SlotActivity,
    /// How much of the job that runs is done, 0 to 1, where its code tells.
    pub progress: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum SlotActivity {
    /// It holds no job, and a job may begin.
    Free,
    Working,
    /// The next job begins later: the duty is kept, or the last job's realm is not quiet yet.
    Resting,
}

/// Attempts that have ended in one slot, for one workflow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EndedAttempts {
    pub slot: u32,
    /// Its name; empty for stand-alone jobs.
    pub workflow: String,
    /// Its content hash, in hex.
    pub workflow_hash: String,
    pub done: u32,
    pub failed: u32,
    /// Milliseconds inside `weevil_main`.
    pub compute_ms: f64,
    /// Floating-point operations.
    pub flops: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum WorkState {
    Idle,
    Connecting,
    Waiting,
    Working,
    Paused,
    /// Running jobs end, then it stops.
    Finishing,
    Stopped,
    /// The server refused this page; `message` says why.
    Refused,
    /// The page is older than the server: reload.
    Outdated,
}
