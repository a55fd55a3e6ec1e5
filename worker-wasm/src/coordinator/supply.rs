//! Keeping every job worker supplied: how many there are, which jobs go to which, and when one is replaced.

use weevil_model::limits::MAX_SLOTS;
use weevil_protocol::frame::AttemptKey;
use weevil_protocol::page::PageEvent;
use weevil_protocol::slot::SlotCommand;

use super::{Effect, State};
use crate::slot::{JobHome, Realm, Slot};

impl State {
    pub(super) fn set_slots(&mut self, wanted: u32, now: f64, out: &mut Vec<Effect>) {
        let wanted = wanted.clamp(1, MAX_SLOTS);
        for at in 0..wanted {
            match self.slots.get_mut(&at) {
                Some(slot) => slot.retiring = false,
                None => self.open_slot(at, self.realm, now, out),
            }
        }
        for (_, slot) in self.slots.range_mut(wanted..) {
            slot.retiring = true;
        }
    }

    pub(super) fn set_duty(&mut self, percent: u32, now: f64, out: &mut Vec<Effect>) {
        let before = self.prefetch.rest_rate();
        self.prefetch.set_duty(percent);
        self.rests.change(before, self.prefetch.rest_rate(), now);
        let percent = self.prefetch.duty();
        out.extend(self.slots.values().map(|slot| Effect::to(slot, SlotCommand::Duty { percent })));
    }

    /// What a resting job worker holds has not begun: it goes back to the line.
    pub(super) fn recall(&mut self, now: f64, out: &mut Vec<Effect>) {
        let resting = |slot: &Slot| slot.rests(now) && !slot.jobs.is_empty();
        let found: Vec<u32> =
            self.slots.iter().filter(|(_, slot)| resting(slot)).map(|(at, _)| *at).collect();
        for at in found {
            let held = self.replace_slot(at, now, out);
            self.jobs.put_back(held.into_iter());
        }
    }

    /// Its job worker may have been closed while the port was on its way.
    pub(crate) fn awaits(&self, generation: u32) -> bool {
        self.slots.values().any(|slot| slot.generation == generation)
    }

    pub(super) fn open_slot(&mut self, slot: u32, realm: Realm, now: f64, out: &mut Vec<Effect>) {
        self.generation += 1;
        let generation = self.generation;
        self.slots.insert(slot, Slot::open(generation, realm, now));
        let Realm { strict, frozen } = realm;
        out.push(Effect::ToPage(PageEvent::OpenSlot { slot, generation, strict, frozen }));
    }

    /// Terminates a slot's job worker and starts another with a realm of the same kind, which rests for what the old one
    /// has worked. Answers what that held.
    pub(super) fn replace_slot(&mut self, at: u32, now: f64, out: &mut Vec<Effect>) -> Vec<u32> {
        let Some(old) = self.slots.remove(&at) else { return Vec::new() };
        out.push(Effect::close(at, &old));
        self.rests.owe(at, old.unpaid_ms(now) * self.prefetch.rest_rate(), now);
        if old.retiring {
            self.end_standby(at, out);
        } else {
            self.open_slot(at, old.realm, now, out);
        }
        old.jobs.into()
    }

    /// Keeps every job worker supplied.
    pub(super) fn fill(&mut self, now: f64, out: &mut Vec<Effect>) {
        let idle: Vec<u32> = self
            .slots
            .iter()
            .filter(|(_, slot)| slot.retiring && slot.jobs.is_empty())
            .map(|(at, _)| *at)
            .collect();
        for at in idle {
            self.replace_slot(at, now, out);
        }
        // One job each in turn first: the last jobs of a run are spread over all slots.
        let depth = self.prefetch.depth();
        for level in [1, depth] {
            for at in self.slots.keys().copied().collect::<Vec<_>>() {
                self.fill_slot(at, level, now, out);
            }
        }
    }

    pub(super) fn fill_slot(&mut self, at: u32, depth: usize, now: f64, out: &mut Vec<Effect>) {
        let mut batch = Vec::new();
        if self.rests.hold(at, now) {
            return;
        }
        while let Some((code, home)) = self.next_ready() {
            let Some(slot) = self.slots.get_mut(&at) else { break };
            if slot.is_free_for_another(home) {
                self.change_slot(at, home, now, out);
                continue;
            }
            let running = slot.jobs.front().and_then(|seq| self.jobs.get(*seq)).map(|job| job.code);
            let short =
                self.prefetch.is_short(code) && running.is_none_or(|code| self.prefetch.is_short(code));
            if !slot.takes(home, if short { depth } else { 1 }) {
                break;
            }
            self.rests.end(at, now);
            let Some((seq, job)) = self.jobs.take() else { break };
            batch.push(job.for_slot(seq));
            if slot.give(seq, code, home.workflow, now) {
                let command = self.codes.for_slot(code, &slot.codes);
                let on_gpu = matches!(command, Some(SlotCommand::Code { gpu: Some(_), .. }));
                let duty = on_gpu.then_some(SlotCommand::GpuDuty { percent: self.gpu.max(1) });
                out.extend(duty.into_iter().chain(command).map(|command| Effect::to(slot, command)));
            }
            self.current = Some(code);
            self.first_job_ms.get_or_insert(now - self.started_at);
        }
        if let (false, Some(slot)) = (batch.is_empty(), self.slots.get(&at)) {
            let command = SlotCommand::Jobs { jobs: batch, max_value_bytes: self.max_value_bytes };
            out.push(Effect::to(slot, command));
        }
    }

    /// Code of the first waiting job, and where it belongs, once its code is there.
    pub(super) fn next_ready(&self) -> Option<(u32, JobHome)> {
        let job = self.jobs.front()?;
        Some((job.code, self.codes.home(job.code, job.deterministic == Some(true))?))
    }

    /// Their run is over: what runs of it is terminated, the neighbours in the same job worker begin again.
    pub(super) fn revoked(&mut self, keys: &[AttemptKey], now: f64, out: &mut Vec<Effect>) {
        self.jobs.give_up(|job| keys.contains(&job.key));
        let holds = |slot: &Slot| {
            slot.jobs.iter().any(|seq| self.jobs.get(*seq).is_some_and(|job| keys.contains(&job.key)))
        };
        let hit: Vec<u32> = self.slots.iter().filter(|(_, slot)| holds(slot)).map(|(at, _)| *at).collect();
        for at in hit {
            let held = self.replace_slot(at, now, out);
            let (gone, kept): (Vec<u32>, Vec<u32>) = held
                .into_iter()
                .partition(|seq| self.jobs.get(*seq).is_some_and(|job| keys.contains(&job.key)));
            for seq in gone {
                self.jobs.end(seq);
            }
            self.jobs.put_back(kept.into_iter());
        }
    }
}
