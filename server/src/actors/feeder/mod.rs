//! The feeder: gathers what executors and sessions ask of the queue into batches, one transaction each, and hands
//! out what comes back. While one batch commits, the next one gathers: that is the group commit.
//!
//! Never decides what happens to a job (`weevil-queue` does) and keeps nothing that a crash may not take.

use std::sync::Arc;

use actix::Addr;
use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::mpsc;
use weevil_model::{JobId, PlaceNumber, RunId, Timestamp, WorkerId};
use weevil_queue::{AttemptEnd, AttemptKey, Duplicate, Effort, Ended, NewJob, Renew, Submission};
use weevil_records::Store;

pub(crate) use self::clients::{NotStored, Reply};
pub(crate) use self::commit::NOT_STORED;
use self::desk::Desk;
pub(crate) use self::lines::Newcomer;
use crate::actors::job::JobActor;
use crate::board::SharedBoard;
use crate::budget::{Peer, Permit, SharedBudget};
use crate::clock::SharedClock;
use crate::ends::Ends;
use crate::health::Health;
use crate::metrics::Metrics;
use crate::pace::SharedPacer;

mod clients;
mod commit;
mod crowding;
mod desk;
mod dispatch;
mod lines;
#[cfg(test)]
mod lines_test;
mod loads;
mod news;
mod pieces;
mod vain;
mod work;

/// Asks that one transaction takes.
const MAX_BATCH: usize = 2048;
/// Bytes of the asks that one transaction takes; a larger ask goes alone.
const MAX_BATCH_BYTES: usize = 32 * 1024 * 1024;

/// Something asked of the queue.
pub(crate) enum Ask {
    Enqueue {
        job: Box<NewJob>,
        executor: Addr<JobActor>,
    },
    /// The value of this job does not fit where it goes.
    Reopen {
        job: Box<NewJob>,
        executor: Addr<JobActor>,
        message: String,
    },
    /// A worker has come.
    Join(Newcomer, Peer),
    /// A worker has proved which device it is; named for people.
    Identified {
        worker: WorkerId,
        device: String,
    },
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
    /// Time passes.
    Tick,
    /// Somebody else's write was refused: try one.
    Probe,
    /// The server ends: this is the feeder's last batch.
    End,
}

impl Ask {
    /// About how much of a transaction it takes: what else it holds is small, and bounded in number.
    fn bytes(&self) -> usize {
        match self {
            Self::Enqueue { job, .. } | Self::Reopen { job, .. } => work::job_bytes(job),
            Self::Submit { jobs, .. } => jobs.iter().map(work::job_bytes).sum(),
            Self::Complete { submissions, .. } => submissions.iter().map(work::report_bytes).sum(),
            _ => 0,
        }
    }
}

/// The way to the feeder, for everybody.
#[derive(Clone)]
pub(crate) struct FeederHandle {
    asks: mpsc::UnboundedSender<Ask>,
    waiting: Gauge,
}

impl FeederHandle {
    /// Never blocks. What is in the channel is bounded by the size of pools and by each worker's allowance.
    pub(crate) fn ask(&self, ask: Ask) {
        // The feeder ends only with the server.
        self.waiting.inc();
        let _ending = self.asks.send(ask);
    }
}

/// News of a job, for the executor that enqueued it.
#[derive(Debug, Clone, actix::Message)]
#[rtype(result = "()")]
pub(crate) struct JobUpdate {
    pub change: JobChange,
    pub at: Timestamp,
}

#[derive(Debug, Clone)]
pub(crate) enum JobChange {
    Claimed,
    Requeued,
    /// The database will never take it, in its words.
    NotStored(String),
    Ended(Ended, Cost),
}

/// What the end of a job cost.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cost {
    /// This attempt has just been completed.
    Worked(Work),
    /// The value was stored for another job.
    Reused,
    /// Counted before, or never: news of an end that came without a value.
    Nothing,
}

/// What a completed attempt cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Work {
    pub worker: WorkerId,
    /// Where it computes; none where that is not known any more.
    pub place: Option<PlaceNumber>,
    pub effort: Effort,
}

/// What the feeder needs of the server.
pub(crate) struct Feeder {
    pub store: Arc<dyn Store>,
    pub clock: SharedClock,
    pub board: SharedBoard,
    pub pacer: SharedPacer,
    pub health: Arc<Health>,
    pub metrics: Arc<Metrics>,
    pub ends: Arc<Ends>,
    pub budget: SharedBudget,
}

/// Makes the way to a feeder, and the feeder's own end of it. `waiting` counts what is on its way.
pub(crate) fn channel(waiting: Gauge) -> (FeederHandle, mpsc::UnboundedReceiver<Ask>) {
    let (asks, inbox) = mpsc::unbounded_channel();
    (FeederHandle { asks, waiting }, inbox)
}

impl Feeder {
    /// Works until it is told to end, or every handle is gone.
    pub(crate) async fn run(self, mut inbox: mpsc::UnboundedReceiver<Ask>) {
        let mut desk = Desk::new(self);
        loop {
            if !desk.is_busy() {
                tokio::select! {
                    asked = tokio::time::timeout(desk.until_due(), inbox.recv()) => match asked {
                        Ok(Some(ask)) => desk.take(ask),
                        Ok(None) => return,
                        Err(_) => {}
                    },
                    () = desk.room() => desk.look_again(),
                }
            }
            desk.fill(&mut inbox);
            desk.work().await;
            if desk.has_ended() {
                return;
            }
        }
    }
}
