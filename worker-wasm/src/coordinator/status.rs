//! What the page is told.

use weevil_model::ContentHash;
use weevil_protocol::page::{PageEvent, Status, WorkState};

use super::effect::Effect;
use super::figures::Figures;
use super::slots::Slots;
use super::step::Step;
use super::uplink::Uplink;
use super::wishes::{Wish, Wishes};
use super::work::Work;
use crate::link::Link;

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
        step.out.push(Effect::ToPage(PageEvent::Status(status)));
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
    /// The meter forgets what is too old for it; nothing else changes.
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
        }
    }
}
