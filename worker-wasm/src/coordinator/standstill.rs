//! When this machine stood still, frozen by its browser or asleep: what counted on time passing, and what the server has
//! done meanwhile.
//!
//! Only notices. What still is this worker's, the server says: the next welcome is answered with a heartbeat.

use super::{Effect, State};

/// There is a tick ten times a second: a longer gap between two events is no delay.
const STANDSTILL_MS: f64 = 5_000.0;

impl State {
    /// Before every event.
    pub(super) fn notice(&mut self, now: f64, out: &mut Vec<Effect>) {
        let still_ms = now - self.seen_at.replace(now).unwrap_or(now);
        if still_ms < STANDSTILL_MS {
            return;
        }
        // Job workers stood still as well: it was nobody's time.
        for slot in self.slots.values_mut() {
            slot.stood_still(still_ms);
        }
        if self.link.stood_still(still_ms) {
            self.let_go(now, out);
        }
    }

    /// Whatever the socket thinks, nobody is at its other end: jobs that have not begun are others' by now.
    pub(super) fn let_go(&mut self, now: f64, out: &mut Vec<Effect>) {
        out.push(Effect::Disconnect);
        self.disconnected(now);
    }
}
