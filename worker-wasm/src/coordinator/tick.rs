//! What time brings: jobs over their time, jobs that wait for too long, holds that end, tries and heartbeats that are due.

use super::connection::{give_stale_back, heartbeat};
use super::figures::Figures;
use super::outcome::watch;
use super::quiet::watch_quiet;
use super::slots::Slots;
use super::step::Step;
use super::uplink::Uplink;
use super::wishes::{Wish, Wishes};
use super::work::Work;
use crate::link::Link;

pub(super) fn tick(
    wishes: &Wishes,
    uplink: &mut Uplink,
    slots: &mut Slots,
    work: &mut Work,
    figures: &mut Figures,
    step: &mut Step,
) {
    watch(wishes, uplink, slots, work, figures, step);
    give_stale_back(wishes, uplink, slots, work, step);
    watch_quiet(slots, work, step);
    if work.hold_until.is_some_and(|until| step.now >= until) {
        work.hold_until = None;
        heartbeat(wishes, uplink, slots, work, step);
    }
    if uplink.link.is_dead(step.now) {
        uplink.let_go(work, step);
    }
    match uplink.link {
        Link::Down { retry_at } if step.now >= retry_at && wishes.wish != Wish::Stop => {
            uplink.connect(wishes, step);
        }
        _ if uplink.link.beats_at(step.now) => heartbeat(wishes, uplink, slots, work, step),
        _ => {}
    }
}
