//! Who is connected, how many jobs each wants and holds. Lost with the process, rebuilt by the workers' next hello.
//!
//! What nobody here holds is nobody's lease: only what a worker holds reaches a batch, whatever it names. What a worker
//! may hold, and for how long, `decide::window` and `decide::term` say.

use std::collections::HashMap;
use std::sync::Arc;

use weevil_model::limits::MAX_SLOTS;
use weevil_model::witness::{Engine, Record, Witness, device_number};
use weevil_model::{ContentHash, Needs, PlaceNumber, Timestamp, WorkerId};
use weevil_queue::decide::company::Company;
use weevil_queue::decide::server::SERVER;
use weevil_queue::{Appetite, AttemptKey, Renew};
use weevil_records::WorkerRecord;

use crate::contact::Contact;
use crate::feeder::connected::ConnectedWorker;
use crate::feeder::copies_out::{CopiesOut, CopyOut};
use crate::feeder::crowding::Crowding;
use crate::feeder::fruitless::FruitlessNeeds;
use crate::fleet::FleetWorker;

/// A worker that has come.
pub struct WorkerJoined {
    pub worker: WorkerId,
    /// Where it comes from.
    pub place: PlaceNumber,
    /// The pseudonym of its network, where it comes from one.
    pub network: Option<i64>,
    pub contact: Contact,
    pub agent: String,
    pub slots: u32,
    pub capacity: u32,
    /// What it is handed must be met by this.
    pub has: Needs,
    /// Vendor and architecture of the GPU that it lends, as it says.
    pub adapter: Option<String>,
    /// It has a GPU that it does not lend, as it says.
    pub keeps_gpu: bool,
    /// It has shown a token that makes it trusted.
    pub trusted: bool,
}

#[derive(Default)]
pub(super) struct ConnectedWorkers {
    workers: HashMap<WorkerId, ConnectedWorker>,
    out: CopiesOut,
    /// Where workers are, for the rules. A batch that is gone has let go of it: it is changed in place.
    company: Arc<Company>,
}

/// What a heartbeat comes to.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Named {
    /// The worker's, to be renewed.
    pub held: Vec<Renew>,
    /// Nobody's that is connected.
    pub doubted: Vec<AttemptKey>,
}

impl ConnectedWorkers {
    pub(super) fn join(&mut self, newcomer: WorkerJoined, now: Timestamp) {
        let company = Arc::make_mut(&mut self.company);
        let (worker, network, engine) =
            (newcomer.worker, newcomer.network, Engine::of_agent(&newcomer.agent));
        let has = newcomer.has.run_by(engine);
        company.join(worker, newcomer.place, has);
        company.parties.join(worker, Witness { device: None, network, engine }, now);
        company.parties.offer(worker, newcomer.slots.min(MAX_SLOTS));
        if newcomer.trusted {
            company.parties.trust(worker);
        }
        let line = ConnectedWorker::come(newcomer, has, now);
        self.workers.insert(worker, line);
    }

    /// The server is one of them, whom nobody sees: it is asked apart, and is at no place.
    pub(super) fn employ(&mut self, contact: Contact, now: Timestamp) {
        Arc::make_mut(&mut self.company).parties.employ(SERVER, now);
        let line = ConnectedWorker::server(contact, now);
        self.workers.insert(SERVER, line);
    }

    /// How many jobs more the server would compute; nothing where it does not.
    pub(super) fn server_wants(&self) -> u32 {
        self.workers.get(&SERVER).map_or(0, |line| line.capacity.saturating_sub(line.in_flight()))
    }

    /// Without the server.
    fn volunteers(&self) -> impl Iterator<Item = (&WorkerId, &ConnectedWorker)> {
        self.workers.iter().filter(|(worker, _)| **worker != SERVER)
    }

    pub(super) fn identify(&mut self, worker: WorkerId, device: ContentHash) {
        if let Some(line) = self.workers.get_mut(&worker) {
            line.device = Some(device);
            Arc::make_mut(&mut self.company).parties.identify(worker, device_number(device));
        }
    }

    /// This worker; `None` once it has left.
    pub(super) fn line_mut(&mut self, worker: WorkerId) -> Option<&mut ConnectedWorker> {
        self.workers.get_mut(&worker)
    }

    /// Those of a device.
    pub(super) fn of_device(&self, device: ContentHash) -> Vec<WorkerId> {
        let its = self.volunteers().filter(|(_, line)| line.device == Some(device));
        its.map(|(worker, _)| *worker).collect()
    }

    /// What has kept workers from being given jobs is over by now for some.
    pub(super) fn look_at_bars(&mut self, now: Timestamp) {
        self.workers.values_mut().for_each(|line| line.look_at_bar(now));
    }

    /// The worker was handed a judged job.
    pub(super) fn settle(&mut self, worker: WorkerId) {
        if self.company.parties.of(worker).is_some_and(|party| !party.is_settled) {
            Arc::make_mut(&mut self.company).parties.settle(worker);
        }
    }

    /// What is kept of these devices now.
    pub(super) fn learn(&mut self, records: &[(i64, Record)]) {
        if !records.is_empty() {
            Arc::make_mut(&mut self.company).parties.learn(records);
        }
    }

    /// What is kept of this device is read anew.
    pub(super) fn forget_record(&mut self, device: i64) {
        if self.company.parties.iter().any(|(_, party)| party.witness.device == Some(device)) {
            Arc::make_mut(&mut self.company).parties.forget(device);
        }
    }

    /// The worker is gone. Answers what it held, and what is to be kept of it.
    pub(super) fn leave(&mut self, worker: WorkerId) -> (Vec<AttemptKey>, Option<WorkerRecord>) {
        Arc::make_mut(&mut self.company).leave(worker);
        let Some(line) = self.workers.remove(&worker) else { return (Vec::new(), None) };
        let record = line.record(worker);
        let held: Vec<AttemptKey> = line.held.into_keys().collect();
        for key in &held {
            self.out.remove(*key);
        }
        (held, record)
    }

    /// Where a worker computes, or has computed lately; `None` where it is not known any more.
    pub(super) fn place(&self, worker: WorkerId) -> Option<PlaceNumber> {
        self.company.place(worker)
    }

    pub(super) fn company(&self) -> Arc<Company> {
        self.company.clone()
    }

    /// Volunteers that are connected.
    pub(super) fn count(&self) -> usize {
        self.volunteers().count()
    }

    /// What it lends now, and for which share of its time.
    pub(super) fn set_slots(&mut self, worker: WorkerId, slots: u32, duty: Option<u32>) {
        let slots = slots.min(MAX_SLOTS);
        let Some(line) = self.workers.get_mut(&worker) else { return };
        line.duty = duty.filter(|percent| (1..100).contains(percent));
        if line.slots == slots {
            return;
        }
        line.slots = slots;
        Arc::make_mut(&mut self.company).parties.offer(worker, slots);
    }

    /// What a worker has; `None` once it has left.
    pub(super) fn has(&self, worker: WorkerId) -> Option<Needs> {
        self.workers.get(&worker).map(|line| line.has)
    }

    /// Does anybody want more who would not ask in vain?
    pub(super) fn hungry(&self, fruitless: &FruitlessNeeds, crowding: &Crowding) -> bool {
        let wants = |worker, line: &ConnectedWorker| line.appetite() > 0 && !fruitless.is(worker, line.has);
        self.volunteers().any(|(worker, line)| wants(*worker, line) && !crowding.is_barred(*worker))
    }

    /// How many more jobs each worker wants that would not ask in vain.
    pub(super) fn appetites(&self, fruitless: &FruitlessNeeds) -> Vec<Appetite> {
        let ask = |(worker, line): (&WorkerId, &ConnectedWorker)| Appetite {
            worker: *worker,
            wants: line.appetite(),
            has: line.has,
        };
        self.volunteers().map(ask).filter(|ask| ask.wants > 0 && !fruitless.is(ask.worker, ask.has)).collect()
    }

    /// Workers that compute less than they could, and how many jobs more each would.
    pub(super) fn idle(&self) -> impl Iterator<Item = Appetite> {
        let ask = |(worker, line): (&WorkerId, &ConnectedWorker)| Appetite {
            worker: *worker,
            wants: line.appetite().min(line.free_slots()),
            has: line.has,
        };
        self.volunteers().map(ask).filter(|ask| ask.wants > 0)
    }

    pub(super) const fn out(&self) -> &CopiesOut {
        &self.out
    }

    /// Attempts that one worker holds.
    pub(super) fn held_by(&self, worker: WorkerId) -> usize {
        self.workers.get(&worker).map_or(0, |line| line.held.len())
    }

    /// Attempts that workers hold.
    pub(super) fn held(&self) -> usize {
        self.workers.values().map(|line| line.held.len()).sum()
    }

    /// A heartbeat renews the attempt until `last_renewal`.
    pub(super) fn handed(&mut self, key: AttemptKey, copy: CopyOut, last_renewal: Timestamp) {
        if let Some(line) = self.workers.get_mut(&copy.holder) {
            line.hand(key, last_renewal);
            self.out.insert(key, copy);
        }
    }

    /// Is this attempt the worker's? One that another connection holds under the same token becomes its own.
    fn owns(&mut self, worker: WorkerId, key: AttemptKey) -> bool {
        let Some(holder) = self.out.holder_mut(key) else { return false };
        if *holder == worker {
            return true;
        }
        let Some(last_renewal) = self.workers.get_mut(holder).and_then(|line| line.held.remove(&key)) else {
            return false;
        };
        *holder = worker;
        if let Some(line) = self.workers.get_mut(&worker) {
            line.held.insert(key, last_renewal);
        }
        true
    }

    fn may_renew(&self, worker: WorkerId, key: AttemptKey, now: Timestamp) -> bool {
        let last = self.workers.get(&worker).and_then(|line| line.held.get(&key));
        last.is_some_and(|last| now <= *last)
    }

    /// A worker says what it holds; what it has held for its whole term is not renewed. Beyond a number of attempts that are not held here it is not listened to, until a
    /// heartbeat's time has passed.
    pub(super) fn named(
        &mut self,
        worker: WorkerId,
        named: Vec<Renew>,
        now: Timestamp,
        heartbeat_ms: u32,
    ) -> Named {
        let mut found = Named::default();
        if !self.workers.contains_key(&worker) {
            return found;
        }
        for renew in named {
            if self.owns(worker, renew.key) {
                found.held.extend(self.may_renew(worker, renew.key, now).then_some(renew));
            } else if self.workers.get_mut(&worker).is_some_and(|line| line.doubts.take(now, heartbeat_ms)) {
                found.doubted.push(renew.key);
            }
        }
        found
    }

    /// A worker gives attempts back. Answers those that are its own; it holds them no more.
    pub(super) fn given_back(&mut self, worker: WorkerId, keys: Vec<AttemptKey>) -> Vec<AttemptKey> {
        if !self.workers.contains_key(&worker) {
            return Vec::new();
        }
        keys.into_iter().filter(|key| self.owns(worker, *key) && self.dropped(*key).is_some()).collect()
    }

    /// The attempt has ended with a report; perhaps with the value that ended its job. Answers what was out.
    pub(super) fn finished(&mut self, key: AttemptKey, delivered: bool, failed: bool) -> Option<CopyOut> {
        let copy = self.dropped(key)?;
        if let Some(line) = self.workers.get_mut(&copy.holder) {
            line.reported(delivered, failed);
        }
        Some(copy)
    }

    /// Its lease has expired.
    pub(super) fn expired(&mut self, key: AttemptKey) {
        if let Some(line) = self.dropped(key).and_then(|copy| self.workers.get_mut(&copy.holder)) {
            line.expired();
        }
    }

    /// The attempt has ended without one. Answers what was out.
    pub(super) fn dropped(&mut self, key: AttemptKey) -> Option<CopyOut> {
        let copy = self.out.remove(key)?;
        if let Some(line) = self.workers.get_mut(&copy.holder) {
            line.held.remove(&key);
        }
        Some(copy)
    }

    /// The way to a worker; `None` once it has left.
    pub(super) fn contact(&self, worker: WorkerId) -> Option<&Contact> {
        self.workers.get(&worker).map(|line| &line.contact)
    }

    /// For people, the longest connected first.
    pub(super) fn shown(&self, now: Timestamp) -> Vec<FleetWorker> {
        let party = |worker: &WorkerId| self.company.parties.of(*worker);
        let mut shown: Vec<FleetWorker> =
            self.volunteers().map(|(worker, line)| line.shown(*worker, party(worker), now)).collect();
        shown.sort_by_key(|worker| worker.id);
        shown
    }
}
