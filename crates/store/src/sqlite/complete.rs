//! Applying workers' reports: facts are read for the whole batch, the rules decide, the changes are written at once.

use std::borrow::Cow;

use serde::Serialize;
use sqlx::SqliteConnection;
use weevil_model::{Timestamp, WorkerId};
use weevil_queue::batch::{Change, JobNews, Settled, Verdict};
use weevil_queue::decide::complete::{self as rule, Decision};
use weevil_queue::{Attempt, AttemptEnd, AttemptKey, Delivery, Ended, Report, StoreError, Submission};

use super::facts::{FactBook, Facts, history};
use super::rows::{failed, hex, json};

const END_ATTEMPTS: &str = "
update attempts set ending = s.value ->> 2, ended_at = ?2, slot = s.value ->> 3, compute_us = s.value ->> 4,
    flops = s.value ->> 5, error_kind = s.value ->> 6, error_message = s.value ->> 7, error_stack = s.value ->> 8
from json_each(?1) s where attempts.job = s.value ->> 0 and attempts.number = s.value ->> 1";

const UPDATE_JOBS: &str = "
update jobs set delivery = s.value ->> 1, outcome = s.value ->> 2, result = unhex(s.value ->> 3),
    failures = failures + (s.value ->> 4), ended_at = iif(s.value ->> 1 = 2, ?2, null),
    lease_token = null, lease_worker = null, lease_deadline = null
from json_each(?1) s where jobs.id = s.value ->> 0";

/// job, number, ending, slot, compute microseconds, flops, kind, message, stack
#[derive(Serialize)]
struct AttemptRow<'a>(
    i64,
    u32,
    &'static str,
    u32,
    u64,
    f64,
    Option<&'a str>,
    Option<&'a str>,
    Option<&'a str>,
);

/// id, delivery, outcome, result, failures to add
#[derive(Serialize)]
struct JobRow(i64, u8, Option<&'static str>, Option<String>, u8);

/// What a submission does to its job.
struct Decided<'a> {
    submission: &'a Submission,
    /// The submission's, or the error that its value is.
    report: Cow<'a, Report>,
    known: Facts,
    decision: Decision,
}

pub(super) async fn complete(
    tx: &mut SqliteConnection,
    submissions: &[Submission],
    now: Timestamp,
) -> Result<Vec<Settled>, StoreError> {
    if submissions.is_empty() {
        return Ok(Vec::new());
    }
    let mut facts = FactBook::read(tx, submissions).await?;
    let mut settled = Vec::with_capacity(submissions.len());
    let mut decided = Vec::new();
    for submission in submissions {
        let Some(known) = facts.get(submission.key) else {
            settled.push(ignored(submission.key, Verdict::Unknown));
            continue;
        };
        let report = rule::typed(&submission.report, known.returns);
        let decision = decide(tx, submission.key, &report, &known).await?;
        settled.push(settle(tx, submission.key, &report, &known, decision).await?);
        if !matches!(decision, Decision::Ignore(_)) {
            facts.note(submission.key, decision);
            decided.push(Decided { submission, report, known, decision });
        }
    }
    write(tx, &decided, now).await?;
    Ok(settled)
}

async fn decide(
    tx: &mut SqliteConnection,
    key: AttemptKey,
    report: &Report,
    known: &Facts,
) -> Result<Decision, StoreError> {
    let attempt = known.attempt.as_ref();
    Ok(match report {
        Report::Value(_) => rule::value(&known.job, attempt, key.token),
        Report::Error(failure) => {
            let history = history(tx, key.job).await?;
            rule::error(&known.job, attempt, key.token, failure, &history)
        }
    })
}

async fn settle(
    tx: &mut SqliteConnection,
    key: AttemptKey,
    report: &Report,
    known: &Facts,
    decision: Decision,
) -> Result<Settled, StoreError> {
    let change = match (decision, report) {
        (Decision::Ignore(verdict), _) => return Ok(ignored(key, verdict)),
        (Decision::Retry, _) => Change::Requeued,
        (Decision::Fail, Report::Error(failure)) => {
            let mut attempts = history(tx, key.job).await?;
            attempts.extend(known.attempt.map(|facts| Attempt {
                number: facts.number,
                worker: facts.worker,
                end: AttemptEnd::Error,
                failure: Some(failure.clone()),
            }));
            Change::Ended(Ended::Failed(attempts))
        }
        (_, Report::Value(value)) => Change::Ended(Ended::Value(value.clone())),
        (Decision::Finish, Report::Error(_)) => return Ok(ignored(key, Verdict::Superseded)),
    };
    let held: Option<WorkerId> = match known.job.delivery {
        Delivery::Leased(lease) => Some(lease.worker),
        Delivery::Ready | Delivery::Ended => None,
    };
    let job = JobNews { run: known.run, path: known.path.clone(), change };
    Ok(Settled { key, verdict: Verdict::Accepted, worker: held, job: Some(job) })
}

fn ignored(key: AttemptKey, verdict: Verdict) -> Settled {
    Settled { key, verdict, worker: None, job: None }
}

async fn write(tx: &mut SqliteConnection, decided: &[Decided<'_>], now: Timestamp) -> Result<(), StoreError> {
    if decided.is_empty() {
        return Ok(());
    }
    let attempts: Vec<AttemptRow<'_>> = decided.iter().map(attempt_row).collect();
    let jobs: Vec<JobRow> = decided.iter().map(job_row).collect();
    for (statement, rows) in [(END_ATTEMPTS, json(&attempts)?), (UPDATE_JOBS, json(&jobs)?)] {
        let done = sqlx::query(statement).bind(rows).bind(now.0).execute(&mut *tx).await;
        done.map_err(failed("completing"))?;
    }
    Ok(())
}

fn attempt_row<'a>(decided: &'a Decided<'_>) -> AttemptRow<'a> {
    let Decided { submission, report, known, .. } = decided;
    let number = known.attempt.map_or(0, |attempt| attempt.number);
    let (end, failure) = match &**report {
        Report::Value(_) => (AttemptEnd::Completed, None),
        Report::Error(failure) => (AttemptEnd::Error, Some(failure)),
    };
    AttemptRow(
        submission.key.job.number(),
        number,
        end.as_str(),
        submission.slot,
        submission.compute_us,
        submission.flops,
        failure.map(|f| f.kind.as_str()),
        failure.map(|f| f.message.as_str()),
        failure.map(|f| f.stack.as_str()),
    )
}

fn job_row(decided: &Decided<'_>) -> JobRow {
    let id = decided.submission.key.job.number();
    match (decided.decision, &*decided.report) {
        (Decision::Finish, Report::Value(value)) => {
            JobRow(id, 2, Some("value"), Some(hex(value.as_bytes())), 0)
        }
        (Decision::Fail, _) => JobRow(id, 2, Some("failed"), None, 1),
        _ => JobRow(id, 0, None, None, 1),
    }
}
