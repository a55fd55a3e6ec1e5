//! One transaction's worth of work, and what came of it: group commit carries the throughput.
//!
//! A store carries out the parts in the order of the fields, all or nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use weevil_model::trust::AssumedShare;
use weevil_model::witness::Record;
use weevil_model::{ContentHash, Encoded, JobId, Needs, ProjectId, RunId, RunPause, Timestamp, WorkerId};

use crate::counts::{AnswerCounts, RunJudgement};
use crate::decide::company::Company;
use crate::decide::copies::Copies;
use crate::decide::effort::Effort;
use crate::decide::stopped::StoppedCode;
use crate::job::{AttemptEnd, AttemptKey, Ended, NewJob, Submission};
use crate::opinion::Opinion;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Batch {
    pub complete: Vec<Submission>,
    /// What modules of workflows say of values that answers have given.
    pub opinions: Vec<Opinion>,
    pub release: Vec<Release>,
    pub renew: Vec<Renew>,
    /// Looks after the jobs whose moment has come; see `decide::due`.
    pub look: bool,
    pub cancel: Vec<Cancel>,
    pub reopen: Vec<Reopen>,
    pub shorten: Vec<Shortened>,
    pub close: Vec<Closing>,
    pub enqueue: Vec<NewJob>,
    /// Attempts that workers name as theirs, and nobody here has given them.
    pub doubted: Vec<(WorkerId, AttemptKey)>,
    /// Codes of which no job is handed out any more, from this batch on.
    pub stop: Vec<StoppedCode>,
    pub claim: Claim,
    /// Writes something even where nothing else does: only a write tells whether there is room for one.
    pub probe: bool,
    /// Milliseconds a new or renewed lease lasts.
    pub lease_ms: i64,
    /// Where workers are, and who speaks from them.
    pub company: Arc<Company>,
    /// How answers are judged on this server.
    pub judging: Judging,
    /// What is random about this batch: it chooses the same when it is tried again.
    pub chance: [u8; 32],
}

impl Batch {
    pub fn is_empty(&self) -> bool {
        self.complete.is_empty()
            && self.opinions.is_empty()
            && self.release.is_empty()
            && self.renew.is_empty()
            && !self.look
            && self.cancel.is_empty()
            && self.reopen.is_empty()
            && self.shorten.is_empty()
            && self.close.is_empty()
            && self.enqueue.is_empty()
            && self.doubted.is_empty()
            && self.stop.is_empty()
            && self.claim.is_empty()
            && !self.probe
    }
}

/// Settings of the server that answers are judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judging {
    /// The share of all work that liars are assumed to do: by it networks are crowded, and what an earlier release took in is
    /// judged.
    pub liars: AssumedShare,
    /// How long a device may be away, and give nothing, before its lots take no more answers, milliseconds.
    pub absence_ms: i64,
    /// How long a lot stays open at most, milliseconds.
    pub lot_ms: i64,
}

impl Default for Judging {
    /// A twentieth, five minutes, an hour.
    fn default() -> Self {
        Self { liars: AssumedShare::default(), absence_ms: 300_000, lot_ms: 3_600_000 }
    }
}

/// Gives one lease back before its deadline. A lease that is over already stays as it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release {
    pub key: AttemptKey,
    /// `Yielded` or `Lost`.
    pub end: AttemptEnd,
}

/// Ends jobs that have not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancel {
    /// All of a run.
    Run(RunId),
    /// One that stands alone.
    Job(JobId),
}

/// Has a job of an open run computed again whose value does not fit where it goes. The attempt that brought it becomes the
/// error `tooLarge`; where that was the last one, the job has failed. A job without a value stays as it is, so it is the
/// same once and twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reopen {
    pub run: RunId,
    pub path: Arc<str>,
    /// Why, for people.
    pub message: String,
    /// Others may have had the value: the executors of its run begin anew. A second time, the job has failed.
    pub anew: bool,
}

/// A pool of a run that has begun anew has this many elements now. What it had beyond them goes: its jobs end as cancelled, and
/// what was said of them counts for nothing. So it is the same once and twice, and nothing where the run never began anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortened {
    pub run: RunId,
    /// The path of the pool.
    pub pool: Arc<str>,
    /// The id of its processor.
    pub processor: Arc<str>,
    pub elements: u32,
}

/// The lots of a pool take no more answers: all of its elements that have a job have been answered, and no other one gets a job
/// before some of these are believed. So it is the same once and twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closing {
    pub run: RunId,
    /// The path of the pool.
    pub node: Arc<str>,
}

/// One worker's appetite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appetite {
    pub worker: WorkerId,
    /// How many more jobs it would hold.
    pub wants: u32,
    /// What it has to offer: it is only handed what that meets.
    pub has: Needs,
}

/// Lets a lease go on from now. Who has lost it changes nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Renew {
    pub key: AttemptKey,
    /// How much of the job is done, 0 to 1, where its code has told; `None` leaves what was told before.
    pub progress: Option<f64>,
}

impl From<AttemptKey> for Renew {
    fn from(key: AttemptKey) -> Self {
        Self { key, progress: None }
    }
}

/// Who wants how many jobs. Nobody gets any while the queue is paused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Claim {
    pub asks: Vec<Appetite>,
    /// One unguessable token for each job that may be handed out; their number bounds the claim.
    pub tokens: Vec<i64>,
    /// Bytes of inputs that may be handed out; a larger job goes alone.
    pub bytes: u64,
    pub spares: Spares,
    /// What the server itself would compute, before anybody else is asked.
    pub server: Option<ServerAppetite>,
}

impl Claim {
    pub fn is_empty(&self) -> bool {
        self.asks.is_empty() && self.spares.jobs.is_empty() && self.server.is_none()
    }
}

/// The server's appetite for modules whose answers are to be checked, see `decide::server`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerAppetite {
    pub wants: u32,
    /// Codes of which it could say nothing lately.
    pub unsaid: Vec<ContentHash>,
}

/// Second copies of jobs that are out for long, for workers that this claim gives nothing else; see `decide::spare`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spares {
    /// The longest out first.
    pub jobs: Vec<JobId>,
    /// Who would take one. No worker holds more by it than it computes at a time.
    pub asks: Vec<Appetite>,
}

/// What a transaction did, in the order of the batch where an entry belongs to one of its parts.
#[derive(Debug, Default, PartialEq)]
pub struct Outcomes {
    pub completed: Vec<Settled>,
    /// Attempts that ended by release or expiry, and what became of their jobs.
    pub returned: Vec<Returned>,
    /// Jobs that nobody took within their longest wait.
    pub overdue: Vec<JobNews>,
    /// Jobs that had been delayed until now, and judged ones that are asked for again without a report.
    pub woken: u64,
    /// Attempts that ended under their workers: their run or job was cancelled, or another copy ended the job.
    pub revoked: Vec<(WorkerId, AttemptKey)>,
    /// Doubted attempts whose job has ended, or that have ended while another is open. One whose job waits may still be the
    /// first to end it.
    pub disowned: Vec<(WorkerId, AttemptKey)>,
    /// Stand-alone jobs that were cancelled.
    pub cancelled: Vec<JobNews>,
    /// Values of which modules of workflows are to say something.
    pub questions: u64,
    /// Judged jobs whose answers were believed with their lots, or refused with them.
    pub ruled: Vec<Ruled>,
    /// Runs that wait from now on until a person lets them go on.
    pub paused: Vec<PausedRun>,
    /// Runs in which it was met for the first time that an engine gets no more of a code.
    pub left_out: BTreeSet<RunId>,
    /// Runs of which something was reopened that had been believed: their executors begin anew.
    pub retrace: BTreeSet<RunId>,
    /// Runs that have ended, and how many of their jobs are doubted from now on.
    pub doubted_runs: BTreeMap<RunId, u64>,
    /// Jobs that had ended already, or took a stored result: whoever puts them in learns that at once.
    pub enqueued: Vec<Enqueued>,
    /// Jobs that were there already, with answers that wait to be believed.
    pub answered: Vec<(RunId, String)>,
    /// Stand-alone jobs whose key was taken already.
    pub duplicates: Vec<Duplicate>,
    pub claimed: Vec<Claimed>,
    /// More was there for those who asked, but it would have been too much at a time.
    pub cut: bool,
    /// More was ready of which those who asked have copies.
    pub kept: bool,
    /// What is kept of devices, by their numbers, where that was asked for or has changed.
    pub records: Vec<(i64, Record)>,
    /// The numbers of devices whose answers have come, were believed, or were found wrong.
    pub counted: Vec<i64>,
    /// What answers have come to.
    pub counts: AnswerCounts,
    /// What the jobs of these runs were believed on so far, where that has changed.
    pub judged: Vec<(RunId, RunJudgement)>,
    /// When the next delayed job is due, where the batch looked or delayed one.
    pub due: Option<Timestamp>,
}

/// The answer to one submission.
#[derive(Debug, PartialEq)]
pub struct Settled {
    pub key: AttemptKey,
    pub verdict: Verdict,
    /// Whose lease the submission ended.
    pub holder: Option<WorkerId>,
    /// What the attempt cost; `None` where the submission changed nothing.
    pub effort: Option<Effort>,
    pub job: Option<JobNews>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Accepted,
    Superseded,
    Unknown,
}

/// A change to a job, for whoever waits for it.
#[derive(Debug, PartialEq)]
pub struct JobNews {
    pub id: JobId,
    /// `None` for a stand-alone job.
    pub run: Option<RunId>,
    pub path: String,
    pub change: Change,
}

#[derive(Debug, PartialEq)]
pub enum Change {
    Claimed,
    /// Back in the queue.
    Requeued,
    /// A copy is back in the queue: others are out, or answers are there.
    CopyReturned,
    /// An answer is there, which is not believed yet.
    Answered,
    Ended(Ended),
}

impl Change {
    /// What a copy that was out has left of its job's.
    pub const fn returned(copies: Copies) -> Self {
        if copies.open == 0 { Self::Requeued } else { Self::CopyReturned }
    }
}

#[derive(Debug, PartialEq)]
pub struct Returned {
    pub key: AttemptKey,
    pub worker: WorkerId,
    /// How the attempt ended.
    pub end: AttemptEnd,
    pub job: JobNews,
}

/// A judged job that something else than its own report has decided.
#[derive(Debug, PartialEq)]
pub struct Ruled {
    /// It has ended, or is back in the queue.
    pub job: JobNews,
    /// Whose value it is, and what that cost; `None` for a job that has none.
    pub work: Option<(WorkerId, Effort)>,
}

/// A run that was paused by what its jobs have come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PausedRun {
    pub run: RunId,
    pub pause: RunPause,
}

#[derive(Debug, PartialEq)]
pub struct Enqueued {
    pub run: RunId,
    pub path: String,
    pub ended: Ended,
    /// The value was computed for another job.
    pub reused: bool,
}

/// A job that was not put in, because its queue has one with this key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duplicate {
    pub asked: JobId,
    pub kept: JobId,
    /// The code and the input are the same.
    pub equal: bool,
}

/// A job handed to a worker: all that an assign frame needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Claimed {
    pub key: AttemptKey,
    pub worker: WorkerId,
    pub project: ProjectId,
    /// `None` for a stand-alone job.
    pub run: Option<RunId>,
    pub path: String,
    /// For a stand-alone job, the hash of its code, or what it finds kernels by. Jobs with different hashes never share a job worker.
    pub workflow: ContentHash,
    /// For a stand-alone job, the name of its queue.
    pub workflow_name: String,
    pub code: ContentHash,
    pub source: String,
    pub input: Encoded,
    pub seed: u64,
    /// Rounded up as a class says.
    pub needs: Needs,
    pub timeout_ms: u32,
    pub deadline: Timestamp,
    /// What it gives is an answer among others. No worker is told.
    pub judged: bool,
}

impl Claimed {
    pub const fn job(&self) -> JobId {
        self.key.job
    }
}
