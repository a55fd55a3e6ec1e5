//! Why a worker gets nothing.

use weevil_model::Timestamp;

use super::facts::{Known, Scene, Suspended, WaitingClass, WorkerCase, WorkerTold};
use super::graph::MAX_CAUSES;
use super::reason::{Reason, Unknown};
use super::scene::{left_ms, reasons, unknown_last};

/// A worker that is connected for less may simply not have been asked yet, milliseconds.
pub const JUST_JOINED_MS: u64 = 5_000;

/// Why a worker gets nothing, most telling first.
pub fn explain_worker(worker: &WorkerCase, scene: &Scene) -> Vec<Reason> {
    let Some(told) = &worker.told else {
        return [Reason::NotConnected].into_iter().chain(suspension(worker, scene.now)).collect();
    };
    let mut found = reasons(scene);
    found.extend(suspension(worker, scene.now));
    found.extend(enough(worker, told));
    found.extend(waiting(worker, told));
    if let Some(until) = worker.rests_until.filter(|until| *until > scene.now) {
        found.push(Reason::Rests { until, left_ms: left_ms(until, scene.now) });
    }
    let ms = left_ms(scene.now, worker.connected_at);
    if ms < JUST_JOINED_MS && told.in_flight == 0 {
        found.push(Reason::JustJoined { ms });
    }
    if found.is_empty() {
        found.push(Reason::Unknown(Unknown::Cause));
    }
    unknown_last(found)
}

fn suspension(worker: &WorkerCase, now: Timestamp) -> Option<Reason> {
    match &worker.suspended {
        Known::Yes(Suspended::Banned { since, note }) => {
            Some(Reason::WorkerBanned { since: *since, note: note.clone() })
        }
        Known::Yes(Suspended::Paused { until, note }) if *until > now => {
            Some(Reason::WorkerPaused { until: *until, left_ms: left_ms(*until, now), note: note.clone() })
        }
        Known::Yes(Suspended::Paused { .. }) | Known::No => None,
        Known::Unknown => Some(Reason::Unknown(Unknown::Suspension)),
    }
}

/// It wants no more than it holds, or may have no more.
fn enough(worker: &WorkerCase, told: &WorkerTold) -> Option<Reason> {
    let wants = told.capacity.into_iter().chain(worker.window).min()?;
    if told.capacity == Some(0) {
        return Some(Reason::OwnPause);
    }
    (told.in_flight >= wants).then_some(Reason::HoldsEnough { holds: told.in_flight, wants })
}

/// Whether anything waits that it could have.
fn waiting(worker: &WorkerCase, told: &WorkerTold) -> Option<Reason> {
    let Some(classes) = &worker.classes else { return Some(Reason::Unknown(Unknown::WaitingJobs)) };
    let mut waiting: Vec<WaitingClass> = classes.iter().filter(|class| class.jobs > 0).copied().collect();
    if waiting.is_empty() {
        return Some(Reason::NothingWaits);
    }
    if waiting.iter().any(|class| told.has.meet(class.needs)) {
        return None;
    }
    waiting.sort_by_key(|class| std::cmp::Reverse(class.jobs));
    let more = u32::try_from(waiting.len().saturating_sub(MAX_CAUSES)).unwrap_or(u32::MAX);
    waiting.truncate(MAX_CAUSES);
    Some(Reason::MeetsNone { classes: waiting, more })
}
