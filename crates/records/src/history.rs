//! Jobs and attempts as people look back at them. Only records: nothing is decided by them.

use weevil_model::trust::Policy;
use weevil_model::witness::{Engine, Rank};
use weevil_model::{AnswerRole, ContentHash, JobId, Needs, NodeState, ProjectId, Timestamp, WorkerId};
use weevil_queue::{AttemptEnd, Failure, Origin, Proof, Waiting};

/// Attempts of a job that stay of those that ended given back or lost, the newest: rows grow with reports, not with
/// hand-outs.
pub const MAX_UNREPORTED: u32 = 10;

/// Attempts that are read of a job at a time, the newest.
pub const MAX_ATTEMPTS_READ: u32 = 100;

/// A job as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRecord {
    pub id: JobId,
    pub project: ProjectId,
    pub origin: Origin,
    /// Path of the node below its run, or the key in its queue.
    pub path: String,
    pub code: ContentHash,
    /// ENQUEUED, RUNNING, ANSWERED, FINISHED, FAILED or CANCELLED.
    pub state: NodeState,
    /// What an ENQUEUED job waits for; how a FAILED one ended without a worker.
    pub waiting: Option<Waiting>,
    pub needs: Needs,
    /// The job whose stored result it took.
    pub reused: Option<JobId>,
    /// How often it was handed out.
    pub handed_out: u32,
    /// Attempts that count against `max_attempts`.
    pub failures: u32,
    pub max_attempts: u32,
    pub trust: Policy,
    /// A device on whose word alone its value was believed was found wrong later.
    pub is_doubted: bool,
    pub enqueued_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}

/// What an attempt of a judged job gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerRecord {
    /// That of its value's canonical form; `None` for an error.
    pub digest: Option<ContentHash>,
    /// The number of the device whose attempt it was; `None` for a worker without a key.
    pub device: Option<i64>,
    pub engine: Engine,
    /// What it counts as: without points as a newcomer's, whoever gave it.
    pub rank: Rank,
    pub role: AnswerRole,
    /// The lot that it stands in; `None` where it stands in none.
    pub lot: Option<LotRecord>,
    /// What the workflow's own proof says of it; `None` where that cannot say, or there is none.
    pub proof: Option<Proof>,
    /// `None` while nothing is decided.
    pub fate: Option<AnswerFate>,
}

/// The answers of a device for a pool, accepted or refused together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LotRecord {
    pub answers: u32,
    /// So many of them were chosen to be checked.
    pub chosen: u32,
    /// Checks that have not ended.
    pub checking: u32,
    pub is_closed: bool,
    pub is_accepted: bool,
}

/// What became of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerFate {
    /// Its job's value, or error, is what it said.
    Agreed,
    /// Another answer was believed.
    Refuted,
    /// Its device was wrong elsewhere: what rested on it alone is asked for anew.
    Void,
    /// Its job has another input now, or what it said within a tolerance is not kept any more. It still stands in its lot.
    Stale,
}

impl AnswerFate {
    pub const ALL: [Self; 4] = [Self::Agreed, Self::Refuted, Self::Void, Self::Stale];

    /// The stable text form, in the store and for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agreed => "agreed",
            Self::Refuted => "refuted",
            Self::Void => "void",
            Self::Stale => "stale",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fate| fate.as_str() == text)
    }
}

/// One handing-out of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct AttemptRecord {
    /// 1 for the first.
    pub number: u32,
    pub worker: WorkerId,
    pub started_at: Timestamp,
    /// `None` while the attempt runs, like `end`.
    pub ended_at: Option<Timestamp>,
    pub end: Option<AttemptEnd>,
    pub failure: Option<Failure>,
    /// Microseconds inside the job's code, where a result came.
    pub compute_us: u64,
    /// How much was done, 0 to 1, as the last heartbeat told.
    pub progress: Option<f64>,
    /// What its code has logged: lines.
    pub log: Option<String>,
    /// `None` where it gave none, as for a job that nobody judges.
    pub answer: Option<AnswerRecord>,
}
