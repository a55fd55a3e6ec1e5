//! Keeping every job worker supplied: how many there are, which jobs go to which, and when one is replaced.

use weevil_model::limits::MAX_SLOTS;
use weevil_protocol::frame::AttemptKey;
use weevil_protocol::page::PageEvent;
use weevil_protocol::slot::{SlotCommand, SlotJob};

use super::effect::Effect;
use super::figures::Figures;
use super::slots::Slots;
use super::step::Step;
use super::uplink::Uplink;
use super::wishes::Wishes;
use super::work::Work;
use crate::capacity::Prefetch;
use crate::job::Jobs;
use crate::slot::{JobHome, Realm, Slot};

impl Slots {
    pub(super) fn set_count(&mut self, wanted: u32, step: &mut Step) {
        let wanted = wanted.clamp(1, MAX_SLOTS);
        for at in 0..wanted {
            match self.slots.get_mut(&at) {
                Some(slot) => slot.retiring = false,
                None => self.open_slot(at, self.realm, step),
            }
        }
        for (_, slot) in self.slots.range_mut(wanted..) {
            slot.retiring = true;
        }
    }

    pub(super) fn set_duty(&mut self, percent: u32, prefetch: &mut Prefetch, step: &mut Step) {
        let before = prefetch.rest_rate();
        prefetch.set_duty(percent);
        self.rests.change(before, prefetch.rest_rate(), step.now);
        let percent = prefetch.duty();
        step.out.extend(self.slots.values().map(|slot| Effect::to(slot, SlotCommand::Duty { percent })));
    }

    /// What a resting job worker holds has not begun: it goes back to the line.
    pub(super) fn recall(&mut self, work: &mut Work, step: &mut Step) {
        for at in self.found(|slot| slot.rests(step.now) && !slot.jobs.is_empty()) {
            let held = self.replace(at, &work.prefetch, step);
            work.jobs.put_back(held.into_iter());
        }
    }

    pub(super) fn open_slot(&mut self, slot: u32, realm: Realm, step: &mut Step) {
        self.generation += 1;
        let generation = self.generation;
        self.slots.insert(slot, Slot::open(generation, realm, step.now));
        let Realm { strict, frozen } = realm;
        step.out.push(Effect::ToPage(PageEvent::OpenSlot { slot, generation, strict, frozen }));
    }

    /// Terminates a slot's job worker and starts another with a realm of the same kind, which rests for what the old one
    /// has worked. Answers what that held.
    pub(super) fn replace(&mut self, at: u32, prefetch: &Prefetch, step: &mut Step) -> Vec<u32> {
        let Some(old) = self.slots.remove(&at) else { return Vec::new() };
        step.out.push(Effect::close(at, &old));
        self.rests.owe(at, old.unpaid_ms(step.now) * prefetch.rest_rate(), step.now);
        if old.retiring {
            self.end_standby(at, step);
        } else {
            self.open_slot(at, old.realm, step);
        }
        old.jobs.into()
    }
}

/// Keeps every job worker supplied.
pub(super) fn fill(
    wishes: &Wishes,
    uplink: &Uplink,
    slots: &mut Slots,
    work: &mut Work,
    figures: &mut Figures,
    step: &mut Step,
) {
    for at in slots.found(|slot| slot.retiring && slot.jobs.is_empty()) {
        slots.replace(at, &work.prefetch, step);
    }
    // One job each in turn first: the last jobs of a run are spread over all slots.
    let depth = work.prefetch.depth();
    for level in [1, depth] {
        for at in slots.found(|_| true) {
            let jobs = fill_slot(at, level, wishes, slots, work, figures, step);
            if let (false, Some(slot)) = (jobs.is_empty(), slots.slots.get(&at)) {
                let command = SlotCommand::Jobs { jobs, max_value_bytes: uplink.max_value_bytes };
                step.out.push(Effect::to(slot, command));
            }
        }
    }
}

/// Prepares a slot for its next jobs, and answers those that it is to be sent.
fn fill_slot(
    at: u32,
    depth: usize,
    wishes: &Wishes,
    slots: &mut Slots,
    work: &mut Work,
    figures: &mut Figures,
    step: &mut Step,
) -> Vec<SlotJob> {
    let mut batch = Vec::new();
    if slots.rests.hold(at, step.now) {
        return batch;
    }
    while let Some((code, home)) = work.next_ready() {
        let Some(slot) = slots.slots.get_mut(&at) else { break };
        if slot.is_free_for_another(home) {
            slots.change_home(at, home, &work.prefetch, step);
            continue;
        }
        let running = slot.jobs.front().and_then(|seq| work.jobs.get(*seq)).map(|job| job.code);
        let is_short = |code| work.prefetch.is_short(code);
        let level = if is_short(code) && running.is_none_or(is_short) { depth } else { 1 };
        if !slot.takes(home, level) {
            break;
        }
        slots.rests.end(at, step.now);
        let Some((seq, job)) = work.jobs.take() else { break };
        batch.push(job.for_slot(seq));
        if slot.give(seq, code, home.workflow, step.now) {
            let command = work.codes.for_slot(code, &slot.codes);
            let on_gpu = matches!(command, Some(SlotCommand::Code { gpu: Some(_), .. }));
            let duty = on_gpu.then_some(SlotCommand::GpuDuty { percent: wishes.gpu.max(1) });
            step.out.extend(duty.into_iter().chain(command).map(|command| Effect::to(slot, command)));
        }
        figures.current = Some(code);
        figures.first_job_ms.get_or_insert(step.now - figures.started_at);
    }
    batch
}

impl Work {
    /// Code of the first waiting job, and where it belongs, once its code is there.
    fn next_ready(&self) -> Option<(u32, JobHome)> {
        let job = self.jobs.front()?;
        Some((job.code, self.codes.home(job.code, job.deterministic == Some(true))?))
    }
}

/// Their run is over: what runs of it is terminated, the neighbours in the same job worker begin again.
pub(super) fn revoked(keys: &[AttemptKey], slots: &mut Slots, work: &mut Work, step: &mut Step) {
    work.jobs.give_up(|job| keys.contains(&job.key));
    let is_hit = |jobs: &Jobs, seq| jobs.get(seq).is_some_and(|job| keys.contains(&job.key));
    for at in slots.found(|slot| slot.jobs.iter().any(|seq| is_hit(&work.jobs, *seq))) {
        let held = slots.replace(at, &work.prefetch, step);
        let (gone, kept): (Vec<u32>, Vec<u32>) = held.into_iter().partition(|seq| is_hit(&work.jobs, *seq));
        for seq in gone {
            work.jobs.end(seq);
        }
        work.jobs.put_back(kept.into_iter());
    }
}
