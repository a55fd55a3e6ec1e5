//! Job workers of scripts that have run something and hold nothing: whatever their runtime says, code may go on in them.
//! They are replaced by unused ones.
//!
//! Modules need none of it: nothing of theirs runs unless it is called.

use super::connection::takes_jobs;
use super::slots::Slots;
use super::step::Step;
use super::uplink::Uplink;
use super::wishes::Wishes;
use super::work::Work;
use crate::slot::Slot;

/// How long a used job worker may wait for its next job.
const IDLE_MS: f64 = 250.0;
/// With the GPU open, which costs more to open again than a job worker.
const GPU_IDLE_MS: f64 = 5_000.0;

/// At once where no work is wanted: a volunteer who pauses wants the machine back.
pub(super) fn renew_unused(
    wishes: &Wishes,
    uplink: &Uplink,
    slots: &mut Slots,
    work: &Work,
    step: &mut Step,
) {
    let is_working = takes_jobs(wishes, uplink);
    let over = |slot: &Slot| {
        let patience = if is_working { patience(slot, work) } else { 0.0 };
        slot.left_since().is_some_and(|since| step.now - since >= patience)
    };
    for at in slots.found(over) {
        slots.replace(at, &work.prefetch, step);
    }
}

fn patience(slot: &Slot, work: &Work) -> f64 {
    if slot.codes.iter().any(|code| work.codes.is_for_gpu(*code)) { GPU_IDLE_MS } else { IDLE_MS }
}
