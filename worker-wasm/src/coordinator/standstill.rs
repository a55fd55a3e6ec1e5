//! When this machine stood still, frozen by its browser or asleep: what counted on time passing, and what the server has
//! done meanwhile.
//!
//! Only notices. What still is this worker's, the server says: the next welcome is answered with a heartbeat.

use super::effect::Effect;
use super::slots::Slots;
use super::step::Step;
use super::uplink::Uplink;
use super::work::Work;

/// There is a tick ten times a second: a longer gap between two events is no delay.
const STANDSTILL_MS: f64 = 5_000.0;

/// Before every event.
pub(super) fn notice(uplink: &mut Uplink, slots: &mut Slots, work: &mut Work, step: &mut Step) {
    let still_ms = step.now - uplink.seen_at.replace(step.now).unwrap_or(step.now);
    if still_ms < STANDSTILL_MS {
        return;
    }
    // Job workers stood still as well: it was nobody's time.
    for slot in slots.slots.values_mut() {
        slot.stood_still(still_ms);
    }
    if uplink.link.stood_still(still_ms) {
        uplink.let_go(work, step);
    }
}

impl Uplink {
    /// Whatever the socket thinks, nobody is at its other end: jobs that have not begun are others' by now.
    pub(super) fn let_go(&mut self, work: &mut Work, step: &mut Step) {
        step.out.push(Effect::Disconnect);
        self.disconnected(work, step.now);
    }
}
