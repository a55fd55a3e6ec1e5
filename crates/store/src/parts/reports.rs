//! Deciding a batch's reports in their order: what every reporter hears, and what becomes of jobs and attempts.
//!
//! Reads nothing and writes nothing: see `facts.rs` and `complete.rs`.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Serialize;
use weevil_model::{ContentHash, Encoded, JobId};
use weevil_queue::batch::{Change, JobNews, Settled, Verdict};
use weevil_queue::decide::complete::{self as rule, AttemptFacts, Decision, Present};
use weevil_queue::decide::copies::Stand;
use weevil_queue::decide::effort::{Effort, Seen};
use weevil_queue::decide::retry::pause;
use weevil_queue::decide::wait::wait;
use weevil_queue::{
    Attempt, AttemptEnd, AttemptKey, AttemptState, Ended, Failure, Outcome, Report, Submission,
};
use weevil_records::StoreError;

use super::changes::{JobRow, JobRows};
use super::facts::{FactBook, Past, Reported};
use super::usage::UsageChanges;
use crate::json::{corrupt, hex, within};
use crate::paused::Paused;

/// An attempt that a submission has ended.
pub(crate) struct Decided<'a> {
    submission: &'a Submission,
    /// The submission's, or the error that its value is.
    report: Cow<'a, Report>,
    /// The number of the attempt.
    number: u32,
    effort: Effort,
}

/// Reports as they are heard.
pub(crate) struct Reports<'a> {
    book: FactBook,
    /// Those of the jobs that are `failing`.
    pasts: HashMap<JobId, Past>,
    present: Present<'a>,
    paused: &'a Paused,
    usage: &'a mut UsageChanges,
    /// Bytes of a value that its job's row takes.
    in_row: usize,
    /// What every reporter hears.
    pub(crate) settled: Vec<Settled>,
    pub(crate) decided: Vec<Decided<'a>>,
    pub(crate) jobs: JobRows,
    /// Jobs that have ended with copies out.
    pub(crate) deserted: Vec<JobId>,
}

/// The jobs whose reports are judged by what happened to them before: those that failed, or gave a value of another type.
pub(crate) fn failing(submissions: &[Submission], book: &FactBook) -> Vec<JobId> {
    let failed = |submission: &&Submission| {
        let job = book.job(submission.key);
        job.is_some_and(|job| matches!(*rule::typed(&submission.report, job.returns), Report::Error(_)))
    };
    submissions.iter().filter(failed).map(|submission| submission.key.job).collect()
}

/// The answer to a submission whose job stays as it is.
fn ignored(key: AttemptKey, verdict: Verdict) -> Settled {
    Settled { key, verdict, holder: None, effort: None, job: None }
}

impl<'a> Reports<'a> {
    pub(crate) fn new(
        book: FactBook,
        pasts: HashMap<JobId, Past>,
        present: Present<'a>,
        paused: &'a Paused,
        usage: &'a mut UsageChanges,
        in_row: usize,
    ) -> Self {
        let (settled, decided, deserted, jobs) = (Vec::new(), Vec::new(), Vec::new(), JobRows::default());
        Self { book, pasts, present, paused, usage, in_row, settled, decided, jobs, deserted }
    }

    /// Each report meets what those before it did.
    pub(crate) fn hear(&mut self, submission: &'a Submission) -> Result<(), StoreError> {
        let (key, present) = (submission.key, self.present);
        let Some((job, attempt)) = self.book.get(key) else {
            self.settled.push(ignored(key, Verdict::Unknown));
            return Ok(());
        };
        let AttemptFacts { number, worker, started_at, state } = *attempt;
        let report = rule::typed(&submission.report, job.returns);
        let mut case = Case { id: key.job, job, attempt, present, deserts: false };
        let judged = match &*report {
            Report::Value(value) => case.value(value, self.in_row),
            Report::Error(failure) => {
                let past =
                    self.pasts.get_mut(&key.job).ok_or_else(|| corrupt("a failed job without a past"))?;
                case.error(failure, past, self.paused)
            }
        };
        let (change, row) = match judged {
            Ok(judged) => judged,
            Err(verdict) => {
                self.settled.push(ignored(key, verdict));
                return Ok(());
            }
        };
        self.deserted.extend(case.deserts.then_some(key.job));
        self.usage.change(job.project, &change);
        let news = JobNews { id: key.job, run: job.run, path: job.path.clone(), change };
        self.jobs.enter(&mut job.row, row);
        let seen = Seen { handed_out: started_at, reported: present.now, slots: submission.slots };
        let effort = Effort::judged(submission.claimed, seen);
        self.settled.push(Settled {
            key,
            verdict: Verdict::Accepted,
            holder: matches!(state, AttemptState::Open { .. }).then_some(worker),
            effort: Some(effort),
            job: Some(news),
        });
        self.decided.push(Decided { submission, report, number, effort });
        Ok(())
    }
}

/// A job, and one of its attempts that is reported.
struct Case<'c> {
    id: JobId,
    job: &'c mut Reported,
    attempt: &'c mut AttemptFacts,
    present: Present<'c>,
    /// The job ends while other copies are out.
    deserts: bool,
}

/// What a report changes, or why it changes nothing.
type Judged = Result<(Change, JobRow), Verdict>;

impl Case<'_> {
    /// A value of more than `in_row` bytes is left out of the row.
    fn value(&mut self, value: &Encoded, in_row: usize) -> Judged {
        if let Decision::Ignore(verdict) = rule::value(self.job.facts(), self.attempt, self.present.now) {
            return Err(verdict);
        }
        self.end_job(AttemptEnd::Completed);
        let row = JobRow::ended(self.id, Outcome::Value, Some(hex(within(value, in_row))), 0);
        Ok((Change::Ended(Ended::Value(value.clone())), row))
    }

    /// The past moves on with each error, so that a second one in the same batch is judged as the later one.
    fn error(&mut self, failure: &Failure, past: &mut Past, paused: &Paused) -> Judged {
        let known = (past.tried, past.history.as_slice());
        let decision = rule::error(self.job.facts(), self.attempt, failure, known, self.present);
        match decision {
            Decision::Ignore(verdict) => return Err(verdict),
            Decision::Finish => return Err(Verdict::Superseded),
            Decision::Retry | Decision::Fail => {}
        }
        let AttemptFacts { number, worker, .. } = *self.attempt;
        let failure = Some(failure.clone());
        past.history.push(Attempt { number, worker, end: AttemptEnd::Error, failure });
        if decision == Decision::Fail {
            self.end_job(AttemptEnd::Error);
            let change = Change::Ended(Ended::Failed(past.history.clone()));
            return Ok((change, JobRow::ended(self.id, Outcome::Failed, None, 1)));
        }
        self.end_attempt(AttemptEnd::Error);
        let pause_ms = pause(past.retry_ms, past.tried.failures, self.id);
        past.tried.failures = past.tried.failures.saturating_add(1);
        let patience = paused.patience(self.job.run, past.max_wait_ms);
        let stand = self.job.copies.returned(wait(patience, pause_ms, self.present.now));
        self.job.copies = stand.copies;
        Ok((Change::returned(stand.copies), JobRow::new(self.id, stand, 1)))
    }

    fn end_attempt(&mut self, end: AttemptEnd) {
        self.attempt.state = AttemptState::Ended { end, at: self.present.now };
    }

    /// An attempt that had ended already is not among the copies that are out.
    fn end_job(&mut self, end: AttemptEnd) {
        let mine = u32::from(matches!(self.attempt.state, AttemptState::Open { .. }));
        self.deserts = self.job.copies.open > mine;
        self.end_attempt(end);
        self.job.ended = true;
        self.job.copies = Stand::ENDED.copies;
    }
}

impl Decided<'_> {
    /// job, number, ending, slot, compute microseconds, flops, kind, message, stack, log
    pub(crate) fn attempt_row(&self) -> impl Serialize + Sync {
        let (end, failure) = match &*self.report {
            Report::Value(_) => (AttemptEnd::Completed, None),
            Report::Error(failure) => (AttemptEnd::Error, Some(failure)),
        };
        (
            self.submission.key.job.number(),
            self.number,
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
        match &*self.report {
            Report::Value(value) => Some((self.submission.key.job, value)),
            Report::Error(_) => None,
        }
    }

    /// The device whose value ends the job.
    pub(crate) fn device(&self) -> Option<ContentHash> {
        self.value().and(self.submission.reporter.device)
    }
}
