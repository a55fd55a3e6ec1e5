//! What executors, sessions and routes ask of the queue.

use std::sync::Arc;

use tokio::sync::Notify;
use weevil_model::{ContentHash, JobId, RunId, WorkerId};
use weevil_queue::batch::Reopen;
use weevil_queue::{
    AttemptEnd, AttemptKey, Closing, Duplicate, NewJob, Opinion, QueueCode, Renew, Shortened, Submission,
};
use weevil_records::Suspension;

use super::{Reply, Suspended, WorkerJoined, work};
use crate::budget::{Peer, Permit};
use crate::contact::Contact;

/// Something asked of the queue.
pub enum Request {
    /// Whoever wants to hear of it listens before (`listeners.rs`).
    Enqueue(Box<NewJob>),
    /// The value of this job does not fit where it goes.
    Reopen {
        job: Box<NewJob>,
        message: String,
    },
    /// The value of this job does not fit, and others may have had it as well.
    Anew(Reopen),
    /// A pool of a run that has begun anew may have fewer elements than before.
    Shorten(Shortened),
    /// No more answers of a pool's elements will come.
    Close(Closing),
    /// A worker has come.
    Join(WorkerJoined, Peer),
    /// The server computes itself.
    OfServer(ServerRequest),
    /// A worker has proved which device it is.
    Identified {
        worker: WorkerId,
        /// The fingerprint of its key.
        device: ContentHash,
    },
    /// Somebody in charge has marked the device with this number.
    Marked(i64),
    /// Somebody in charge has these be given nothing.
    Suspend(Suspended, Suspension),
    /// They may be given jobs again.
    LetGoOn(Suspended),
    /// Somebody in charge has this one leave, for now.
    SendAway(WorkerId),
    Complete {
        worker: WorkerId,
        submissions: Vec<Submission>,
        capacity: u32,
        /// For their bytes, until they are durable.
        waiting: Option<Permit>,
    },
    Heartbeat {
        worker: WorkerId,
        holding: Vec<Renew>,
        slots: u32,
        capacity: u32,
        /// The share of its time, in percent, that each slot computes; `None`: all of it.
        duty: Option<u32>,
    },
    Yield {
        worker: WorkerId,
        attempts: Vec<AttemptKey>,
        capacity: u32,
    },
    /// The connection has ended.
    Leave {
        worker: WorkerId,
        end: AttemptEnd,
    },
    /// A run has ended; what is left of its jobs goes.
    CancelRun(RunId),
    /// Somebody puts stand-alone jobs in; answered when they are durable.
    Submit {
        jobs: Vec<NewJob>,
        reply: Reply<Vec<Duplicate>>,
    },
    /// Somebody ends a stand-alone job; answered when that is durable.
    CancelJob {
        job: JobId,
        reply: Reply<()>,
    },
    /// A pause is over: what was held may be handed out.
    Resumed,
    /// A code is not stopped any more.
    CodeResumed(QueueCode),
    /// Time passes.
    Tick,
    /// Somebody else's write was refused: try one.
    Probe,
    /// The server ends: this is the feeder's last batch.
    End,
}

/// Something that the server's own computing asks for.
pub enum ServerRequest {
    /// The server computes as well: what it is handed and wants is said as of any worker, by its own id.
    Employ(Contact),
    /// The server could say nothing of a job of this code.
    Unsaid(ContentHash),
    /// Rings when there may be something to ask modules of workflows.
    AskModules(Arc<Notify>),
    /// What they have said; answered when it is durable.
    Opine { opinions: Vec<Opinion>, reply: Reply<()> },
}

impl Request {
    /// About how much of a transaction it takes: what else it holds is small, and bounded in number.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Enqueue(job) | Self::Reopen { job, .. } => work::job_bytes(job),
            Self::Submit { jobs, .. } => jobs.iter().map(work::job_bytes).sum(),
            Self::Complete { submissions, .. } => submissions.iter().map(work::report_bytes).sum(),
            _ => 0,
        }
    }
}
