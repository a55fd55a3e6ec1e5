//! Job workers of scripts that have run something and hold nothing: whatever their runtime says, code may go on in them.
//! They are replaced by unused ones.
//!
//! Modules need none of it: nothing of theirs runs unless it is called.

use super::{Effect, State};
use crate::slot::Slot;

/// How long a used job worker may wait for its next job.
const IDLE_MS: f64 = 250.0;
/// With the GPU open, which costs more to open again than a job worker.
const GPU_IDLE_MS: f64 = 5_000.0;

impl State {
    /// At once where no work is wanted: a volunteer who pauses wants the machine back.
    pub(super) fn renew_unused(&mut self, now: f64, out: &mut Vec<Effect>) {
        let over = |slot: &Slot| slot.left_since().is_some_and(|since| now - since >= self.patience(slot));
        let found: Vec<u32> = self.slots.iter().filter(|(_, slot)| over(slot)).map(|(at, _)| *at).collect();
        for at in found {
            self.replace_slot(at, now, out);
        }
    }

    fn patience(&self, slot: &Slot) -> f64 {
        if !self.takes_jobs() {
            0.0
        } else if slot.codes.iter().any(|code| self.codes.is_for_gpu(*code)) {
            GPU_IDLE_MS
        } else {
            IDLE_MS
        }
    }
}
