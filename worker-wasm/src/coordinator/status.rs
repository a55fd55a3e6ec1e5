//! What the page is told.

use weevil_model::ContentHash;
use weevil_protocol::page::{EndedAttempts, PageEvent, SlotActivity, SlotStatus, Status, WorkState};

use super::effect::Effect;
use super::figures::Figures;
use super::slots::Slots;
use super::step::Step;
use super::uplink::Uplink;
use super::wishes::{Wish, Wishes};
use super::work::Work;
use crate::job::Job;
use crate::link::Link;
use crate::slot::Slot;

/// The page is told at most this often, unless the state changes.
const STATUS_EVERY_MS: f64 = 1_000.0;

pub(super) fn tell(
    wishes: &Wishes,
    uplink: &Uplink,
    slots: &Slots,
    work: &Work,
    figures: &mut Figures,
    step: &mut Step,
) {
    let (state, message) = work_state(wishes, uplink, slots);
    let (told, at) = figures.told;
    if told != Some(state) || step.now - at >= STATUS_EVERY_MS {
        figures.told = (Some(state), step.now);
        let status = figures.status(state, message, uplink, slots, work, step.now);
        step.out.push(Effect::ToPage(PageEvent::Status(Box::new(status))));
    }
}

fn work_state(wishes: &Wishes, uplink: &Uplink, slots: &Slots) -> (WorkState, Option<String>) {
    let busy = slots.slots.values().any(|slot| !slot.jobs.is_empty());
    let state = match (wishes.wish, &uplink.link) {
        (Wish::Nothing, _) => WorkState::Idle,
        (Wish::Stop, _) => WorkState::Stopped,
        (Wish::Finish, _) => WorkState::Finishing,
        (_, Link::Off | Link::Down { .. }) if uplink.trouble.is_some() => {
            let trouble = uplink.trouble.clone();
            return trouble.map_or((WorkState::Connecting, None), |(state, why)| (state, Some(why)));
        }
        (Wish::Pause, _) => WorkState::Paused,
        (Wish::Work, Link::Up(_)) if busy => WorkState::Working,
        (Wish::Work, Link::Up(_)) => WorkState::Waiting,
        (Wish::Work, _) => WorkState::Connecting,
    };
    (state, uplink.trouble.as_ref().map(|(_, why)| why.clone()))
}

impl Figures {
    /// What has ended is told once, and the meter forgets what is too old for it; nothing else changes.
    pub(super) fn status(
        &mut self,
        state: WorkState,
        message: Option<String>,
        uplink: &Uplink,
        slots: &Slots,
        work: &Work,
        now: f64,
    ) -> Status {
        let current = self.current.and_then(|code| work.codes.get(code));
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Status {
            state,
            message,
            retry_ms: uplink.link.retry_ms(now),
            slots: slots.open(),
            busy: count(slots.slots.values().filter(|slot| !slot.jobs.is_empty()).count()),
            waiting: count(work.jobs.waiting()),
            done: self.done,
            failed: self.failed,
            workflow: current.map(|code| code.workflow_name.clone()),
            workflow_hash: current.map(|code| ContentHash::from_bytes(code.workflow).to_string()),
            source: current.map(|code| code.source.clone()),
            mflops: self.meter.mflops(now),
            first_job_ms: self.first_job_ms,
            standing: uplink.standing,
            each_slot: slots
                .slots
                .iter()
                .map(|(at, slot)| slot_status(*at, slot, slots, work, now))
                .collect(),
            ended: self.tell_ended(work),
        }
    }

    fn tell_ended(&mut self, work: &Work) -> Vec<EndedAttempts> {
        let ended = std::mem::take(&mut self.untold).into_iter().filter_map(|sums| {
            let code = work.codes.get(sums.code)?;
            Some(EndedAttempts {
                slot: sums.slot,
                workflow: code.workflow_name.clone(),
                workflow_hash: ContentHash::from_bytes(code.workflow).to_string(),
                done: sums.done,
                failed: sums.failed,
                compute_ms: sums.compute_ms,
                flops: sums.flops,
            })
        });
        ended.collect()
    }
}

fn slot_status(at: u32, slot: &Slot, slots: &Slots, work: &Work, now: f64) -> SlotStatus {
    let activity = match slot.jobs.front() {
        None if slots.rests.hold(at, now) => SlotActivity::Resting,
        None => SlotActivity::Free,
        Some(_) if slot.rests(now) => SlotActivity::Resting,
        Some(_) => SlotActivity::Working,
    };
    let running = slot.jobs.front().filter(|_| activity == SlotActivity::Working);
    let progress = running.and_then(|seq| work.jobs.get(*seq)).and_then(Job::progress);
    SlotStatus { slot: at, activity, progress }
}
