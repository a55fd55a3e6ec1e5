//! Whether GPU jobs are wanted, and what follows when the GPU is lost.

use weevil_protocol::slot::SlotCommand;

use super::{Effect, State};
use crate::link::Link;

/// A second loss within so many milliseconds ends it: the machine does not bear it.
const LOSSES_WITHIN_MS: f64 = 24.0 * 3600.0 * 1000.0;
/// All slots lose the same GPU; they tell of one loss within so many milliseconds.
const ONE_LOSS_MS: f64 = 10_000.0;

impl State {
    /// What a worker can run is said when it connects, so it connects anew where that changes. What slots hold goes on.
    pub(super) fn set_gpu(&mut self, percent: u32, now: f64, out: &mut Vec<Effect>) {
        let before = std::mem::replace(&mut self.gpu, percent);
        if percent > 0 && percent != before {
            out.extend(self.slots.values().map(|slot| Effect::to(slot, SlotCommand::GpuDuty { percent })));
        }
        if (before > 0) == (percent > 0) || !matches!(self.link, Link::Up(_)) {
            return;
        }
        self.give_back(out);
        out.push(Effect::Disconnect);
        self.link = Link::Down { retry_at: now };
        self.jobs.orphan();
    }

    /// A GPU that is lost for the second time is left alone.
    pub(super) fn lost_gpu(&mut self, now: f64, out: &mut Vec<Effect>) {
        let since = self.gpu_lost_at.map(|before| now - before);
        if since.is_some_and(|ms| ms < ONE_LOSS_MS) {
            return;
        }
        self.gpu_lost_at = Some(now);
        if since.is_some_and(|ms| ms < LOSSES_WITHIN_MS) {
            self.set_gpu(0, now, out);
        }
    }
}
