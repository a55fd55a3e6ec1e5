//! A job and one of its attempts that is reported: what the report makes of both.
//!
//! Reads nothing and writes nothing: see `reports.rs`.

use weevil_model::{AnswerRole, Encoded, JobId};
use weevil_queue::batch::{Change, Verdict};
use weevil_queue::decide::company::Tried;
use weevil_queue::decide::complete::{self as rule, AttemptFacts, Decision, JobFacts, Present};
use weevil_queue::decide::copies::{Copies, Stand};
use weevil_queue::decide::retry::pause;
use weevil_queue::decide::wait::wait;
use weevil_queue::{Attempt, AttemptEnd, AttemptState, Ended, Failure, Outcome, Report};
use weevil_trust::Said;

use super::changes::JobRow;
use super::facts::{Past, Reported};
use super::judged::{Bench, Judged, disputed};
use super::judged_job::JudgedJob;
use crate::json::{hex, within};
use crate::paused::Paused;

pub(crate) struct Case<'c, 'b> {
    pub(crate) id: JobId,
    pub(crate) job: &'c mut Reported,
    pub(crate) attempt: &'c mut AttemptFacts,
    pub(crate) present: Present<'c>,
    pub(crate) paused: &'c Paused,
    /// What happened before to a job that may fail by this report.
    pub(crate) past: Option<&'c mut Past>,
    /// `None` for a job that nobody judges.
    pub(crate) judged: Option<&'c mut JudgedJob>,
    pub(crate) bench: &'c mut Bench<'b>,
    /// Bytes of a value that its job's row takes.
    pub(crate) in_row: usize,
    /// Copies of the job are out that nobody waits for any more.
    pub(crate) deserts: bool,
    /// Its value is kept beside the job, which goes on.
    pub(crate) keeps: bool,
    /// What the attempt has come to, where that is not what it reported.
    pub(crate) instead: Option<Failure>,
}

/// What a report changes, or why it changes nothing.
pub(crate) type Heard = Result<(Change, JobRow), Verdict>;

impl Case<'_, '_> {
    /// `said`: what it is as an answer; `None` for an error of the machine, and for a job that nobody judges.
    pub(crate) fn hear(&mut self, report: &Report, said: Option<Said>) -> Heard {
        match (said, report) {
            (Some(said), report) => self.answer(said, report),
            (None, Report::Value(value)) => self.value(value),
            (None, Report::Error(failure)) => self.error(failure),
        }
    }

    fn facts(&self) -> JobFacts {
        self.job.facts(self.judged.as_ref().map_or(0, |judged| judged.answered()))
    }

    fn value(&mut self, value: &Encoded) -> Heard {
        match rule::value(self.facts(), self.attempt, self.present.now) {
            Decision::Ignore(verdict) => Err(verdict),
            _ => Ok(self.valued(value)),
        }
    }

    /// The past moves on with each error, so that a second one in the same batch is judged as the later one.
    fn error(&mut self, failure: &Failure) -> Heard {
        let facts = self.facts();
        let past = self.past.as_mut().ok_or(Verdict::Unknown)?;
        let number = self.attempt.number;
        let witnesses = self.judged.as_ref().map(|judged| judged.witnesses_of(&past.history, number));
        let known = (Tried { witnesses, ..past.tried }, past.history.as_slice());
        match rule::error(facts, self.attempt, failure, known, self.present) {
            Decision::Ignore(verdict) => return Err(verdict),
            Decision::Finish => return Err(Verdict::Superseded),
            Decision::Fail => return Ok(self.failed(failure)),
            Decision::Retry => {}
        }
        let pause_ms = pause(past.retry_ms, past.tried.failures, self.id);
        past.tried.failures = past.tried.failures.saturating_add(1);
        let patience = self.paused.patience(self.job.run, past.max_wait_ms);
        self.remember(failure);
        self.end_attempt(AttemptEnd::Error);
        let stand = self.job.copies.returned(wait(patience, pause_ms, self.present.now));
        self.job.copies = stand.copies;
        let change = if facts.answered > 0 { Change::CopyReturned } else { Change::returned(stand.copies) };
        Ok((change, JobRow::new(self.id, stand, 1)))
    }

    /// The job ends with what its answers say, waits for one more or for its lot, or is given up.
    fn answer(&mut self, said: Said, report: &Report) -> Heard {
        let (facts, now) = (self.facts(), self.present.now);
        let Some(judged) = self.judged.as_mut() else { return Err(Verdict::Unknown) };
        rule::answer(facts, self.attempt, now)?;
        // Where two copies were out, the later one is the spare.
        let is_spare = self.job.copies.open > 1 && self.attempt.number == judged.handed_out;
        let at_hand = judged.take(self.attempt.number, said, now).ok_or(Verdict::Unknown)?;
        let asked = &judged.asked[at_hand];
        let role = if is_spare { AnswerRole::Spare } else { AnswerRole::after(at_hand) };
        self.bench.judgements.answer(judged.run, role, asked.rank(), &asked.witness);
        let settled = self.bench.settle(self.id, judged, Some(at_hand));
        let stand = match settled {
            Judged::Believed => {
                return Ok(match report {
                    Report::Value(value) => self.valued(value),
                    Report::Error(failure) => self.failed(failure),
                });
            }
            Judged::Disputed => {
                let failure = disputed(judged);
                let heard = self.failed(&failure);
                self.instead = Some(failure);
                return Ok(heard);
            }
            Judged::Waits | Judged::Stands => Stand::ANSWERED,
            Judged::Wants => {
                let patience = self.paused.patience(self.job.run, judged.max_wait_ms);
                Copies::asked(1).waiting(wait(patience, 0, now))
            }
        };
        let is_kept = judged.asked[at_hand].is_kept;
        Ok(self.answered(report, stand, is_kept))
    }

    /// It is the job's value.
    fn valued(&mut self, value: &Encoded) -> (Change, JobRow) {
        self.end_job(AttemptEnd::Completed);
        let row = JobRow::ended(self.id, Outcome::Value, Some(hex(within(value, self.in_row))), 0);
        (Change::Ended(Ended::Value(value.clone())), row)
    }

    /// The job has failed with this error.
    fn failed(&mut self, failure: &Failure) -> (Change, JobRow) {
        self.remember(failure);
        self.end_job(AttemptEnd::Error);
        let history = self.past.as_ref().map(|past| past.history.clone()).unwrap_or_default();
        (Change::Ended(Ended::Failed(history)), JobRow::ended(self.id, Outcome::Failed, None, 1))
    }

    /// Copies go out one after the other: what else is out would not be an answer.
    fn answered(&mut self, report: &Report, stand: Stand, is_kept: bool) -> (Change, JobRow) {
        self.desert();
        let (end, kept) = match report {
            Report::Value(value) => (AttemptEnd::Completed, Some(value).filter(|_| is_kept)),
            Report::Error(_) => (AttemptEnd::Error, None),
        };
        self.end_attempt(end);
        self.job.copies = stand.copies;
        self.keeps = kept.is_some();
        let result = kept.map(|value| hex(within(value, self.in_row)));
        (Change::Answered, JobRow::new(self.id, stand, 0).keeping(result))
    }

    fn remember(&mut self, failure: &Failure) {
        let AttemptFacts { number, worker, .. } = *self.attempt;
        let failed = Attempt { number, worker, end: AttemptEnd::Error, failure: Some(failure.clone()) };
        if let Some(past) = self.past.as_mut() {
            past.history.push(failed);
        }
    }

    fn end_attempt(&mut self, end: AttemptEnd) {
        self.attempt.state = AttemptState::Ended { end, at: self.present.now };
    }

    /// An attempt that had ended already is not among the copies that are out.
    fn desert(&mut self) {
        let mine = u32::from(matches!(self.attempt.state, AttemptState::Open { .. }));
        self.deserts = self.job.copies.open > mine;
    }

    fn end_job(&mut self, end: AttemptEnd) {
        self.desert();
        self.end_attempt(end);
        self.job.ended = true;
        self.job.copies = Stand::ENDED.copies;
    }
}
