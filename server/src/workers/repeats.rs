//! Reports of one connection that wait for their answers: what a later frame reports again is not asked again.
//!
//! The answer to the first report of an attempt is then the answer to the others. Bounded by what may wait
//! (`allowance.rs`).

use std::collections::HashMap;

use weevil_engine::contact::Answer;
use weevil_queue::{AttemptKey, Submission};

#[derive(Default)]
pub(super) struct Repeats(HashMap<AttemptKey, Waiting>);

/// Reports of one attempt that have no answer.
#[derive(Default)]
struct Waiting {
    asked: usize,
    /// Those that were left out since.
    repeated: usize,
}

impl Repeats {
    /// Leaves, among the reports of one frame, those of attempts that no earlier report waits for.
    pub(super) fn leave_out(&mut self, submissions: &mut Vec<Submission>) {
        submissions.retain(|submission| {
            let waiting = self.0.get_mut(&submission.key);
            waiting.map(|waiting| waiting.repeated += 1).is_none()
        });
        for submission in submissions {
            self.0.entry(submission.key).or_default().asked += 1;
        }
    }

    /// Adds the answers to what was left out: the same once more, which ended nothing.
    pub(super) fn complete(&mut self, answers: &mut Vec<Answer>) {
        for at in 0..answers.len() {
            let Answer { key, verdict, .. } = answers[at];
            let Some(waiting) = self.0.get_mut(&key) else { continue };
            waiting.asked -= 1;
            if waiting.asked == 0 {
                let again = std::iter::repeat_n(Answer { key, verdict, ended: false }, waiting.repeated);
                answers.extend(again);
                self.0.remove(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::{Encoded, JobId, Value, WorkerId};
    use weevil_queue::batch::Verdict;
    use weevil_queue::{ClaimedEffort, Report, Reporter};

    fn key(number: i64) -> AttemptKey {
        AttemptKey { job: JobId::from_number(number).unwrap(), token: 1 }
    }

    fn submission(number: i64) -> Submission {
        let report = Report::Value(Encoded::of(&Value::Null).unwrap());
        let claimed = ClaimedEffort { compute_us: 0, slot: 0, flops: 0.0 };
        let reporter = Reporter { worker: WorkerId::from_number(1).unwrap(), device: None };
        Submission { key: key(number), reporter, report, claimed, slots: 1, digest: None, log: None }
    }

    fn answer(number: i64) -> Answer {
        Answer { key: key(number), verdict: Verdict::Accepted, ended: true }
    }

    #[test]
    fn what_waits_for_its_answer_is_not_asked_again_and_answered_as_often() {
        let mut repeats = Repeats::default();
        for (reported, asked, answered, again) in [
            (&[1, 2, 1][..], &[1, 2, 1][..], &[1][..], &[][..]),
            (&[1, 3, 1], &[3], &[3], &[]),
            (&[2, 3], &[3], &[1, 2, 3], &[1, 1, 2]),
            (&[1, 2, 3], &[1, 2, 3], &[3, 2, 1], &[]),
        ] {
            let mut submissions: Vec<_> = reported.iter().copied().map(submission).collect();
            repeats.leave_out(&mut submissions);
            let left: Vec<_> = submissions.iter().map(|submission| submission.key).collect();
            assert_eq!(left, asked.iter().copied().map(key).collect::<Vec<_>>(), "{reported:?}");
            let mut answers: Vec<_> = answered.iter().copied().map(answer).collect();
            repeats.complete(&mut answers);
            let (first, more) = answers.split_at(answered.len());
            assert!(first.iter().all(|answer| answer.ended) && !more.iter().any(|answer| answer.ended));
            let more: Vec<_> = more.iter().map(|answer| answer.key).collect();
            assert_eq!(more, again.iter().copied().map(key).collect::<Vec<_>>(), "{reported:?}");
        }
        assert!(repeats.0.is_empty());
    }
}
