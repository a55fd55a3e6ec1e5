//! What the page asks for, each click as one command. Owns no state.

use weevil_protocol::page::PageCommand;

use super::connection::{give_back, heartbeat};
use super::figures::Figures;
use super::gpu::lend_gpu;
use super::outcome::{lost_slot, submit};
use super::slots::{Slots, Speaker};
use super::step::Step;
use super::stop::stop;
use super::uplink::Uplink;
use super::wishes::{Wish, Wishes};
use super::work::Work;
use crate::link::Link;

pub(super) fn obey(
    command: PageCommand,
    wishes: &mut Wishes,
    uplink: &mut Uplink,
    slots: &mut Slots,
    work: &mut Work,
    figures: &mut Figures,
    step: &mut Step,
) {
    match command {
        PageCommand::Start { origin, agent, slots: wanted } => {
            (wishes.origin, wishes.agent, wishes.wish) = (origin, agent, Wish::Work);
            (figures.started_at, uplink.trouble) = (step.now, None);
            slots.set_count(wanted, step);
            if uplink.link == Link::Off {
                uplink.connect(wishes, step);
            }
        }
        PageCommand::Pause if wishes.wish == Wish::Work => {
            wishes.wish = Wish::Pause;
            slots.recall(work, step);
            give_back(wishes, uplink, slots, work, step);
        }
        PageCommand::Finish if matches!(wishes.wish, Wish::Work | Wish::Pause) => {
            wishes.wish = Wish::Finish;
            slots.recall(work, step);
            give_back(wishes, uplink, slots, work, step);
        }
        PageCommand::Resume if wishes.wish == Wish::Pause => {
            wishes.wish = Wish::Work;
            heartbeat(wishes, uplink, slots, work, step);
        }
        PageCommand::SetSlots { slots: wanted } => {
            slots.set_count(wanted, step);
            heartbeat(wishes, uplink, slots, work, step);
        }
        PageCommand::SetDuty { percent } => {
            slots.set_duty(percent, &mut work.prefetch, step);
            heartbeat(wishes, uplink, slots, work, step);
        }
        PageCommand::SetGpu { percent, adapter } => {
            lend_gpu(percent, adapter, wishes, uplink, slots, work, step);
        }
        PageCommand::Stop => stop(wishes, uplink, slots, work, step),
        PageCommand::SlotCrashed { slot, generation, message } => {
            let ended = lost_slot(Speaker { slot, generation }, &message, slots, work, step);
            submit(ended, wishes, uplink, slots, work, figures, step);
        }
        PageCommand::Pause | PageCommand::Resume | PageCommand::Finish | PageCommand::SlotPort { .. } => {}
    }
}
