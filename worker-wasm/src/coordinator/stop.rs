//! How work ends by the volunteer's wish: everything is given back, and the connection ends with a word.

use weevil_protocol::frame::ClientFrame;

use super::connection::give_back;
use super::effect::Effect;
use super::slots::Slots;
use super::step::Step;
use super::uplink::Uplink;
use super::wishes::{Wish, Wishes};
use super::work::Work;
use crate::link::Link;

pub(super) fn stop(
    wishes: &mut Wishes,
    uplink: &mut Uplink,
    slots: &mut Slots,
    work: &mut Work,
    step: &mut Step,
) {
    wishes.wish = Wish::Stop;
    let standby = std::mem::take(&mut slots.standby);
    for (at, slot) in std::mem::take(&mut slots.slots).into_iter().chain(standby) {
        step.out.push(Effect::close(at, &slot));
        work.jobs.put_back(slot.jobs.into_iter());
    }
    give_back(wishes, uplink, slots, work, step);
    if uplink.link != Link::Off {
        if uplink.is_up() {
            step.out.push(Effect::Send(ClientFrame::Bye));
        }
        uplink.link = Link::Off;
        step.out.push(Effect::Disconnect);
    }
    uplink.trouble = None;
}

/// Once no slot holds anything, and the server has answered what was handed in.
pub(super) fn stop_when_finished(
    wishes: &mut Wishes,
    uplink: &mut Uplink,
    slots: &mut Slots,
    work: &mut Work,
    step: &mut Step,
) {
    let is_finished = uplink.unanswered.is_empty() && slots.slots.values().all(|slot| slot.jobs.is_empty());
    if wishes.wish == Wish::Finish && is_finished {
        stop(wishes, uplink, slots, work, step);
    }
}
