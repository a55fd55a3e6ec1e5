//! Reports of one connection that wait for their answers: what is reported again meanwhile is not asked again.
//!
//! The answer to the first report of an attempt is the answer to all of them. Bounded by what may wait (`allowance.rs`).

use std::collections::HashSet;

use weevil_queue::{AttemptKey, Submission};

#[derive(Default)]
pub(super) struct Repeats(HashSet<AttemptKey>);

impl Repeats {
    /// Leaves only reports of attempts that none waits for.
    pub(super) fn leave_out(&mut self, submissions: &mut Vec<Submission>) {
        submissions.retain(|submission| self.0.insert(submission.key));
    }

    pub(super) fn answered(&mut self, keys: impl Iterator<Item = AttemptKey>) {
        for key in keys {
            self.0.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::{Encoded, JobId, Value};
    use weevil_queue::ClaimedEffort;
    use weevil_queue::Report;

    fn key(number: i64) -> AttemptKey {
        AttemptKey { job: JobId::from_number(number).unwrap(), token: 1 }
    }

    fn submission(number: i64) -> Submission {
        let report = Report::Value(Encoded::of(&Value::Null).unwrap());
        let claimed = ClaimedEffort { compute_us: 0, slot: 0, flops: 0.0 };
        Submission { key: key(number), report, claimed, slots: 1, log: None }
    }

    #[test]
    fn what_waits_for_its_answer_is_not_asked_again() {
        let mut repeats = Repeats::default();
        for (reported, answered, left) in [
            (&[1, 2, 1][..], &[][..], &[1, 2][..]),
            (&[1, 3], &[1, 3], &[3]),
            (&[1, 2, 3], &[1, 2, 3], &[1, 3]),
            (&[2, 2], &[], &[2]),
        ] {
            let mut submissions: Vec<_> = reported.iter().copied().map(submission).collect();
            repeats.leave_out(&mut submissions);
            let keys: Vec<_> = submissions.iter().map(|submission| submission.key).collect();
            assert_eq!(keys, left.iter().copied().map(key).collect::<Vec<_>>(), "{reported:?}");
            repeats.answered(answered.iter().copied().map(key));
        }
    }
}
