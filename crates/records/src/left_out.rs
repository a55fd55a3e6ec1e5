//! Engines that get no more of a code, as people see them.

use weevil_model::witness::Engine;
use weevil_model::{ContentHash, JobId};

/// One that a run has met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutEngine {
    pub code: ContentHash,
    pub engine: Engine,
    /// The one that it differs from, with the most known devices that agree.
    pub leading: Engine,
    /// Where that was seen in this run, the newest first: two at most.
    pub differences: Vec<EngineDifference>,
}

/// What both said of a job, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineDifference {
    pub job: JobId,
    pub path: String,
    /// The engine that is left out.
    pub said: String,
    pub leading_said: String,
}
