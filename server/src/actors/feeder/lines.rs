//! Who is connected, how many jobs each wants and holds. Lost with the process, rebuilt by the workers' next hello.

use std::collections::HashMap;

use weevil_model::limits::{MAX_IN_FLIGHT, MAX_SLOTS};
use weevil_model::{Needs, PlaceNumber, Timestamp, WorkerId};
use weevil_protocol::api::WorkerView;
use weevil_queue::{Ask, AttemptKey, Renew};

use super::vain::Vain;
use crate::actors::contact::Contact;

/// A worker that has come.
pub(crate) struct Newcomer {
    pub worker: WorkerId,
    /// Where it comes from.
    #[expect(dead_code, reason = "rules that decide by places are still to come")]
    pub place: PlaceNumber,
    pub contact: Contact,
    pub agent: String,
    pub slots: u32,
    pub capacity: u32,
    /// What it is handed must be met by this.
    pub has: Needs,
}

#[derive(Default)]
pub(super) struct Lines(HashMap<WorkerId, Line>);

struct Line {
    contact: Contact,
    agent: String,
    device: Option<String>,
    slots: u32,
    capacity: u32,
    has: Needs,
    /// What the worker holds, since when.
    held: HashMap<AttemptKey, Timestamp>,
    done: u32,
    connected_at: Timestamp,
}

impl Line {
    fn appetite(&self) -> u32 {
        self.capacity.saturating_sub(u32::try_from(self.held.len()).unwrap_or(u32::MAX))
    }
}

impl Lines {
    pub(super) fn join(&mut self, newcomer: Newcomer, now: Timestamp) {
        let line = Line {
            contact: newcomer.contact,
            agent: newcomer.agent,
            device: None,
            slots: newcomer.slots.min(MAX_SLOTS),
            capacity: newcomer.capacity.min(MAX_IN_FLIGHT),
            has: newcomer.has,
            held: HashMap::new(),
            done: 0,
            connected_at: now,
        };
        self.0.insert(newcomer.worker, line);
    }

    pub(super) fn identify(&mut self, worker: WorkerId, device: String) {
        if let Some(line) = self.0.get_mut(&worker) {
            line.device = Some(device);
        }
    }

    pub(super) fn leave(&mut self, worker: WorkerId) {
        self.0.remove(&worker);
    }

    /// Connected workers.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    pub(super) fn set_capacity(&mut self, worker: WorkerId, capacity: u32) {
        if let Some(line) = self.0.get_mut(&worker) {
            line.capacity = capacity.min(MAX_IN_FLIGHT);
        }
    }

    pub(super) fn set_slots(&mut self, worker: WorkerId, slots: u32) {
        if let Some(line) = self.0.get_mut(&worker) {
            line.slots = slots.min(MAX_SLOTS);
        }
    }

    /// What a worker has; none once it has left.
    pub(super) fn has(&self, worker: WorkerId) -> Option<Needs> {
        self.0.get(&worker).map(|line| line.has)
    }

    /// Does anybody want more who would not ask in vain?
    pub(super) fn hungry(&self, vain: &Vain) -> bool {
        self.0.values().any(|line| line.appetite() > 0 && !vain.is(line.has))
    }

    /// How many more jobs each worker wants that would not ask in vain.
    pub(super) fn appetites(&self, vain: &Vain) -> Vec<Ask> {
        let ask = |(worker, line): (&WorkerId, &Line)| Ask {
            worker: *worker,
            wants: line.appetite(),
            has: line.has,
        };
        self.0.iter().map(ask).filter(|ask| ask.wants > 0 && !vain.is(ask.has)).collect()
    }

    /// Attempts that workers hold.
    pub(super) fn held(&self) -> usize {
        self.0.values().map(|line| line.held.len()).sum()
    }

    pub(super) fn handed(&mut self, worker: WorkerId, key: AttemptKey, now: Timestamp) {
        if let Some(line) = self.0.get_mut(&worker) {
            line.held.insert(key, now);
        }
    }

    /// What a worker names that it was not given over this connection, or not any more.
    pub(super) fn doubted<'a>(
        &'a self,
        worker: WorkerId,
        named: &'a [Renew],
    ) -> impl Iterator<Item = (WorkerId, AttemptKey)> + 'a {
        let foreign = move |line: &'a Line| named.iter().filter(|renew| !line.held.contains_key(&renew.key));
        self.0.get(&worker).into_iter().flat_map(foreign).map(move |renew| (worker, renew.key))
    }

    /// The attempt has ended with a report.
    pub(super) fn finished(&mut self, worker: WorkerId, key: AttemptKey) {
        if let Some(line) = self.0.get_mut(&worker) {
            line.done += 1;
            line.held.remove(&key);
        }
    }

    /// The attempt has ended without one.
    pub(super) fn dropped(&mut self, worker: WorkerId, key: AttemptKey) {
        if let Some(line) = self.0.get_mut(&worker) {
            line.held.remove(&key);
        }
    }

    /// The way to a worker; none once it has left.
    pub(super) fn contact(&self, worker: WorkerId) -> Option<&Contact> {
        self.0.get(&worker).map(|line| &line.contact)
    }

    /// For people, the longest connected first.
    pub(super) fn views(&self) -> Vec<WorkerView> {
        let mut views: Vec<WorkerView> = self.0.iter().map(|(worker, line)| view(*worker, line)).collect();
        views.sort_by(|a, b| a.id.cmp(&b.id));
        views
    }
}

fn view(worker: WorkerId, line: &Line) -> WorkerView {
    WorkerView {
        id: worker.to_string(),
        agent: line.agent.clone(),
        device: line.device.clone(),
        slots: line.slots,
        in_flight: u32::try_from(line.held.len()).unwrap_or(u32::MAX),
        done: line.done,
        connected_at: line.connected_at.0,
    }
}
