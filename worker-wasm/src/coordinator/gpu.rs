//! Whether GPU jobs are wanted, and what follows when the GPU is lost.

use weevil_protocol::slot::SlotCommand;

use super::connection::give_back;
use super::effect::Effect;
use super::slots::Slots;
use super::step::Step;
use super::uplink::Uplink;
use super::wishes::Wishes;
use super::work::Work;
use crate::link::Link;

/// A second loss within so many milliseconds ends it: the machine does not bear it.
const LOSSES_WITHIN_MS: f64 = 24.0 * 3600.0 * 1000.0;
/// All slots lose the same GPU; they tell of one loss within so many milliseconds.
const ONE_LOSS_MS: f64 = 10_000.0;

/// The page says how much of the GPU is lent, and what it is called.
pub(super) fn lend_gpu(
    percent: u32,
    adapter: Option<String>,
    wishes: &mut Wishes,
    uplink: &mut Uplink,
    slots: &Slots,
    work: &mut Work,
    step: &mut Step,
) {
    wishes.adapter = adapter;
    set_gpu(percent.min(100), wishes, uplink, slots, work, step);
}

/// What a worker can run is said when it connects, so it connects anew where that changes. What slots hold goes on.
fn set_gpu(
    percent: u32,
    wishes: &mut Wishes,
    uplink: &mut Uplink,
    slots: &Slots,
    work: &mut Work,
    step: &mut Step,
) {
    let before = std::mem::replace(&mut wishes.gpu, percent);
    if percent > 0 && percent != before {
        let duty = |slot| Effect::to(slot, SlotCommand::GpuDuty { percent });
        step.out.extend(slots.slots.values().map(duty));
    }
    if (before > 0) == (percent > 0) || !uplink.is_up() {
        return;
    }
    give_back(wishes, uplink, slots, work, step);
    step.out.push(Effect::Disconnect);
    uplink.link = Link::Down { retry_at: step.now };
    work.jobs.orphan();
}

/// A GPU that is lost for the second time is left alone, and could not be lent either.
pub(super) fn lost_gpu(
    wishes: &mut Wishes,
    uplink: &mut Uplink,
    slots: &Slots,
    work: &mut Work,
    step: &mut Step,
) {
    let since = wishes.gpu_lost_at.map(|before| step.now - before);
    if since.is_some_and(|ms| ms < ONE_LOSS_MS) {
        return;
    }
    wishes.gpu_lost_at = Some(step.now);
    if since.is_some_and(|ms| ms < LOSSES_WITHIN_MS) {
        wishes.adapter = None;
        set_gpu(0, wishes, uplink, slots, work, step);
    }
}
