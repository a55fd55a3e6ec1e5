//! How a job stands for people: its state, and what it waits for.

use weevil_model::{NodeState, Timestamp};

use crate::job::{Delivery, Outcome};

/// What a job waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// A worker that meets its needs; at the latest until then.
    Worker(Option<Timestamp>),
    /// This moment.
    Until(Timestamp),
    /// Its run is paused.
    Resume,
    /// The end of the lot that its answer stands in.
    Lot,
    /// What a module of the workflow says of an answer.
    Module,
    /// Nothing any more: nobody took it within its longest wait.
    Overdue,
}

/// State, and what is waited for, as delivery, outcome, the copies that are out and the due moment come to it; `None` where
/// they do not fit. While a copy is out the job runs, whatever the others wait for; one with answers that are not believed yet stands
/// answered, whatever its next copy does.
pub fn standing(
    delivery: Delivery,
    outcome: Option<Outcome>,
    open_attempts: u32,
    due: Option<Timestamp>,
    has_answers: bool,
) -> Option<(NodeState, Option<Waiting>)> {
    let (still, at_work) = if has_answers {
        (NodeState::Answered, NodeState::Answered)
    } else {
        (NodeState::Enqueued, NodeState::Running)
    };
    let waits = |waiting| Some((still, Some(waiting)));
    match (delivery, outcome) {
        (Delivery::Ended, None) => None,
        (_, None) if open_attempts > 0 => Some((at_work, None)),
        (Delivery::Ready, None) => waits(Waiting::Worker(due)),
        (Delivery::Delayed, None) => waits(Waiting::Until(due?)),
        (Delivery::Held, None) => waits(Waiting::Resume),
        (Delivery::Answered, None) if has_answers => waits(Waiting::Lot),
        (Delivery::Ended, Some(Outcome::Value)) => Some((NodeState::Finished, None)),
        (Delivery::Ended, Some(Outcome::Failed)) => Some((NodeState::Failed, None)),
        (Delivery::Ended, Some(Outcome::Overdue)) => Some((NodeState::Failed, Some(Waiting::Overdue))),
        (Delivery::Ended, Some(Outcome::Cancelled)) => Some((NodeState::Cancelled, None)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THEN: Option<Timestamp> = Some(Timestamp(7));

    #[test]
    fn a_job_runs_while_a_copy_is_out_and_else_says_what_it_waits_for() {
        let waits = |waiting| Some((NodeState::Enqueued, Some(waiting)));
        let runs = Some((NodeState::Running, None));
        for (delivery, due, alone, beside_a_copy) in [
            (Delivery::Ready, None, waits(Waiting::Worker(None)), runs),
            (Delivery::Ready, THEN, waits(Waiting::Worker(THEN)), runs),
            (Delivery::Delayed, THEN, waits(Waiting::Until(Timestamp(7))), runs),
            (Delivery::Delayed, None, None, runs),
            (Delivery::Held, None, waits(Waiting::Resume), runs),
            (Delivery::Leased, None, None, runs),
            (Delivery::Ended, None, None, None),
        ] {
            let found = [0, 1].map(|open| standing(delivery, None, open, due, false));
            assert_eq!(found, [alone, beside_a_copy], "{delivery:?} {due:?}");
            let answered = |stands: Option<_>| stands.map(|(_, waiting)| (NodeState::Answered, waiting));
            let found = [0, 1].map(|open| standing(delivery, None, open, due, true));
            assert_eq!(found, [alone, beside_a_copy].map(answered), "{delivery:?} {due:?} with answers");
        }
    }

    #[test]
    fn an_answer_stands_in_a_lot() {
        let stands = |has_answers| standing(Delivery::Answered, None, 0, None, has_answers);
        assert_eq!(stands(true), Some((NodeState::Answered, Some(Waiting::Lot))));
        assert_eq!(stands(false), None, "a job without answers waits for none of them");
    }

    #[test]
    fn an_outcome_belongs_to_a_job_that_has_ended() {
        for (outcome, state, waiting) in [
            (Outcome::Value, NodeState::Finished, None),
            (Outcome::Failed, NodeState::Failed, None),
            (Outcome::Overdue, NodeState::Failed, Some(Waiting::Overdue)),
            (Outcome::Cancelled, NodeState::Cancelled, None),
        ] {
            assert_eq!(
                standing(Delivery::Ended, Some(outcome), 0, None, true),
                Some((state, waiting)),
                "{outcome:?}"
            );
            assert_eq!(standing(Delivery::Ready, Some(outcome), 0, None, false), None, "{outcome:?}");
        }
    }
}
