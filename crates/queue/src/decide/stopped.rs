//! When the code of a queue is stopped: all jobs of it that ended have failed, and witnesses that are independent of each other
//! say that it is the code (ADR 0066).
//!
//! Counts jobs that stand alone. A run needs no such rule: its first failed job ends it.

use std::sync::Arc;

use weevil_model::witness::Witness;
use weevil_model::{ContentHash, JobId, ProjectId, WorkerId};

use crate::job::{Attempt, Ended, Failure};

/// Jobs of a code that have failed one after the other, from the first on, before it is stopped.
pub const FAILED_JOBS: u32 = 5;
/// Witnesses, each independent of the others, that a code fails with before it is stopped.
pub const FAILING_WITNESSES: usize = 3;
/// Codes of a project that are stopped at a time, of all its queues; what fails beyond that goes on failing.
pub const MAX_STOPPED: u32 = 64;
/// Witnesses that are remembered of a code that fails.
pub const MAX_WITNESSES: usize = 16;

/// A code in a queue of a project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueueCode {
    pub project: ProjectId,
    pub queue: Arc<str>,
    pub code: ContentHash,
}

/// A code whose waiting jobs are held from now on, until a person lets them go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoppedCode {
    pub code: QueueCode,
    /// The last of its jobs that failed.
    pub example: JobId,
}

/// What has come of a code so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tally {
    /// All jobs that ended have failed.
    Failing { jobs: u32, witnesses: Vec<Witness> },
    /// It has given a value, or was stopped: nothing is counted any more.
    Decided,
}

impl Default for Tally {
    fn default() -> Self {
        Self::Failing { jobs: 0, witnesses: Vec::new() }
    }
}

impl Tally {
    pub const fn is_decided(&self) -> bool {
        matches!(self, Self::Decided)
    }

    /// A job of the code has ended. `witness`: who speaks from a worker, where that is known. Answers whether the code is to be
    /// stopped.
    pub fn count(&mut self, ended: &Ended, witness: impl Fn(WorkerId) -> Option<Witness>) -> bool {
        let Self::Failing { jobs, witnesses } = self else { return false };
        let attempts = match ended {
            Ended::Value(_) => {
                *self = Self::Decided;
                return false;
            }
            Ended::Failed(attempts) if is_by_the_code(attempts) => attempts,
            Ended::Failed(_) | Ended::Overdue | Ended::Cancelled => return false,
        };
        *jobs = jobs.saturating_add(1);
        for one in
            attempts.iter().filter(|attempt| speaks(attempt)).filter_map(|attempt| witness(attempt.worker))
        {
            if witnesses.len() < MAX_WITNESSES && !witnesses.contains(&one) {
                witnesses.push(one);
            }
        }
        let stops = *jobs >= FAILED_JOBS && has_independent(witnesses);
        if stops {
            *self = Self::Decided;
        }
        stops
    }
}

/// The error that has ended the job speaks of its code: a machine that has gone away, or answers that differ, say nothing of it.
fn is_by_the_code(attempts: &[Attempt]) -> bool {
    attempts.last().is_some_and(speaks)
}

fn speaks(attempt: &Attempt) -> bool {
    attempt.failure.as_ref().is_some_and(Failure::speaks_of_the_code)
}

/// Are there so many of them of which each is independent of each other one? Independence is not transitive, so all are tried;
/// they are few.
fn has_independent(witnesses: &[Witness]) -> bool {
    fn more(chosen: &mut Vec<Witness>, rest: &[Witness]) -> bool {
        if chosen.len() == FAILING_WITNESSES {
            return true;
        }
        rest.iter().enumerate().any(|(at, next)| {
            if !chosen.iter().all(|one| one.is_independent_of(next)) {
                return false;
            }
            chosen.push(*next);
            let found = more(chosen, &rest[at + 1..]);
            chosen.pop();
            found
        })
    }
    more(&mut Vec::with_capacity(FAILING_WITNESSES), witnesses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::witness::Engine;
    use weevil_model::{Encoded, Value};

    use crate::job::AttemptEnd;

    fn worker(number: i64) -> WorkerId {
        WorkerId::from_number(number).unwrap()
    }

    /// Workers 1 to 9 are devices of networks of their own, 11 to 19 are other devices of the same networks; worker 99 is known
    /// by nothing, and nothing is known of others.
    fn witness(by: WorkerId) -> Option<Witness> {
        let (device, network) = match by.number() {
            number @ (1..=9 | 11..=19) => (Some(number), Some(number % 10)),
            99 => (None, None),
            _ => return None,
        };
        Some(Witness { device, network, engine: Engine::Other })
    }

    fn attempt(by: i64, end: AttemptEnd, kind: Option<&str>) -> Attempt {
        let failure =
            kind.map(|kind| Failure { kind: kind.into(), message: String::new(), stack: String::new() });
        Attempt { number: 1, worker: worker(by), end, failure }
    }

    fn thrown(by: i64) -> Attempt {
        attempt(by, AttemptEnd::Error, Some("thrown"))
    }

    /// A job that failed by what each of these threw.
    fn failed(by: &[i64]) -> Ended {
        Ended::Failed(by.iter().copied().map(thrown).collect())
    }

    fn value() -> Ended {
        Ended::Value(Encoded::of(&Value::Null).unwrap())
    }

    /// Behind which of the jobs the code was stopped, from 1.
    fn stopped(jobs: &[Ended]) -> Option<usize> {
        let mut tally = Tally::default();
        let at = jobs.iter().position(|ended| tally.count(ended, witness));
        assert!(at.is_none() || tally.is_decided());
        at.map(|at| at + 1)
    }

    #[test]
    fn five_failed_jobs_and_three_independent_witnesses_stop_a_code() {
        let ended = |kind| Ended::Failed(vec![thrown(4), attempt(5, AttemptEnd::Error, Some(kind))]);
        let expired = Ended::Failed(vec![thrown(4), attempt(5, AttemptEnd::Expired, None)]);
        let each = |by: [i64; 5]| by.map(|by| failed(&[by])).to_vec();
        for (about, jobs, expected) in [
            ("five of five", each([1, 2, 3, 4, 5]), Some(5)),
            ("four of four", each([1, 2, 3, 4, 5])[..4].to_vec(), None),
            ("three say so", each([1, 1, 1, 2, 3]), Some(5)),
            ("each job by three", vec![failed(&[1, 2, 3]); 5], Some(5)),
            ("fewer jobs by three", vec![failed(&[1, 2, 3]); 4], None),
            ("two say so", each([1, 2, 1, 2, 1]), None),
            ("two networks", each([1, 11, 2, 12, 1]), None),
            ("a third one later", [each([1, 2, 1, 2, 1]), vec![failed(&[3])]].concat(), Some(6)),
            ("nobody is known", each([20, 21, 22, 23, 24]), None),
            ("known by nothing", each([1, 2, 99, 99, 99]), None),
            ("a value first", [vec![value()], each([1, 2, 3, 4, 5])].concat(), None),
            (
                "a value among them",
                [each([1, 2, 3, 4, 5])[..4].to_vec(), vec![value()], each([1, 2, 3, 4, 5])].concat(),
                None,
            ),
            (
                "what ends otherwise",
                [each([1, 2, 3, 4, 5])[..4].to_vec(), vec![Ended::Overdue, Ended::Cancelled]].concat(),
                None,
            ),
            (
                "a machine",
                [
                    each([1, 2, 3, 4, 5])[..4].to_vec(),
                    vec![expired, ended("crashed"), ended("timeout"), ended("disputed")],
                ]
                .concat(),
                None,
            ),
            (
                "other kinds",
                vec![ended("thrown"), ended("syntax"), failed(&[1, 2]), ended("noMain"), ended("returnType")],
                Some(5),
            ),
        ] {
            assert_eq!(stopped(&jobs), expected, "{about}");
        }
    }

    #[test]
    fn what_was_stopped_once_is_stopped_once() {
        let mut tally = Tally::default();
        let stops = (1..=9).filter(|by| tally.count(&failed(&[*by]), witness)).count();
        assert_eq!(stops, 1);
    }

    /// Where they come one by one, the first ones stand in the way of more.
    #[test]
    fn witnesses_are_looked_for_among_all() {
        let jobs = [&[11, 1][..], &[12, 2], &[3], &[13], &[1]].map(failed);
        assert_eq!(stopped(&jobs), Some(5));
    }
}
