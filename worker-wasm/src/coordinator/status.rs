//! What the page is told.

use weevil_model::ContentHash;
use weevil_protocol::page::{PageEvent, Status, WorkState};

use super::{Effect, State, Wish};
use crate::link::Link;

/// The page is told at most this often, unless the state changes.
const STATUS_EVERY_MS: f64 = 1_000.0;

impl State {
    pub(super) fn tell(&mut self, now: f64, out: &mut Vec<Effect>) {
        let (state, message) = self.work_state();
        let (told, at) = self.told;
        if told != Some(state) || now - at >= STATUS_EVERY_MS {
            self.told = (Some(state), now);
            let status = self.status(state, message, now);
            out.push(Effect::ToPage(PageEvent::Status(status)));
        }
    }

    pub(super) fn work_state(&self) -> (WorkState, Option<String>) {
        let busy = self.slots.values().any(|slot| !slot.jobs.is_empty());
        let state = match (self.wish, &self.link) {
            (Wish::Nothing, _) => WorkState::Idle,
            (Wish::Stop, _) => WorkState::Stopped,
            (Wish::Finish, _) => WorkState::Finishing,
            (_, Link::Off | Link::Down { .. }) if self.trouble.is_some() => {
                let trouble = self.trouble.clone();
                return trouble.map_or((WorkState::Connecting, None), |(state, why)| (state, Some(why)));
            }
            (Wish::Pause, _) => WorkState::Paused,
            (Wish::Work, Link::Up(_)) if busy => WorkState::Working,
            (Wish::Work, Link::Up(_)) => WorkState::Waiting,
            (Wish::Work, _) => WorkState::Connecting,
        };
        (state, self.trouble.as_ref().map(|(_, why)| why.clone()))
    }

    pub(super) fn status(&mut self, state: WorkState, message: Option<String>, now: f64) -> Status {
        let current = self.current.and_then(|code| self.codes.get(code));
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Status {
            state,
            message,
            retry_ms: self.link.retry_ms(now),
            slots: self.open_slots(),
            busy: count(self.slots.values().filter(|slot| !slot.jobs.is_empty()).count()),
            waiting: count(self.jobs.waiting()),
            done: self.done,
            failed: self.failed,
            workflow: current.map(|code| code.workflow_name.clone()),
            workflow_hash: current.map(|code| ContentHash::from_bytes(code.workflow).to_string()),
            source: current.map(|code| code.source.clone()),
            mflops: self.meter.mflops(now),
            first_job_ms: self.first_job_ms,
        }
    }
}
