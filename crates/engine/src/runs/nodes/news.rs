//! What news of a job mean to the machine that stands for it, and what they add to the tally of its run.
//!
//! The same for a job with an executor and for one whose pool hears of it. Never decides what becomes of a node.

use weevil_dataflow::{AttemptFailure, Event, NodeFailure};
use weevil_model::Timestamp;
use weevil_queue::{Attempt, AttemptEnd, Ended};

use crate::feeder::NOT_STORED;
use crate::job_news::{Cost, JobChange, JobUpdate};
use crate::runs::tally::{NodeRef, SharedTally};

/// `path` is the node's below its run, `place` its own in the plan or its pool's.
pub(crate) fn event(update: &JobUpdate, path: &str, place: NodeRef, tally: &SharedTally) -> Event {
    match &update.change {
        JobChange::Claimed => Event::Claimed,
        JobChange::Answered => Event::Answered,
        JobChange::Requeued => Event::Requeued,
        JobChange::NotStored(words) => Event::Failed(NodeFailure::internal(path, NOT_STORED, words.clone())),
        JobChange::Ended(Ended::Value(value), cost) => {
            count(tally, place, *cost, update.at);
            Event::Completed(value.clone())
        }
        JobChange::Ended(Ended::Failed(attempts), _) => {
            tally.note(|tally| tally.failed(update.at));
            Event::Failed(failure(path, attempts))
        }
        JobChange::Ended(Ended::Overdue, _) => Event::Failed(failure(path, &[])),
        JobChange::Ended(Ended::Cancelled, _) => Event::Cancel,
    }
}

fn count(tally: &SharedTally, place: NodeRef, cost: Cost, at: Timestamp) {
    match cost {
        Cost::Worked(work) => tally.note(|tally| tally.worked(work, at)),
        Cost::Reused => tally.note(|tally| tally.reused(place)),
        Cost::Nothing => {}
    }
}

/// People want the errors; attempts that merely went away are told only where there is nothing else.
fn failure(path: &str, attempts: &[Attempt]) -> NodeFailure {
    let tells = |attempt: &&Attempt| attempt.failure.is_some() || attempt.end == AttemptEnd::Expired;
    let mut told: Vec<AttemptFailure> = attempts.iter().filter(tells).map(attempt_failure).collect();
    if told.is_empty() {
        told = attempts.iter().map(attempt_failure).collect();
    }
    NodeFailure { node: path.to_owned(), attempts: told }
}

fn attempt_failure(attempt: &Attempt) -> AttemptFailure {
    let end = attempt.end.as_str();
    let failure = attempt.failure.clone().unwrap_or_else(|| weevil_queue::Failure {
        kind: end.to_owned(),
        message: format!("the attempt ended without a result: {end}"),
        stack: String::new(),
    });
    AttemptFailure {
        attempt: attempt.number,
        worker: attempt.worker.to_string(),
        kind: failure.kind,
        message: failure.message,
        stack: failure.stack,
    }
}
