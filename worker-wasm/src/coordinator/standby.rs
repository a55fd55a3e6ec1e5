//! Job workers of modules that wait beside their slot while it works for scripts of the same workflow: when modules
//! have their turn again, nothing is started and nothing is compiled anew.
//!
//! They hold no job. A job worker of scripts never waits like this: strangers' code could go on in it, unseen.

use weevil_protocol::slot::SlotCommand;

use super::effect::Effect;
use super::slots::{Slots, Speaker};
use super::step::Step;
use crate::capacity::Prefetch;
use crate::slot::{JobHome, Slot};

impl Slots {
    /// The slot goes to another frame or another workflow: by the job worker that waits there, or by a new one.
    pub(super) fn change_home(&mut self, at: u32, home: JobHome, prefetch: &Prefetch, step: &mut Step) {
        let JobHome { workflow, realm } = home;
        self.realm = realm;
        if self.standby.get(&at).is_some_and(|waiting| waiting.workflow != Some(workflow)) {
            self.end_standby(at, step);
        }
        let Some(old) = self.slots.remove(&at) else { return };
        let waiting = if realm.strict { self.standby.remove(&at) } else { None };
        if old.realm.strict && !realm.strict && old.workflow == Some(workflow) {
            self.standby.insert(at, old);
        } else {
            step.out.push(Effect::close(at, &old));
        }
        match waiting {
            Some(slot) => self.take_back(at, slot, prefetch, step),
            None => self.open_slot(at, realm, step),
        }
    }

    /// What it missed meanwhile is told.
    fn take_back(&mut self, at: u32, slot: Slot, prefetch: &Prefetch, step: &mut Step) {
        step.out.push(Effect::to(&slot, SlotCommand::Duty { percent: prefetch.duty() }));
        self.slots.insert(at, slot);
    }

    pub(super) fn end_standby(&mut self, at: u32, step: &mut Step) {
        step.out.extend(self.standby.remove(&at).map(|waiting| Effect::close(at, &waiting)));
    }

    /// It has ended by itself, or it speaks, which it has no reason to.
    pub(super) fn lost_standby(&mut self, Speaker { slot, generation }: Speaker, step: &mut Step) {
        if self.standby.get(&slot).is_some_and(|waiting| waiting.generation == generation) {
            self.end_standby(slot, step);
        }
    }
}
