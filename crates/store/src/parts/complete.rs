//! Applying workers' reports: facts are read for the whole batch, the rules decide, the changes are written at once.

use std::borrow::Cow;
use std::collections::HashMap;

use const_format::formatcp;
use serde::Serialize;
use weevil_model::{ContentHash, Encoded, JobId, Timestamp, WorkerId};
use weevil_queue::batch::{Change, JobNews, Settled, Verdict};
use weevil_queue::decide::complete::{self as rule, AttemptFacts, Decision, Present};
use weevil_queue::decide::effort::{Effort, Seen};
use weevil_queue::decide::retry::pause;
use weevil_queue::decide::wait::{Wait, wait};
use weevil_queue::{
    Attempt, AttemptEnd, AttemptKey, Batch, Ended, Failure, Lease, Outcome, Report, Submission,
};
use weevil_records::StoreError;

use super::devices;
use super::facts::{self, FactBook, Facts, Past};
use crate::driver::Dialect;
use crate::fault::Fault;
use crate::json::{corrupt, hex, within};
use crate::paused::Paused;
use crate::sql::Sql;
use crate::words::{ENDED, VALUE, code, word};

/// By the primary key: whatever the batch, one statement.
const END_ATTEMPTS: Sql = Sql {
    doing: "completing",
    sqlite: "
update attempts set ending = s.value ->> 2, ended_at = ?2, slot = s.value ->> 3, compute_us = s.value ->> 4,
    flops = s.value ->> 5, error_kind = s.value ->> 6, error_message = s.value ->> 7, error_stack = s.value ->> 8,
    log = s.value ->> 9
from json_each(?1) s where attempts.job = s.value ->> 0 and attempts.number = s.value ->> 1",
    mysql: "
update json_table(?, '$[*]' columns (
    job bigint path '$[0]', number bigint path '$[1]', ending varchar(16) path '$[2]', slot bigint path '$[3]',
    compute_us bigint path '$[4]', flops double path '$[5]',
    error_kind longtext character set utf8mb4 path '$[6]', error_message longtext character set utf8mb4 path '$[7]',
    error_stack longtext character set utf8mb4 path '$[8]', log longtext character set utf8mb4 path '$[9]')) s
straight_join attempts a on a.job = s.job and a.number = s.number
set a.ending = s.ending, a.ended_at = ?, a.slot = s.slot, a.compute_us = s.compute_us, a.flops = s.flops,
    a.error_kind = s.error_kind, a.error_message = s.error_message, a.error_stack = s.error_stack,
    a.log = s.log",
};

/// The same for the jobs. Values travel in hexadecimal, since JSON has no bytes.
const UPDATE_JOBS: Sql = Sql {
    doing: "completing",
    sqlite: formatcp!(
    "
update jobs set delivery = s.value ->> 1, outcome = s.value ->> 2, result = unhex(s.value ->> 3),
    failures = failures + (s.value ->> 4), ended_at = iif(s.value ->> 1 = {ENDED}, ?2, null),
    lease_token = null, lease_worker = null, due_at = s.value ->> 5
from json_each(?1) s where jobs.id = s.value ->> 0"
),
    mysql: formatcp!("
update json_table(?, '$[*]' columns (
    id bigint path '$[0]', delivery bigint path '$[1]', outcome varchar(16) path '$[2]', result longtext path '$[3]',
    counted bigint path '$[4]', due_at bigint path '$[5]')) s
straight_join jobs j on j.id = s.id
set j.delivery = s.delivery, j.outcome = s.outcome, j.result = unhex(s.result), j.failures = j.failures + s.counted,
    j.ended_at = if(s.delivery = {ENDED}, ?, null), j.lease_token = null, j.lease_worker = null, j.due_at = s.due_at"),
};

pub(crate) async fn complete<T: Dialect>(
    tx: &mut T,
    batch: &Batch,
    paused: &Paused,
    now: Timestamp,
) -> Result<Vec<Settled>, Fault> {
    let submissions = batch.complete.as_slice();
    if submissions.is_empty() {
        return Ok(Vec::new());
    }
    let facts = facts::read(tx, submissions).await?;
    let pasts = facts::pasts(tx, &failing(submissions, &facts)).await?;
    let present = Present { now, company: &batch.company };
    let (settled, changes) = decide_all(submissions, facts, &pasts, present)?;
    let attempts: Vec<AttemptRow<'_>> = changes.iter().map(Decided::attempt_row).collect();
    let jobs: Vec<JobRow> = changes.iter().map(|change| change.job_row(paused, now, T::IN_ROW)).collect();
    tx.change(&END_ATTEMPTS, &attempts, &[now.into()]).await?;
    tx.change(&UPDATE_JOBS, &jobs, &[now.into()]).await?;
    tx.keep_results(&changes).await?;
    devices::count(tx, changes.iter().filter_map(Decided::device), now).await?;
    Ok(settled)
}

/// job, number, ending, slot, compute microseconds, flops, kind, message, stack, log
#[derive(Serialize)]
pub(crate) struct AttemptRow<'a>(
    i64,
    u32,
    &'static str,
    u32,
    u64,
    f64,
    Option<&'a str>,
    Option<&'a str>,
    Option<&'a str>,
    Option<&'a str>,
);

/// id, delivery, outcome, result, failures to add, due moment
#[derive(Serialize)]
pub(crate) struct JobRow(i64, u8, Option<&'static str>, Option<String>, u8, Option<i64>);

/// What a submission does to its job.
pub(crate) struct Decided<'a> {
    pub(crate) submission: &'a Submission,
    /// The submission's, or the error that its value is.
    pub(crate) report: Cow<'a, Report>,
    pub(crate) known: Facts,
    /// The history of a job that is reported to have failed.
    past: Option<&'a Past>,
    pub(crate) decision: Decision,
    pub(crate) effort: Effort,
}

/// The jobs whose reports are judged by what happened to them before: those that failed, or gave a value of another type.
pub(crate) fn failing(submissions: &[Submission], facts: &FactBook) -> Vec<JobId> {
    let failed = |submission: &&Submission| {
        let known = facts.first(submission.key);
        known.is_some_and(|known| matches!(*rule::typed(&submission.report, known.returns), Report::Error(_)))
    };
    submissions.iter().filter(failed).map(|submission| submission.key.job).collect()
}

/// Decides a whole batch in its order: each report meets what those before it did. `pasts` are those of the jobs that are
/// `failing`. Answers what every reporter hears, and what is to be written.
pub(crate) fn decide_all<'a>(
    submissions: &'a [Submission],
    mut facts: FactBook,
    pasts: &'a HashMap<JobId, Past>,
    present: Present<'_>,
) -> Result<(Vec<Settled>, Vec<Decided<'a>>), StoreError> {
    let mut settled = Vec::with_capacity(submissions.len());
    let mut changes = Vec::new();
    for submission in submissions {
        let Some(known) = facts.get(submission.key) else {
            settled.push(ignored(submission.key, Verdict::Unknown));
            continue;
        };
        let report = rule::typed(&submission.report, known.returns);
        let decided = decide(submission, report, known, pasts.get(&submission.key.job), present)?;
        settled.push(decided.settle());
        if !matches!(decided.decision, Decision::Ignore(_)) {
            facts.note(submission.key, decided.decision);
            changes.push(decided);
        }
    }
    Ok((settled, changes))
}

fn decide<'a>(
    submission: &'a Submission,
    report: Cow<'a, Report>,
    known: Facts,
    past: Option<&'a Past>,
    present: Present<'_>,
) -> Result<Decided<'a>, StoreError> {
    let token = submission.key.token;
    let decision = match &*report {
        Report::Value(_) => rule::value(known.lease, &known.attempt, token, present.now),
        Report::Error(failure) => {
            let Past { tried, history, .. } = past.ok_or_else(|| corrupt("a failed job without a past"))?;
            rule::error(known.lease, &known.attempt, token, failure, (*tried, history), present)
        }
    };
    let seen = Seen { handed_out: known.attempt.started_at, reported: present.now, slots: submission.slots };
    let effort = Effort::judged(submission.claimed, seen);
    Ok(Decided { submission, report, known, past, decision, effort })
}

/// The answer to a submission whose job stays as it is.
fn ignored(key: AttemptKey, verdict: Verdict) -> Settled {
    Settled { key, verdict, holder: None, effort: None, job: None }
}

impl Decided<'_> {
    fn settle(&self) -> Settled {
        let key = self.submission.key;
        let change = match (self.decision, &*self.report) {
            (Decision::Ignore(verdict), _) => return ignored(key, verdict),
            (Decision::Finish, Report::Error(_)) => return ignored(key, Verdict::Superseded),
            (Decision::Retry, _) => Change::Requeued,
            (Decision::Fail, Report::Error(failure)) => Change::Ended(self.failed(failure)),
            (_, Report::Value(value)) => Change::Ended(Ended::Value(value.clone())),
        };
        let job = JobNews { id: key.job, run: self.known.run, path: self.known.path.clone(), change };
        Settled {
            key,
            verdict: Verdict::Accepted,
            holder: self.holder(),
            effort: Some(self.effort),
            job: Some(job),
        }
    }

    fn failed(&self, failure: &Failure) -> Ended {
        let mut history = self.past.map(|past| past.history.clone()).unwrap_or_default();
        let AttemptFacts { number, worker, .. } = self.known.attempt;
        history.push(Attempt { number, worker, end: AttemptEnd::Error, failure: Some(failure.clone()) });
        Ended::Failed(history)
    }

    /// Only who holds a job, or has lost it, changes anything.
    fn holder(&self) -> Option<WorkerId> {
        matches!(self.known.lease, Lease::Token(_)).then_some(self.known.attempt.worker)
    }

    pub(crate) fn attempt_row(&self) -> AttemptRow<'_> {
        let (end, failure) = match &*self.report {
            Report::Value(_) => (AttemptEnd::Completed, None),
            Report::Error(failure) => (AttemptEnd::Error, Some(failure)),
        };
        AttemptRow(
            self.submission.key.job.number(),
            self.known.attempt.number,
            end.as_str(),
            self.effort.slot(),
            self.effort.compute_us(),
            self.effort.flops(),
            failure.map(|f| f.kind.as_str()),
            failure.map(|f| f.message.as_str()),
            failure.map(|f| f.stack.as_str()),
            self.submission.log.as_deref(),
        )
    }

    /// The value that ends the job.
    pub(crate) fn value(&self) -> Option<(JobId, &Encoded)> {
        match (self.decision, &*self.report) {
            (Decision::Finish, Report::Value(value)) => Some((self.submission.key.job, value)),
            _ => None,
        }
    }

    /// The device whose value ends the job.
    fn device(&self) -> Option<ContentHash> {
        self.value().and(self.submission.reporter.device)
    }

    /// A value of more than `in_row` bytes is left out.
    pub(crate) fn job_row(&self, paused: &Paused, now: Timestamp, in_row: usize) -> JobRow {
        let id = self.submission.key.job.number();
        match (self.decision, &*self.report, self.past) {
            (Decision::Finish, Report::Value(value), _) => {
                JobRow(id, ENDED, Some(VALUE), Some(hex(within(value, in_row))), 0, None)
            }
            (Decision::Retry, _, Some(past)) => {
                let wait = self.wait(past, paused, now);
                JobRow(id, code(wait.delivery), None, None, 1, wait.due.map(|due| due.0))
            }
            _ => JobRow(id, ENDED, Some(word(Outcome::Failed)), None, 1, None),
        }
    }

    fn wait(&self, past: &Past, paused: &Paused, now: Timestamp) -> Wait {
        let pause_ms = pause(past.retry_ms, past.tried.failures, self.submission.key.job);
        wait(paused.patience(self.known.run, past.max_wait_ms), pause_ms, now)
    }
}
