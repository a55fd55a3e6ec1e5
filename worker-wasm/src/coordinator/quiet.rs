//! Job workers whose realm is loose: after each job they prove that nothing of it is left, or they are replaced.
//!
//! A replacement is charged to nobody: the job that left something behind has its result, the next has not begun. Never
//! believes more of a job worker than that it is quiet; what a runtime that was taken over does, `idle.rs` bounds.

use super::{Effect, State};

/// A job worker that has not said in this time that it is quiet is replaced.
const QUIET_MS: f64 = 1_000.0;

impl State {
    /// It cannot come to an end by itself.
    pub(super) fn left(&mut self, at: u32, seq: u32, now: f64, out: &mut Vec<Effect>) {
        let settling = self.slots.get(&at).and_then(crate::slot::Slot::settling);
        if settling.is_some_and(|(ended, _)| ended == seq) {
            self.start_over(at, now, out);
        }
    }

    /// Replaces those that do not come to an end.
    pub(super) fn watch_quiet(&mut self, now: f64, out: &mut Vec<Effect>) {
        let restless = self
            .slots
            .iter()
            .filter(|(_, slot)| slot.settling().is_some_and(|(_, since)| now - since > QUIET_MS));
        for at in restless.map(|(at, _)| *at).collect::<Vec<_>>() {
            self.start_over(at, now, out);
        }
    }

    /// With an unused job worker; what the old one held has not begun and goes back to the line.
    pub(super) fn start_over(&mut self, at: u32, now: f64, out: &mut Vec<Effect>) {
        let held = self.replace_slot(at, now, out);
        self.jobs.put_back(held.into_iter());
    }
}
