//! What a worker's report does to its job.
//!
//! Fencing: an open attempt of a job that has not ended speaks for it; for a day one that was lost or has expired still does,
//! with a value, while no other is open. What was given back was not computed (ADR 0030).

use std::borrow::Cow;

use weevil_model::{DataType, Timestamp, WorkerId};

use super::company::{Company, OF_THE_CODE, Tried};
use crate::batch::Verdict;
use crate::job::{Attempt, AttemptEnd, AttemptState, Failure, Report};

/// Stable name of the error that a value of another type is.
pub const WRONG_TYPE: &str = "returnType";
/// How long after its end a lost or expired attempt may still bring its job's value, milliseconds: a day.
pub const LATE_MS: i64 = 24 * 60 * 60 * 1000;

/// What the store knows of the attempt whose token the report carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttemptFacts {
    pub number: u32,
    pub worker: WorkerId,
    pub started_at: Timestamp,
    pub state: AttemptState,
}

/// What it knows of the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobFacts {
    pub ended: bool,
    /// Copies that are out, this attempt among them while it is open.
    pub open_attempts: u32,
    /// How often it had been handed out when its newest answer came; 0 where there is none, as for a job that nobody judges.
    pub answered: u32,
}

impl AttemptFacts {
    /// It was taken from its worker, which may have gone on, and not longer ago than `LATE_MS`.
    fn may_be_late(&self, now: Timestamp) -> bool {
        let AttemptState::Ended { end, at } = self.state else { return false };
        matches!(end, AttemptEnd::Expired | AttemptEnd::Lost) && now.since(at) <= LATE_MS
    }
}

/// What the rules know besides the job.
#[derive(Debug, Clone, Copy)]
pub struct Present<'a> {
    pub now: Timestamp,
    pub company: &'a Company,
}

/// What to do with a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Change nothing, say so.
    Ignore(Verdict),
    /// The value is the job's: other copies are not wanted any more.
    Finish,
    /// Count the error; the copy waits for a while and goes back to its old place. Other copies go on.
    Retry,
    /// Count the error; the job has failed, with all its copies.
    Fail,
}

/// What a report amounts to once its value's type is known: a value of another type than the job returns is an error
/// of the attempt (thesis 3.4.2, type checking).
pub fn typed(report: &Report, returns: Option<DataType>) -> Cow<'_, Report> {
    let (Report::Value(value), Some(expected)) = (report, returns) else { return Cow::Borrowed(report) };
    match value.data_type() {
        Ok(found) if found == expected => Cow::Borrowed(report),
        Ok(found) => Cow::Owned(wrong(format!(
            "`weevil_main` returned {found}, but the job's returntype is {expected}"
        ))),
        Err(error) => Cow::Owned(wrong(error.to_string())),
    }
}

fn wrong(message: String) -> Report {
    Report::Error(Failure { kind: WRONG_TYPE.to_owned(), message, stack: String::new() })
}

impl JobFacts {
    /// An answer that came after this attempt was handed out ends it: no two answers were ever under way together.
    const fn is_overtaken(&self, attempt: &AttemptFacts) -> bool {
        attempt.number <= self.answered
    }
}

/// May this attempt still speak for its job? True while it is open.
fn fence(job: JobFacts, attempt: &AttemptFacts, now: Timestamp) -> Result<bool, Verdict> {
    match attempt.state {
        // A result sent again after a lost answer: it is stored, say so once more.
        AttemptState::Ended { end: AttemptEnd::Completed, .. } if job.ended || job.answered > 0 => {
            Err(Verdict::Accepted)
        }
        _ if job.is_overtaken(attempt) => Err(Verdict::Superseded),
        AttemptState::Open { .. } if !job.ended => Ok(true),
        AttemptState::Ended { .. } if !job.ended && job.open_attempts == 0 && attempt.may_be_late(now) => {
            Ok(false)
        }
        AttemptState::Open { .. } | AttemptState::Ended { .. } => Err(Verdict::Superseded),
    }
}

/// A value came.
pub fn value(job: JobFacts, attempt: &AttemptFacts, now: Timestamp) -> Decision {
    match fence(job, attempt, now) {
        Ok(_) => Decision::Finish,
        Err(verdict) => Decision::Ignore(verdict),
    }
}

/// An answer of a judged job came: a value, or an error that speaks of its code.
pub fn answer(job: JobFacts, attempt: &AttemptFacts, now: Timestamp) -> Result<(), Verdict> {
    fence(job, attempt, now).map(drop)
}

/// An error came: the job was `tried` so often, with it; `history` holds the earlier attempts; `company` says whether the
/// job is over. A late error is no result: its attempt has been counted already.
pub fn error(
    job: JobFacts,
    attempt: &AttemptFacts,
    failure: &Failure,
    (tried, history): (Tried, &[Attempt]),
    present: Present<'_>,
) -> Decision {
    match fence(job, attempt, present.now) {
        Ok(true) => {
            let wrong = present.company.agrees(failure, attempt.worker, history);
            let over = wrong || present.company.is_over(tried, attempt.worker, history);
            if over { Decision::Fail } else { Decision::Retry }
        }
        Ok(false) => Decision::Ignore(Verdict::Superseded),
        Err(verdict) => Decision::Ignore(verdict),
    }
}

impl Failure {
    /// Whoever runs the code meets it: for a judged job it is an answer.
    pub fn speaks_of_the_code(&self) -> bool {
        OF_THE_CODE.contains(&self.kind.as_str())
    }

    /// Stacks differ between browsers; kind and message say whether it is the same error.
    pub(crate) fn same_as(&self, other: &Self) -> bool {
        self.kind == other.kind && self.message == other.message
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::{Encoded, Needs, PlaceNumber, TypedArrayKind, Value};

    const ENDED_AT: Timestamp = Timestamp(1_000);
    const OPEN: AttemptState = AttemptState::Open { due: Timestamp(2_000) };

    fn worker(n: i64) -> WorkerId {
        WorkerId::from_number(n).unwrap()
    }

    const fn ended(end: AttemptEnd) -> AttemptState {
        AttemptState::Ended { end, at: ENDED_AT }
    }

    fn attempt(state: AttemptState) -> AttemptFacts {
        AttemptFacts { number: 1, worker: worker(1), started_at: Timestamp(1), state }
    }

    /// One that has not ended, of which so many copies are out.
    const fn job(open_attempts: u32) -> JobFacts {
        JobFacts { ended: false, open_attempts, answered: 0 }
    }

    const OVER: JobFacts = JobFacts { ended: true, open_attempts: 0, answered: 0 };

    #[test]
    fn an_answer_overtakes_what_was_out_when_it_came() {
        use AttemptEnd::{Cancelled, Completed, Expired, Lost};
        for (answered, number, open_attempts, state, expected) in [
            (0, 1, 1, OPEN, Ok(())),
            (1, 2, 1, OPEN, Ok(())),
            (2, 1, 1, OPEN, Err(Verdict::Superseded)),
            (1, 1, 0, ended(Completed), Err(Verdict::Accepted)),
            (2, 1, 0, ended(Completed), Err(Verdict::Accepted)),
            (2, 1, 0, ended(Lost), Err(Verdict::Superseded)),
            (2, 2, 0, ended(Lost), Err(Verdict::Superseded)),
            (1, 2, 0, ended(Lost), Ok(())),
            (1, 2, 0, ended(Expired), Ok(())),
            (1, 2, 1, ended(Expired), Err(Verdict::Superseded)),
            (1, 2, 0, ended(Cancelled), Err(Verdict::Superseded)),
        ] {
            let job = JobFacts { answered, ..job(open_attempts) };
            let attempt = AttemptFacts { number, ..attempt(state) };
            assert_eq!(answer(job, &attempt, ENDED_AT), expected, "{job:?} {attempt:?}");
        }
    }

    #[test]
    fn values_pass_the_fence_by_an_open_attempt_or_after_a_lost_one_while_no_other_is_open() {
        use AttemptEnd::{Cancelled, Completed, Error, Expired, Lost, Yielded};
        let superseded = Decision::Ignore(Verdict::Superseded);
        for (job, state, expected) in [
            (job(1), OPEN, Decision::Finish),
            (job(3), OPEN, Decision::Finish),
            (job(1), ended(Expired), superseded),
            (job(1), ended(Lost), superseded),
            (job(0), ended(Expired), Decision::Finish),
            (job(0), ended(Lost), Decision::Finish),
            (job(0), ended(Yielded), superseded),
            (job(0), ended(Error), superseded),
            (OVER, ended(Completed), Decision::Ignore(Verdict::Accepted)),
            (OVER, ended(Expired), superseded),
            (OVER, ended(Cancelled), superseded),
            (OVER, OPEN, superseded),
        ] {
            let found = value(job, &attempt(state), ENDED_AT);
            assert_eq!(found, expected, "{job:?} {state:?}");
        }
    }

    #[test]
    fn what_comes_late_counts_for_a_day() {
        use AttemptEnd::{Expired, Lost};
        for (end, late_ms, expected) in [
            (Lost, -5, Decision::Finish),
            (Lost, LATE_MS, Decision::Finish),
            (Expired, LATE_MS, Decision::Finish),
            (Lost, LATE_MS + 1, Decision::Ignore(Verdict::Superseded)),
            (Expired, LATE_MS + 1, Decision::Ignore(Verdict::Superseded)),
        ] {
            let now = ENDED_AT.plus_ms(late_ms);
            let found = value(job(0), &attempt(ended(end)), now);
            assert_eq!(found, expected, "{end:?} {late_ms}");
        }
    }

    #[test]
    fn a_value_of_another_type_is_an_error_that_names_both() {
        let value = |value| Report::Value(Encoded::of(&value).unwrap());
        let thrown = wrong("boom".into());
        for (report, returns, message) in [
            (value(Value::Number(1.0)), Some(DataType::Number), None),
            (value(Value::Undefined), None, None),
            (thrown.clone(), Some(DataType::Number), Some("boom")),
            (
                value(Value::String("1".into())),
                Some(DataType::Number),
                Some("`weevil_main` returned String, but the job's returntype is Number"),
            ),
            (
                value(Value::Typed(TypedArrayKind::Float64, vec![])),
                Some(DataType::Array),
                Some("`weevil_main` returned Float64Array, but the job's returntype is Array"),
            ),
        ] {
            let found = typed(&report, returns);
            match (&*found, message) {
                (Report::Value(_), None) => assert_eq!(*found, report),
                (Report::Error(failure), Some(message)) => assert_eq!(failure.message, message),
                other => panic!("{other:?}"),
            }
        }
    }

    /// Worker 1 is at place 1, as worker 9 is; worker 2 is at place 2.
    fn company() -> Company {
        let mut company = Company::default();
        for (number, place) in [(1, 1), (9, 1), (2, 2)] {
            company.join(worker(number), PlaceNumber::from_number(place), Needs::JAVASCRIPT);
        }
        company
    }

    #[test]
    fn errors_are_counted_and_two_places_agreeing_end_the_job() {
        let failure =
            |message: &str| Failure { kind: "thrown".into(), message: message.into(), stack: String::new() };
        let earlier = |by: i64, message: &str| Attempt {
            number: 1,
            worker: worker(by),
            end: AttemptEnd::Error,
            failure: Some(failure(message)),
        };
        let company = company();
        let present = Present { now: ENDED_AT, company: &company };
        let tried = |failures| Tried { failures, witnesses: None, max_attempts: 3, needs: Needs::JAVASCRIPT };
        for (failures, history, expected) in [
            (1, vec![], Decision::Retry),
            (2, vec![earlier(1, "boom")], Decision::Retry),
            (2, vec![earlier(9, "boom")], Decision::Retry),
            (2, vec![earlier(2, "other")], Decision::Retry),
            (2, vec![earlier(2, "boom")], Decision::Fail),
            (3, vec![earlier(9, "boom")], Decision::Retry),
            (3, vec![earlier(2, "other")], Decision::Fail),
        ] {
            for open_attempts in [1, 3] {
                let past = (tried(failures), history.as_slice());
                let found = error(job(open_attempts), &attempt(OPEN), &failure("boom"), past, present);
                assert_eq!(found, expected, "{failures} {open_attempts} {history:?}");
            }
        }
        let expired = attempt(ended(AttemptEnd::Expired));
        let late = error(job(0), &expired, &failure("x"), (tried(2), &[]), present);
        assert_eq!(late, Decision::Ignore(Verdict::Superseded));
    }
}
