//! How a job stands for whoever looks at it: its state, and what it waits for.

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
    /// Nothing any more: nobody took it within its longest wait.
    Overdue,
}

/// State, and what is waited for, as delivery, outcome and the due moment come to it; `None` where they do not fit.
pub fn standing(
    delivery: Delivery,
    outcome: Option<Outcome>,
    due: Option<Timestamp>,
) -> Option<(NodeState, Option<Waiting>)> {
    let waits = |waiting| Some((NodeState::Enqueued, Some(waiting)));
    match (delivery, outcome) {
        (Delivery::Ready, None) => waits(Waiting::Worker(due)),
        (Delivery::Delayed, None) => waits(Waiting::Until(due?)),
        (Delivery::Held, None) => waits(Waiting::Resume),
        (Delivery::Leased, None) => Some((NodeState::Running, None)),
        (Delivery::Ended, Some(Outcome::Value)) => Some((NodeState::Finished, None)),
        (Delivery::Ended, Some(Outcome::Failed)) => Some((NodeState::Failed, None)),
        (Delivery::Ended, Some(Outcome::Overdue)) => Some((NodeState::Failed, Some(Waiting::Overdue))),
        (Delivery::Ended, Some(Outcome::Cancelled)) => Some((NodeState::Cancelled, None)),
        _ => None,
    }
}
