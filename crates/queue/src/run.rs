//! What is kept of workflows and runs. Only records: their life is `weevil-dataflow`'s.

use weevil_model::{ContentHash, Encoded, RunId, RunState, Timestamp, WorkerId};

/// A workflow as it was uploaded: immutable, known by its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredWorkflow {
    pub hash: ContentHash,
    pub name: String,
    /// Path and bytes of each file.
    pub files: Vec<(String, Vec<u8>)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RunRecord {
    pub id: RunId,
    pub name: String,
    pub workflow: ContentHash,
    /// Every job's seed follows from it and the node's path.
    pub seed: u64,
    pub state: RunState,
    pub created_at: Timestamp,
    pub end: Option<RunEnd>,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEnd {
    pub state: RunState,
    pub at: Timestamp,
    pub result: Option<Encoded>,
    /// What people saw last, as the server wrote it; opaque here.
    pub view: String,
}

/// What the completed attempts of a run add up to, in one slot of one worker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlotTotals {
    pub worker: WorkerId,
    pub slot: u32,
    pub jobs: u32,
    pub compute_us: u64,
    pub flops: f64,
    pub first_claim: Timestamp,
    pub last_result: Timestamp,
}
