//! Jobs and attempts as people look back at them. Only records: nothing is decided by them.

use weevil_model::{JobId, NodeState, RunId, Timestamp, WorkerId};

use crate::job::{AttemptEnd, Failure};

/// A job as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRecord {
    pub id: JobId,
    pub run: RunId,
    /// Path of the node below its run.
    pub path: String,
    /// ENQUEUED, RUNNING, FINISHED, FAILED or CANCELLED.
    pub state: NodeState,
    /// The job whose stored result it took.
    pub reused: Option<JobId>,
    /// How often it was handed out.
    pub handed_out: u32,
    /// Of how many attempts, counting those that failed.
    pub failures: u32,
    pub max_attempts: u32,
    pub enqueued_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}

/// One handing-out of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptRecord {
    /// 1 for the first.
    pub number: u32,
    pub worker: WorkerId,
    pub started_at: Timestamp,
    /// None while it runs; so with `end`.
    pub ended_at: Option<Timestamp>,
    pub end: Option<AttemptEnd>,
    pub failure: Option<Failure>,
    /// Microseconds inside the job's code, where a result came.
    pub compute_us: u64,
}

/// The state that delivery and outcome, as the stores write them, come to.
pub fn state(delivery: u8, outcome: Option<&str>) -> Option<NodeState> {
    match (delivery, outcome) {
        (0, None) => Some(NodeState::Enqueued),
        (1, None) => Some(NodeState::Running),
        (2, Some("value")) => Some(NodeState::Finished),
        (2, Some("failed")) => Some(NodeState::Failed),
        (2, Some("cancelled")) => Some(NodeState::Cancelled),
        _ => None,
    }
}
