//! Deciding a batch's reports in their order: what every reporter hears, and what becomes of jobs and attempts.
//!
//! Reads nothing and writes nothing: see `facts.rs` and `complete.rs`.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Serialize;
use weevil_model::{ContentHash, Encoded, JobId};
use weevil_queue::batch::{Change, JobNews, Settled, Verdict};
use weevil_queue::decide::complete::{self as rule, AttemptFacts, Present};
use weevil_queue::decide::effort::{Effort, Seen};
use weevil_queue::{AttemptEnd, AttemptKey, AttemptState, Ended, Report, Submission};

use super::answers::AnswerBook;
use super::case::Case;
use super::changes::JobRows;
use super::facts::{FactBook, Past};
use super::judged::{Bench, may_fail};
use super::spoken::Spoken;
use super::usage::UsageChanges;
use crate::paused::Paused;

/// An attempt that a submission has ended.
pub(crate) struct Decided<'a> {
    submission: &'a Submission,
    /// The submission's, or the error that its value is.
    report: Cow<'a, Report>,
    /// The number of the attempt.
    number: u32,
    effort: Effort,
    /// Its value is the job's, or is kept beside it until it is believed.
    is_stored: bool,
}

/// What is known of the jobs that are reported.
pub(crate) struct Known {
    pub(crate) book: FactBook,
    pub(crate) answers: AnswerBook,
    /// Those of the jobs that are `failing`.
    pub(crate) pasts: HashMap<JobId, Past>,
}

/// Reports as they are heard.
pub(crate) struct Reports<'a, 'b> {
    pub(crate) known: Known,
    bench: &'a mut Bench<'b>,
    present: Present<'a>,
    paused: &'a Paused,
    usage: &'a mut UsageChanges,
    /// Bytes of a value that its job's row takes.
    in_row: usize,
    /// What every reporter hears.
    pub(crate) settled: Vec<Settled>,
    pub(crate) decided: Vec<Decided<'a>>,
    pub(crate) jobs: JobRows,
    /// Jobs with copies out that nobody waits for any more.
    pub(crate) deserted: Vec<JobId>,
    /// Jobs beside which another value was kept.
    pub(crate) replaced: Vec<i64>,
    /// Judged jobs that stood alone and have ended.
    pub(crate) sealed: Vec<JobId>,
}

/// What each report says, once the types of values are known.
pub(crate) fn spoken<'a>(submissions: &'a [Submission], book: &FactBook) -> Vec<Spoken<'a>> {
    let spoken = |submission: &'a Submission| {
        let job = book.job(submission.key);
        let typed = rule::typed(&submission.report, job.and_then(|job| job.returns));
        if job.is_some_and(|job| job.trust.is_judged()) {
            Spoken::of(submission, typed)
        } else {
            Spoken { report: typed, said: None }
        }
    };
    submissions.iter().map(spoken).collect()
}

/// The jobs whose reports are judged by what happened to them before: those that failed, gave a value of another type, or have
/// as many answers as there may be.
pub(crate) fn failing(
    submissions: &[Submission],
    spoken: &[Spoken<'_>],
    book: &FactBook,
    answers: &AnswerBook,
) -> Vec<JobId> {
    let fails = |(submission, spoken): &(&Submission, &Spoken<'_>)| {
        let is_known = book.job(submission.key).is_some();
        let is_error = matches!(*spoken.report, Report::Error(_));
        is_known && (is_error || answers.get(&submission.key.job).is_some_and(may_fail))
    };
    submissions.iter().zip(spoken).filter(fails).map(|(submission, _)| submission.key.job).collect()
}

/// The answer to a submission whose job stays as it is.
fn ignored(key: AttemptKey, verdict: Verdict) -> Settled {
    Settled { key, verdict, holder: None, effort: None, job: None }
}

impl<'a, 'b> Reports<'a, 'b> {
    pub(crate) fn new(
        known: Known,
        bench: &'a mut Bench<'b>,
        present: Present<'a>,
        paused: &'a Paused,
        usage: &'a mut UsageChanges,
        in_row: usize,
    ) -> Self {
        let (settled, decided, jobs) = (Vec::new(), Vec::new(), JobRows::default());
        let (deserted, replaced, sealed) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            known,
            bench,
            present,
            paused,
            usage,
            in_row,
            settled,
            decided,
            jobs,
            deserted,
            replaced,
            sealed,
        }
    }

    /// Each report meets what those before it did.
    pub(crate) fn hear(&mut self, submission: &'a Submission, spoken: Spoken<'a>) {
        let (key, present, Spoken { report, said }) = (submission.key, self.present, spoken);
        let Some((job, attempt)) = self.known.book.get(key) else {
            return self.settled.push(ignored(key, Verdict::Unknown));
        };
        let AttemptFacts { number, worker, started_at, state } = *attempt;
        let mut case = Case {
            id: key.job,
            job,
            attempt,
            present,
            paused: self.paused,
            past: self.known.pasts.get_mut(&key.job),
            judged: self.known.answers.get_mut(&key.job),
            bench: &mut *self.bench,
            in_row: self.in_row,
            deserts: false,
            keeps: false,
            instead: None,
        };
        let (change, row) = match case.hear(&report, said) {
            Ok(changed) => changed,
            Err(verdict) => return self.settled.push(ignored(key, verdict)),
        };
        let report = case.instead.take().map_or(report, |failure| Cow::Owned(Report::Error(failure)));
        let keeps = case.keeps;
        self.deserted.extend(case.deserts.then_some(key.job));
        let is_sealed = job.ended && job.run.is_none() && job.trust.is_judged();
        self.sealed.extend(is_sealed.then_some(key.job));
        self.usage.change(job.project, &change);
        let is_stored = keeps || matches!(change, Change::Ended(Ended::Value(_)));
        let news = JobNews { id: key.job, run: job.run, path: job.path.clone(), change };
        self.jobs.enter(&mut job.row, row);
        if is_stored {
            self.store(key.job, &report, keeps);
        }
        let seen = Seen { handed_out: started_at, reported: present.now, slots: submission.slots };
        let effort = Effort::judged(submission.claimed, seen);
        self.settled.push(Settled {
            key,
            verdict: Verdict::Accepted,
            holder: matches!(state, AttemptState::Open { .. }).then_some(worker),
            effort: Some(effort),
            job: Some(news),
        });
        self.decided.push(Decided { submission, report, number, effort, is_stored });
    }
}

impl Reports<'_, '_> {
    /// What stood beside a judged job before makes room for what was reported, which is counted already where that has ended the job.
    fn store(&mut self, id: JobId, report: &Report, keeps: bool) {
        let (Some(judged), Report::Value(value)) = (self.known.answers.get_mut(&id), report) else { return };
        let bytes = value.as_bytes().len() as u64;
        self.usage.give_back(judged.project, judged.stored);
        self.usage.keep(judged.project, if keeps { bytes } else { 0 });
        self.replaced.extend((judged.stored > 0).then_some(id.number()));
        judged.stored = bytes;
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

    /// The value that is stored with its job.
    pub(crate) fn value(&self) -> Option<(JobId, &Encoded)> {
        match &*self.report {
            Report::Value(value) if self.is_stored => Some((self.submission.key.job, value)),
            Report::Value(_) | Report::Error(_) => None,
        }
    }

    /// The device whose value is stored: a job's, or an answer.
    pub(crate) fn device(&self) -> Option<ContentHash> {
        let is_value = matches!(*self.report, Report::Value(_));
        self.submission.reporter.device.filter(|_| is_value)
    }
}
