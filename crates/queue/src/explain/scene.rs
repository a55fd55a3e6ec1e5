//! The reasons that hold for all jobs and workers alike.

use super::facts::{Database, Known, Scene};
use super::reason::{Reason, Unknown};

/// What the server, its database and its queue say.
pub(super) fn reasons(scene: &Scene) -> Vec<Reason> {
    let ending = scene.ending.then_some(Reason::ServerEnding);
    let database = match scene.database {
        Database::Writes => None,
        Database::DoesNot(since) => Some(Reason::DatabaseNotWriting { since }),
        Database::Unknown => Some(Reason::Unknown(Unknown::Database)),
    };
    let queue = match &scene.queue_paused {
        Known::No => None,
        Known::Yes(pause) => Some(Reason::QueuePaused(pause.clone())),
        Known::Unknown => Some(Reason::Unknown(Unknown::QueuePause)),
    };
    [ending, database, queue].into_iter().flatten().collect()
}

/// What is not known comes last, in the order in which it was asked for.
pub(super) fn unknown_last(mut reasons: Vec<Reason>) -> Vec<Reason> {
    reasons.sort_by_key(|reason| matches!(reason, Reason::Unknown(_)));
    reasons
}

/// Milliseconds from now to a moment; 0 where it is over.
pub(super) fn left_ms(until: weevil_model::Timestamp, now: weevil_model::Timestamp) -> u64 {
    u64::try_from(until.since(now)).unwrap_or(0)
}
