//! What a worker's report does to its job.
//!
//! Fencing: only the holder of the lease changes anything, or for a day whoever has lost it while nobody else has the
//! job. What was given back was not computed (ADR 0030).

use std::borrow::Cow;

use weevil_model::{DataType, Timestamp, WorkerId};

use super::company::{Company, Tried};
use crate::batch::Verdict;
use crate::job::{Attempt, AttemptEnd, Failure, Lease, Report};

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
    /// `None` while it runs.
    pub end: Option<AttemptEnd>,
    pub ended_at: Option<Timestamp>,
}

impl AttemptFacts {
    /// It was taken from its worker, which may have gone on, and not longer ago than `LATE_MS`.
    fn may_be_late(&self, now: Timestamp) -> bool {
        let taken = matches!(self.end, Some(AttemptEnd::Expired | AttemptEnd::Lost));
        taken && self.ended_at.is_some_and(|at| now.since(at) <= LATE_MS)
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
    /// The value is the job's.
    Finish,
    /// Count the error; the job waits for a while and goes back to its old place.
    Retry,
    /// Count the error; the job has failed.
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

/// May this attempt still speak for its job? True of the holder.
fn fence(lease: Lease, attempt: &AttemptFacts, token: i64, now: Timestamp) -> Result<bool, Verdict> {
    match lease {
        // A result sent again after a lost answer: it is stored, say so once more.
        Lease::Ended if attempt.end == Some(AttemptEnd::Completed) => Err(Verdict::Accepted),
        Lease::Token(held) if held == token => Ok(true),
        Lease::Nobody if attempt.may_be_late(now) => Ok(false),
        Lease::Ended | Lease::Token(_) | Lease::Nobody => Err(Verdict::Superseded),
    }
}

/// A value came.
pub fn value(lease: Lease, attempt: &AttemptFacts, token: i64, now: Timestamp) -> Decision {
    match fence(lease, attempt, token, now) {
        Ok(_) => Decision::Finish,
        Err(verdict) => Decision::Ignore(verdict),
    }
}

/// An error came: the job was `tried` so often, with it; `history` holds the earlier attempts; `company` says whether the
/// job is over. A late error is no result: its attempt has been counted already.
pub fn error(
    lease: Lease,
    attempt: &AttemptFacts,
    token: i64,
    failure: &Failure,
    (tried, history): (Tried, &[Attempt]),
    present: Present<'_>,
) -> Decision {
    match fence(lease, attempt, token, present.now) {
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
    /// Stacks differ between browsers; kind and message say whether it is the same error.
    pub(super) fn same_as(&self, other: &Self) -> bool {
        self.kind == other.kind && self.message == other.message
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::{Encoded, Needs, PlaceNumber, TypedArrayKind, Value};

    const MINE: i64 = 1;
    const ENDED_AT: Timestamp = Timestamp(1_000);

    fn worker(n: i64) -> WorkerId {
        WorkerId::from_number(n).unwrap()
    }

    fn attempt(end: Option<AttemptEnd>) -> AttemptFacts {
        AttemptFacts {
            number: 1,
            worker: worker(1),
            started_at: Timestamp(1),
            end,
            ended_at: end.map(|_| ENDED_AT),
        }
    }

    #[test]
    fn values_pass_the_fence_by_lease_or_after_a_lost_one_while_nobody_else_holds_the_job() {
        use AttemptEnd::{Completed, Error, Expired, Lost, Yielded};
        for (delivery, end, expected) in [
            (Lease::Token(MINE), None, Decision::Finish),
            (Lease::Token(2), Some(Expired), Decision::Ignore(Verdict::Superseded)),
            (Lease::Nobody, Some(Expired), Decision::Finish),
            (Lease::Nobody, Some(Lost), Decision::Finish),
            (Lease::Nobody, Some(Yielded), Decision::Ignore(Verdict::Superseded)),
            (Lease::Nobody, Some(Error), Decision::Ignore(Verdict::Superseded)),
            (Lease::Ended, Some(Completed), Decision::Ignore(Verdict::Accepted)),
            (Lease::Ended, Some(Expired), Decision::Ignore(Verdict::Superseded)),
        ] {
            let found = value(delivery, &attempt(end), MINE, ENDED_AT);
            assert_eq!(found, expected, "{delivery:?} {end:?}");
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
            let found = value(Lease::Nobody, &attempt(Some(end)), MINE, now);
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
        let tried = |failures| Tried { failures, max_attempts: 3, needs: Needs::JAVASCRIPT };
        for (failures, history, expected) in [
            (1, vec![], Decision::Retry),
            (2, vec![earlier(1, "boom")], Decision::Retry),
            (2, vec![earlier(9, "boom")], Decision::Retry),
            (2, vec![earlier(2, "other")], Decision::Retry),
            (2, vec![earlier(2, "boom")], Decision::Fail),
            (3, vec![earlier(9, "boom")], Decision::Retry),
            (3, vec![earlier(2, "other")], Decision::Fail),
        ] {
            let (held, past) = (Lease::Token(MINE), (tried(failures), history.as_slice()));
            let found = error(held, &attempt(None), MINE, &failure("boom"), past, present);
            assert_eq!(found, expected, "{failures} {history:?}");
        }
        let expired = attempt(Some(AttemptEnd::Expired));
        let late = error(Lease::Nobody, &expired, MINE, &failure("x"), (tried(2), &[]), present);
        assert_eq!(late, Decision::Ignore(Verdict::Superseded));
    }
}
