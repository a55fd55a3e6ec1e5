//! Jobs, reports of them, and what a database says has become of them: by small numbers.

use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::{
    Agree, Arguments, ContentHash, Encoded, JobId, Needs, ProjectId, RunId, Timestamp, Value, WorkerId,
};
use weevil_queue::batch::{Change, JobNews, Returned, Ruled, Settled, Verdict};
use weevil_queue::decide::effort::Seen;
use weevil_queue::{
    AttemptEnd, AttemptKey, Claimed, ClaimedEffort, Closing, Effort, Ended, Failure, NewJob, Origin, Report,
    Reporter, Submission,
};

use super::START;

/// The run of every node of a test.
pub(crate) const RUN: i64 = 7;
/// What a worker claims that its attempts cost.
const CLAIMED: ClaimedEffort = ClaimedEffort { slot: 0, compute_us: 1, flops: 0.0 };

pub(crate) fn worker(number: i64) -> WorkerId {
    WorkerId::from_number(number).unwrap()
}

pub(crate) fn job(number: i64) -> JobId {
    JobId::from_number(number).unwrap()
}

pub(crate) fn run(number: i64) -> RunId {
    RunId::from_number(number).unwrap()
}

/// The attempt of the job with this number that a test speaks of.
pub(crate) fn key(number: i64) -> AttemptKey {
    AttemptKey { job: job(number), token: number }
}

/// The path of the node whose job has this number.
pub(crate) fn path(number: i64) -> String {
    format!("n{number}")
}

pub(crate) fn value() -> Encoded {
    Encoded::of(&Value::Null).unwrap()
}

/// The job of a node of the run.
pub(crate) fn new_job(number: i64) -> NewJob {
    NewJob {
        id: job(number),
        project: ProjectId::DEFAULT,
        origin: Origin::Run(run(RUN)),
        path: path(number).into(),
        code: ContentHash::of(b"code"),
        source: "a.js".into(),
        input: Arguments::each(vec![value()]).unwrap(),
        returns: None,
        reuse: false,
        seed: 1,
        priority: 0,
        needs: Needs::JAVASCRIPT,
        delay_ms: 0,
        max_wait_ms: None,
        retry_ms: 0,
        timeout_ms: 1_000,
        max_attempts: 3,
        copies: 1,
        trust: Policy::None,
        assumed: AssumedShare::default(),
        agree: Agree::Exact,
        proof: None,
        within: None,
        kernels: None,
        in_pool: false,
    }
}

/// A job that stands alone.
pub(crate) fn alone(number: i64) -> NewJob {
    NewJob { origin: Origin::Queue("queue".into()), ..new_job(number) }
}

/// Worker 1 reports a value.
pub(crate) fn report(number: i64) -> Submission {
    let reporter = Reporter { worker: worker(1), device: None };
    let report = Report::Value(value());
    Submission { key: key(number), reporter, report, claimed: CLAIMED, slots: 1, digest: None, log: None }
}

/// Worker 1 reports an error.
pub(crate) fn failed(number: i64) -> Submission {
    let failure = Failure { kind: "thrown".into(), message: "boom".into(), stack: String::new() };
    Submission { report: Report::Error(failure), ..report(number) }
}

/// News of the job of a node.
pub(crate) fn news(number: i64, change: Change) -> JobNews {
    JobNews { id: job(number), run: Some(run(RUN)), path: path(number), change }
}

/// A job's value, as news.
pub(crate) fn ended() -> Change {
    Change::Ended(Ended::Value(value()))
}

/// What an attempt cost.
pub(crate) fn effort() -> Effort {
    Effort::judged(CLAIMED, Seen { handed_out: START, reported: START, slots: 1 })
}

/// The report of an attempt that this worker held was taken.
pub(crate) fn settled(number: i64, holder: i64, change: Change) -> Settled {
    Settled {
        key: key(number),
        verdict: Verdict::Accepted,
        holder: Some(worker(holder)),
        effort: Some(effort()),
        job: Some(news(number, change)),
    }
}

/// A job was decided with a lot; its value is this worker's.
pub(crate) fn ruled(number: i64, change: Change, by: Option<i64>) -> Ruled {
    Ruled { job: news(number, change), work: by.map(|by| (worker(by), effort())) }
}

/// The pool at this path, of the run.
pub(crate) fn closing(node: &str) -> Closing {
    Closing { run: run(RUN), node: node.into() }
}

/// A report that changed nothing.
pub(crate) fn stale(number: i64, verdict: Verdict) -> Settled {
    Settled { key: key(number), verdict, holder: None, effort: None, job: None }
}

/// An attempt of a worker came back without a report, and waits for the next.
pub(crate) fn returned(number: i64, holder: i64, end: AttemptEnd) -> Returned {
    Returned { key: key(number), worker: worker(holder), end, job: news(number, Change::Requeued) }
}

/// The job of a node, handed to a worker.
pub(crate) fn claimed(number: i64, by: i64) -> Claimed {
    Claimed {
        key: key(number),
        worker: worker(by),
        project: ProjectId::DEFAULT,
        run: Some(run(RUN)),
        path: path(number),
        workflow: ContentHash::of(b"workflow"),
        workflow_name: "w".into(),
        code: ContentHash::of(b"code"),
        source: "a.js".into(),
        input: value(),
        seed: 1,
        needs: Needs::JAVASCRIPT,
        timeout_ms: 1_000,
        deadline: Timestamp(START.0 + 60_000),
        judged: false,
    }
}
