//! Job workers whose realm is loose: after each job they prove that nothing of it is left, or they are replaced.
//!
//! A replacement is charged to nobody: the job that left something behind has its result, the next has not begun. Never
//! believes more of a job worker than that it is quiet; what a runtime that was taken over does, `idle.rs` bounds.

use super::slots::Slots;
use super::step::Step;
use super::work::Work;
use crate::slot::Slot;

/// A job worker that has not said in this time that it is quiet is replaced.
const QUIET_MS: f64 = 1_000.0;

/// It cannot come to an end by itself.
pub(super) fn left(at: u32, seq: u32, slots: &mut Slots, work: &mut Work, step: &mut Step) {
    let settling = slots.slots.get(&at).and_then(Slot::settling);
    if settling.is_some_and(|(ended, _)| ended == seq) {
        start_over(at, slots, work, step);
    }
}

/// Replaces those that do not come to an end.
pub(super) fn watch_quiet(slots: &mut Slots, work: &mut Work, step: &mut Step) {
    let is_restless = |slot: &Slot| slot.settling().is_some_and(|(_, since)| step.now - since > QUIET_MS);
    for at in slots.found(is_restless) {
        start_over(at, slots, work, step);
    }
}

/// With an unused job worker; what the old one held has not begun and goes back to the line.
pub(super) fn start_over(at: u32, slots: &mut Slots, work: &mut Work, step: &mut Step) {
    let held = slots.replace(at, &work.prefetch, step);
    work.jobs.put_back(held.into_iter());
}
