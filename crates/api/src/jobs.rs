//! Jobs, those of runs and those that stand alone.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use ts_rs::TS;
use weevil_model::NodeState;

use crate::{AttemptError, DeviceRank, JobFleet};

/// Body of `POST /api/v1/jobs`, alone or in an array: `source` or `code`, and what is not to be as usual.
///
/// The server takes the arguments as they stand in the text, without a tree.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(concrete(Input = Vec<Json>))]
pub struct JobAsked<Input: Default = Vec<Json>> {
    /// Name of a queue, `default` unless it is given.
    pub queue: Option<String>,
    /// Chosen by the client: the same key in the same queue is the same job. The job's id unless it is given.
    pub key: Option<String>,
    /// JavaScript that defines `weevil_main`.
    pub source: Option<String>,
    /// What the source is called in stack traces, `job.js` unless it is given.
    pub name: Option<String>,
    /// Content hash of code that is stored already, instead of `source`: JavaScript, or a WebAssembly module.
    pub code: Option<String>,
    /// The arguments, each in the JSON view of values.
    #[ts(type = "unknown[]")]
    pub input: Input,
    /// Where the numbers begin that its code draws: 16 hex digits. What follows from code and key unless it is given.
    pub seed: Option<String>,
    /// Content hash of a stored workflow, whose kernels its code finds.
    pub workflow: Option<String>,
    /// The type that the result must have.
    pub returns: Option<String>,
    /// -50000..=50000, larger is earlier.
    pub priority: Option<i32>,
    /// Names of capabilities that a worker must have beside `javascript`, or `wasm` for a module.
    pub capabilities: Vec<String>,
    /// Memory that a worker must offer, 2^20 bytes; rounded up to a power of two.
    pub memory_mb: Option<u32>,
    /// How long the job is kept back.
    pub delay_ms: Option<u32>,
    /// How long the job waits for a worker at a stretch before it ends.
    pub max_wait_ms: Option<u32>,
    /// The pause after the first error; each further one is twice as long.
    pub retry_ms: Option<u32>,
    pub timeout_ms: Option<u32>,
    /// Attempts in all.
    pub attempts: Option<u32>,
    /// From which answers on its value is believed, `none` or `quorum(3)`; the server's own policy unless it is given.
    pub trust: Option<String>,
    /// When two answers are the same, where they are compared: `exact`, unless it is given, `near(1e-9)`, or the content hash of a stored module.
    pub agree: Option<String>,
}

/// Answer to `POST /api/v1/jobs`, for each job in the order of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct JobKept {
    pub job: String,
    pub queue: String,
    pub key: String,
    /// False where the queue had a job with this key already: `job` is that one.
    pub created: bool,
    /// That job has other code or other input, so this one was not kept.
    pub conflict: bool,
}

/// Answer to `GET /api/v1/jobs/{id}/result`, as far as the job has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct JobResult {
    pub job: String,
    pub state: NodeState,
    /// In the JSON view of values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub result: Option<Json>,
    /// Attempts that ended with an error, or with silence (`expired`), oldest first.
    pub errors: Vec<AttemptError>,
}

/// What a job waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum JobWait {
    /// One that meets its needs.
    Worker,
    /// An answer of somebody else, that its own are compared with.
    Check,
    /// A moment.
    Delay,
    /// The run is paused.
    Resume,
    /// Its code is stopped in its queue, since it fails wherever it runs.
    Code,
    /// The end of the lot that its answer stands in.
    Lot,
    /// What a module of the workflow says of an answer.
    Module,
    /// Nothing any more: nobody took it in time.
    Overdue,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct JobNeeds {
    pub capabilities: Vec<String>,
    /// 2^20 bytes; 0: any.
    pub memory_mb: u32,
}

/// A code of which nothing is handed out in a queue, since its first jobs have all failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct StoppedCodeView {
    /// Id of the project.
    pub project: String,
    pub queue: String,
    /// Its hash, with which it is resumed.
    pub code: String,
    /// Id of one of its jobs that have failed, which may be forgotten by now.
    pub example: String,
    #[ts(type = "number")]
    pub stopped_at: i64,
}

/// Answer to what asks about the queue, pauses it, or resumes it or a code in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct QueueView {
    /// Jobs that wait for a worker.
    #[ts(type = "number")]
    pub ready: u64,
    #[ts(type = "number")]
    pub leased: u64,
    #[ts(type = "number")]
    pub delayed: u64,
    /// Jobs of paused runs, and of stopped codes as far as somebody has asked for them.
    #[ts(type = "number")]
    pub held: u64,
    /// Jobs whose answer waits for the end of its lot; left out where there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[ts(optional, type = "number")]
    pub answered: u64,
    /// Since when nothing is handed out.
    #[ts(type = "number | null")]
    pub paused_since: Option<i64>,
    /// The account of the person who has paused it; left out where somebody has who works at the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub paused_by: Option<String>,
    /// What that person has noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub paused_note: Option<String>,
    /// The newest codes that are stopped in projects that the asker may read; left out where there are none.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    #[ts(optional, as = "Option<Vec<StoppedCodeView>>")]
    pub stopped: Vec<StoppedCodeView>,
}

/// Body of a pause of a run or of the queue; none at all means one without a note.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
pub struct NoteAsked {
    /// Why, for others: 200 characters at most.
    pub note: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde says how it is asked")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Answer to `GET /api/v1/runs/{id}/jobs` and `GET /api/v1/jobs`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct JobPage {
    pub jobs: Vec<JobView>,
    /// What to send as `after` for the next page; `null` where this is the last.
    pub next: Option<String>,
}

/// A job as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct JobView {
    pub id: String,
    /// Path of the node below its run; for a stand-alone job, its key.
    pub path: String,
    pub state: NodeState,
    /// What an ENQUEUED job waits for; that a FAILED one has waited for too long.
    pub waits: Option<JobWait>,
    /// Until when at most, where there is such a moment.
    #[ts(type = "number | null")]
    pub waits_until: Option<i64>,
    pub needs: JobNeeds,
    /// The job whose stored result it took.
    pub reused: Option<String>,
    /// How often it was handed out.
    pub handed_out: u32,
    /// Attempts that count against `max_attempts`.
    pub failures: u32,
    pub max_attempts: u32,
    /// Whose its newest attempt is; left out where there is none, and in other lists than a run's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub worker: Option<String>,
    /// The beginning of its newest error, or `expired`; left out where there is none, and in other lists than a run's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<String>,
    /// From which answers on its value is believed, such as `quorum(3)`; left out where that is the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trust: Option<String>,
    /// It was believed on the word of a device that was found wrong after its end; left out where it was not.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    #[ts(optional, as = "Option<bool>")]
    pub doubted: bool,
    /// Answers that have come for it; left out where there are none, and in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub answered: Option<u32>,
    /// What its value is believed on: `reused`, `trusted`, `referee` (the server), `proved` (a module of its workflow), `agreed` or `lot`; left out for a job that nobody judges, and in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub basis: Option<String>,
    #[ts(type = "number")]
    pub enqueued_at: i64,
    #[ts(type = "number | null")]
    pub ended_at: Option<i64>,
}

/// Answer to `GET /api/v1/jobs/{id}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct JobHistory {
    /// `null` for a stand-alone job.
    pub run: Option<String>,
    /// The queue of a stand-alone job; `null` for a job of a run.
    pub queue: Option<String>,
    /// The hash of its code, where that is stopped in its queue; else left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub stopped_code: Option<String>,
    /// The hash of its code.
    pub code: String,
    /// What its code is called: for a job of a run, a file of the workflow.
    pub source: String,
    /// 16 hexadecimal digits, from which its code draws its numbers.
    pub seed: String,
    /// The hash of its run's workflow, or of the one whose kernels it finds; left out for a stand-alone job without any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub workflow: Option<String>,
    /// The type that its result must have; left out where any will do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub returns: Option<String>,
    pub timeout_ms: u32,
    /// How long it waited until it was handed out, to the oldest attempt that is kept; until now or to its end, where there is none.
    #[ts(type = "number")]
    pub waited_ms: i64,
    pub job: JobView,
    /// Oldest first.
    pub attempts: Vec<AttemptView>,
    /// Who of the connected workers may have it; left out where it is not a judged job that waits for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fleet: Option<JobFleet>,
}

/// One handing-out of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct AttemptView {
    pub number: u32,
    /// The id of whose it is; `server` for the server itself.
    pub worker: String,
    #[ts(type = "number")]
    pub started_at: i64,
    /// `null` while the attempt runs, like `end`.
    #[ts(type = "number | null")]
    pub ended_at: Option<i64>,
    /// `completed`, `error`, `expired`, `yielded`, `lost` or `cancelled`.
    pub end: Option<String>,
    /// The kind of the error, if there was one; else `null`, like `message` and `stack`.
    pub kind: Option<String>,
    pub message: Option<String>,
    pub stack: Option<String>,
    /// Microseconds inside `weevil_main`, where a result came.
    #[ts(type = "number")]
    pub compute_us: u64,
    /// How much was done, 0 to 1, by the last heartbeat; `null` where the job's code has not told.
    pub progress: Option<f64>,
    /// What its code has logged: lines; left out where it has logged nothing, and while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub log: Option<String>,
    /// What it gave as an answer; left out where it gave none, and for a job that nobody judges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub answer: Option<AnswerView>,
}

/// What an attempt of a judged job gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct AnswerView {
    /// SHA-256 by which equal values are known; `null` for an error.
    pub digest: Option<String>,
    /// The first eight digits of the fingerprint of the device's key; `null` for a worker without one, and for the server.
    pub device: Option<String>,
    /// `chromium`, `gecko`, `webkit` or `other`; `server` where the server itself has checked it.
    pub engine: String,
    /// How far it counts.
    pub rank: DeviceRank,
    /// What it was asked for: the `first` one of its job, a `check` of that, a `third` and each further one where two were not enough.
    pub role: String,
    /// The lot that it stands in; left out where it stands in none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lot: Option<LotView>,
    /// What the workflow's own proof says of it, `right` or `wrong`; left out where that cannot say, or there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub proof: Option<String>,
    /// `agreed`, `refuted` or `void` (its device was wrong elsewhere); `null` while nothing is decided.
    pub fate: Option<String>,
}

/// The answers of a device for a pool, accepted or refused together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LotView {
    pub answers: u32,
    /// It takes no more of them: which are checked is chosen.
    pub closed: bool,
    /// Answers that were chosen to be checked so far.
    pub checks: u32,
    /// Those of them whose check has ended.
    pub passed: u32,
}
