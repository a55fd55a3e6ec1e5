//! What the end of an attempt's lease does to its job: expiry, a yield, a closed connection.

use weevil_model::{JobId, Needs, WorkerId};

use super::company::{Company, Tried};
use super::retry::pause;
use crate::job::{Attempt, AttemptEnd};

/// What becomes of a job one of whose attempts ended without a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The copy is wanted again, at its old place, after so many milliseconds; `counts` says whether the attempt is used up.
    Requeue { counts: bool, pause_ms: u32 },
    /// The job has failed, whatever other copies are out.
    Fail,
}

/// A job and its attempt whose lease ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    pub job: JobId,
    /// Who held it.
    pub worker: WorkerId,
    /// Attempts that counted against the job before.
    pub failures: u32,
    /// As of `Tried`, with this one.
    pub witnesses: Option<u32>,
    pub max_attempts: u32,
    pub needs: Needs,
    /// The pause after its first error, milliseconds.
    pub retry_ms: u32,
}

/// Is an attempt used up that ends so, without a report?
pub fn counts(end: AttemptEnd) -> bool {
    end == AttemptEnd::Expired
}

impl Held {
    const fn tried(&self) -> Tried {
        let Self { failures, witnesses, max_attempts, needs, .. } = *self;
        Tried { failures: failures + 1, witnesses, max_attempts, needs }
    }

    /// Can the job be over with this end? Only then its history is asked for.
    pub fn may_be_over(&self, end: AttemptEnd) -> bool {
        counts(end) && self.tried().may_be_over()
    }

    /// Volunteers come and go: only silence counts against a job, and from the second failure on it waits as after an
    /// error. Leaving and giving back never count, or one worker that takes and yields could fail everybody's runs.
    /// `history` holds the ended attempts of a job that may be over.
    pub fn returned(&self, end: AttemptEnd, history: &[Attempt], company: &Company) -> Decision {
        if !counts(end) {
            return Decision::Requeue { counts: false, pause_ms: 0 };
        }
        let tried = self.tried();
        if company.is_over(tried, self.worker, history) {
            return Decision::Fail;
        }
        let pause_ms = if tried.failures > 1 { pause(self.retry_ms, tried.failures, self.job) } else { 0 };
        Decision::Requeue { counts: true, pause_ms }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::PlaceNumber;

    const RETRY_MS: u32 = 1_000;

    fn worker(number: i64) -> WorkerId {
        WorkerId::from_number(number).unwrap()
    }

    /// One that worker 1 held.
    fn held(failures: u32) -> Held {
        let job = JobId::from_number(7).unwrap();
        Held {
            job,
            worker: worker(1),
            failures,
            witnesses: None,
            max_attempts: 3,
            needs: Needs::JAVASCRIPT,
            retry_ms: RETRY_MS,
        }
    }

    #[test]
    fn only_silence_uses_attempts_up_and_one_place_alone_never_all() {
        use AttemptEnd::{Expired, Lost, Yielded};
        let again = |counts| Some((counts, false));
        let later = Some((true, true));
        for (end, failures, another, expected) in [
            (Expired, 0, false, again(true)),
            (Expired, 1, false, later),
            (Expired, 2, false, None),
            (Expired, 2, true, later),
            (Expired, 8, true, None),
            (Lost, 2, false, again(false)),
            (Yielded, 2, false, again(false)),
        ] {
            let mut company = Company::default();
            company.join(worker(1), PlaceNumber::from_number(1), Needs::JAVASCRIPT);
            if another {
                company.join(worker(2), PlaceNumber::from_number(2), Needs::JAVASCRIPT);
            }
            let found = match held(failures).returned(end, &[], &company) {
                Decision::Requeue { counts, pause_ms } => Some((counts, pause_ms >= RETRY_MS)),
                Decision::Fail => None,
            };
            assert_eq!(found, expected, "{end:?} {failures} {another}");
            assert_eq!(held(failures).may_be_over(end), end == Expired && failures > 1, "{end:?} {failures}");
        }
    }
}
