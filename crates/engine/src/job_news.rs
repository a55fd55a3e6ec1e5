//! What becomes known of a job, and what its end cost. Told by the feeder, after the commit.

use weevil_model::{PlaceNumber, Timestamp, WorkerId};
use weevil_queue::{Effort, Ended};

/// News of a job, for the executor that enqueued it.
#[derive(Debug, Clone, actix::Message)]
#[rtype(result = "()")]
pub struct JobUpdate {
    pub change: JobChange,
    pub at: Timestamp,
}

/// News of the job of a pool's element, for the pool: of all that follows the element's first answer.
#[derive(Debug, Clone, actix::Message)]
#[rtype(result = "()")]
pub struct ElementUpdate {
    pub index: u32,
    pub update: JobUpdate,
}

#[derive(Debug, Clone)]
pub enum JobChange {
    Claimed,
    /// An answer has come, which waits to be believed: the first one, or another beside it.
    Answered,
    /// It is to be computed; what answers there were are void.
    Requeued,
    /// The database will never take it, in its words.
    NotStored(String),
    Ended(Ended, Cost),
}

/// What the end of a job cost.
#[derive(Debug, Clone, Copy)]
pub enum Cost {
    /// This attempt has just been completed.
    Worked(Work),
    /// The value was stored for another job.
    Reused,
    /// Counted before, or never: news of an end that came without a value.
    Nothing,
}

/// What a completed attempt cost.
#[derive(Debug, Clone, Copy)]
pub struct Work {
    pub worker: WorkerId,
    /// Where it computes; `None` where that is not known any more.
    pub place: Option<PlaceNumber>,
    pub effort: Effort,
}
