//! Why a job has failed: which attempt decided, what it ended with, and whether others say the same.

use std::collections::BTreeSet;

use super::facts::{AttemptTold, JobCase};
use super::reason::{Fault, Reason, Unknown};
use crate::decide::complete::WRONG_TYPE;
use crate::decide::standing::Waiting;
use crate::job::{AttemptEnd, Failure};

pub(super) fn failed(job: &JobCase) -> Vec<Reason> {
    if job.waiting == Some(Waiting::Overdue) {
        let waited = job.ended_at.and_then(|ended| u64::try_from(ended.since(job.enqueued_at)).ok());
        return vec![Reason::Overdue { waited_ms: waited }];
    }
    let Some(attempts) = &job.attempts else { return vec![Reason::Unknown(Unknown::Attempts)] };
    let Some((decided, fault)) = attempts.iter().rev().find_map(|attempt| Some((attempt, fault(attempt)?)))
    else {
        return vec![Reason::Unknown(Unknown::Failure)];
    };
    let workers = with_the_same(decided, attempts);
    let same = (workers > 1).then(|| Reason::SameError { workers, fault: fault.clone() });
    let attempt = decided.number;
    let decided = Reason::Decided { attempt, failures: job.failures, max_attempts: job.max_attempts };
    same.into_iter().chain([Reason::Failed { attempt, fault }, decided]).collect()
}

/// How many workers have had this error, where it is one that speaks of the code.
fn with_the_same(decided: &AttemptTold, attempts: &[AttemptTold]) -> u32 {
    let Some(failure) = decided.failure.as_ref().filter(|failure| failure.speaks_of_the_code()) else {
        return 0;
    };
    let is_same =
        |attempt: &&AttemptTold| attempt.failure.as_ref().is_some_and(|other| other.same_as(failure));
    let workers: BTreeSet<_> = attempts.iter().filter(is_same).map(|attempt| attempt.worker).collect();
    u32::try_from(workers.len()).unwrap_or(u32::MAX)
}

/// What an attempt that counts went wrong by. One that was given back, lost or cancelled does not count.
fn fault(attempt: &AttemptTold) -> Option<Fault> {
    let progress = attempt.progress;
    match (attempt.end?, &attempt.failure) {
        (AttemptEnd::Expired, _) => Some(Fault::Expired { progress }),
        (AttemptEnd::Error, Some(failure)) => Some(of_kind(failure, progress)),
        _ => None,
    }
}

/// The kinds are those of `JobErrorKind` in the protocol, and of those that write errors of their own.
fn of_kind(failure: &Failure, progress: Option<f64>) -> Fault {
    match failure.kind.as_str() {
        "thrown" => Fault::Thrown,
        "noMain" => Fault::NoMain,
        "syntax" => Fault::Syntax,
        WRONG_TYPE => Fault::ReturnType,
        "tooLarge" => Fault::TooLarge,
        "notAValue" => Fault::NotAValue,
        "timeout" => Fault::Timeout { progress },
        "crashed" => Fault::Crashed,
        "disputed" => Fault::Disputed,
        "notStored" => Fault::NotStored,
        other => Fault::Other(other.into()),
    }
}
