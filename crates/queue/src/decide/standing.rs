//! How a job stands for whoever looks at it: its state, and what it waits for.

use weevil_model::{NodeState, Timestamp};

use super::wait::{DELAYED, ENDED, HELD, LEASED, READY};

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

/// State, and what is waited for, as delivery, outcome and the due moment come to it.
pub fn standing(
    delivery: u8,
    outcome: Option<&str>,
    due: Option<Timestamp>,
) -> Option<(NodeState, Option<Waiting>)> {
    let waits = |waiting| Some((NodeState::Enqueued, Some(waiting)));
    match (delivery, outcome) {
        (READY, None) => waits(Waiting::Worker(due)),
        (DELAYED, None) => waits(Waiting::Until(due?)),
        (HELD, None) => waits(Waiting::Resume),
        (LEASED, None) => Some((NodeState::Running, None)),
        (ENDED, Some("value")) => Some((NodeState::Finished, None)),
        (ENDED, Some("failed")) => Some((NodeState::Failed, None)),
        (ENDED, Some("overdue")) => Some((NodeState::Failed, Some(Waiting::Overdue))),
        (ENDED, Some("cancelled")) => Some((NodeState::Cancelled, None)),
        _ => None,
    }
}
