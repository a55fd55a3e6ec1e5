//! One transaction's worth of work, and what came of it: group commit carries the throughput (DESIGN section 7).
//!
//! A store carries out the parts in the order of the fields, all or nothing.

use weevil_model::{ContentHash, Encoded, JobId, RunId, Timestamp, WorkerId};

use crate::job::{AttemptEnd, AttemptKey, Ended, NewJob, Submission};

#[derive(Debug, Default)]
pub struct Batch {
    pub complete: Vec<Submission>,
    pub release: Vec<Release>,
    pub renew: Vec<AttemptKey>,
    /// Ends the leases whose deadline has passed.
    pub expire: bool,
    /// Ends every job of these runs that has not ended.
    pub cancel: Vec<RunId>,
    pub enqueue: Vec<NewJob>,
    pub claim: Claim,
    /// Writes something even where nothing else does: only a write tells whether there is room for one.
    pub probe: bool,
    /// Milliseconds a new or renewed lease lasts.
    pub lease_ms: i64,
}

impl Batch {
    pub fn is_empty(&self) -> bool {
        self.complete.is_empty()
            && self.release.is_empty()
            && self.renew.is_empty()
            && !self.expire
            && self.cancel.is_empty()
            && self.enqueue.is_empty()
            && self.claim.asks.is_empty()
            && !self.probe
    }
}

/// Gives leases back before their deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    One {
        key: AttemptKey,
        end: AttemptEnd,
    },
    /// All that this worker holds.
    Worker {
        worker: WorkerId,
        end: AttemptEnd,
    },
}

/// Who wants how many jobs.
#[derive(Debug, Default)]
pub struct Claim {
    pub asks: Vec<(WorkerId, u32)>,
    /// One unguessable token for each job that may be handed out; their number bounds the claim.
    pub tokens: Vec<i64>,
}

/// Jobs that have not ended, by their delivery state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Depth {
    pub ready: u64,
    pub leased: u64,
}

/// What a transaction did, in the order of the batch where an entry belongs to one of its parts.
#[derive(Debug, Default, PartialEq)]
pub struct Outcomes {
    pub completed: Vec<Settled>,
    /// Attempts that ended by release or expiry, and what became of their jobs.
    pub returned: Vec<Returned>,
    /// Attempts whose run was cancelled under them.
    pub revoked: Vec<(WorkerId, AttemptKey)>,
    /// Jobs that were there already and have ended, or that took a stored result: the enqueuer learns their outcome at
    /// once.
    pub enqueued: Vec<Enqueued>,
    pub claimed: Vec<Claimed>,
}

/// The answer to one submission.
#[derive(Debug, PartialEq)]
pub struct Settled {
    pub key: AttemptKey,
    pub verdict: Verdict,
    /// Whose lease the submission ended.
    pub worker: Option<WorkerId>,
    pub job: Option<JobNews>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Accepted,
    Superseded,
    Unknown,
}

/// A change to a job, for the executor that waits for it.
#[derive(Debug, PartialEq)]
pub struct JobNews {
    pub run: RunId,
    pub path: String,
    pub change: Change,
}

#[derive(Debug, PartialEq)]
pub enum Change {
    Claimed,
    /// Back in the queue.
    Requeued,
    Ended(Ended),
}

#[derive(Debug, PartialEq)]
pub struct Returned {
    pub key: AttemptKey,
    pub worker: WorkerId,
    /// How the attempt ended.
    pub end: AttemptEnd,
    pub job: JobNews,
}

#[derive(Debug, PartialEq)]
pub struct Enqueued {
    pub run: RunId,
    pub path: String,
    pub ended: Ended,
    /// The value was computed for another job.
    pub reused: bool,
}

/// A job handed to a worker: all that an assign frame needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Claimed {
    pub key: AttemptKey,
    pub worker: WorkerId,
    pub run: RunId,
    pub path: String,
    pub workflow: ContentHash,
    pub workflow_name: String,
    pub code: ContentHash,
    pub source: String,
    pub input: Encoded,
    pub seed: u64,
    pub timeout_ms: u32,
    pub deadline: Timestamp,
}

impl Claimed {
    pub const fn job(&self) -> JobId {
        self.key.job
    }
}
