//! Who speaks from each connected worker: what makes it a witness of judged jobs.
//!
//! Knows numbers and pseudonyms, never addresses or keys.

use std::collections::HashMap;

use weevil_model::witness::{Engine, Record, Witness};
use weevil_model::{Timestamp, WorkerId};

/// How long a worker has to say which device it is, milliseconds, before judged jobs are handed to it as to nobody known.
pub const INTRODUCTION_MS: i64 = 2000;

/// One of the connected workers as a witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Party {
    pub witness: Witness,
    pub joined_at: Timestamp,
    /// It has had a judged job: it stays who it was then, for as long as it is connected.
    pub is_settled: bool,
    /// It has shown a token that makes it trusted, for as long as it is connected.
    pub is_trusted: bool,
    /// What is kept of its device; `None` where that was not asked for yet, and where it has none.
    pub record: Option<Record>,
    /// Jobs that it says it computes at a time.
    pub slots: u32,
}

/// The parties of all connected workers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parties(HashMap<WorkerId, Party>);

impl Party {
    /// What is kept of who speaks from it, as far as that is known here, and whether it has shown a token.
    pub fn kept(&self) -> Record {
        let kept = self.record.unwrap_or_default();
        Record { is_trusted: kept.is_trusted || self.is_trusted, ..kept }
    }

    /// May it have judged jobs yet?
    pub const fn is_introduced(&self, now: Timestamp) -> bool {
        let is_known = self.witness.device.is_some() || self.is_settled || self.is_server();
        is_known || now.since(self.joined_at) >= INTRODUCTION_MS
    }

    /// Is it the server itself, which computes no first answers?
    pub const fn is_server(&self) -> bool {
        matches!(self.witness.engine, Engine::Server)
    }
}

impl Parties {
    pub fn join(&mut self, worker: WorkerId, witness: Witness, now: Timestamp) {
        let party =
            Party { witness, joined_at: now, is_settled: false, is_trusted: false, record: None, slots: 1 };
        self.0.insert(worker, party);
    }

    pub(super) fn leave(&mut self, worker: WorkerId) {
        self.0.remove(&worker);
    }

    /// The server computes as this worker from now on.
    pub fn employ(&mut self, worker: WorkerId, now: Timestamp) {
        let witness = Witness { device: None, network: None, engine: Engine::Server };
        self.join(worker, witness, now);
        self.trust(worker);
    }

    /// The worker has proved that it is this device.
    pub fn identify(&mut self, worker: WorkerId, device: i64) {
        if let Some(party) = self.0.get_mut(&worker).filter(|party| !party.is_settled) {
            (party.witness.device, party.record) = (Some(device), None);
        }
    }

    /// The devices of which nobody has asked yet what is kept of them.
    pub fn unknown(&self) -> impl Iterator<Item = i64> {
        self.0.values().filter(|party| party.record.is_none()).filter_map(|party| party.witness.device)
    }

    /// What is kept of these devices now.
    pub fn learn(&mut self, records: &[(i64, Record)]) {
        let records: HashMap<i64, Record> = records.iter().copied().collect();
        for party in self.0.values_mut() {
            let known = party.witness.device.and_then(|device| records.get(&device));
            party.record = known.copied().or(party.record);
        }
    }

    /// What was known of this device is asked for anew.
    pub fn forget(&mut self, device: i64) {
        let parties = self.0.values_mut().filter(|party| party.witness.device == Some(device));
        parties.for_each(|party| party.record = None);
    }

    pub fn iter(&self) -> impl Iterator<Item = (WorkerId, &Party)> {
        self.0.iter().map(|(worker, party)| (*worker, party))
    }

    /// The worker computes so many jobs at a time.
    pub fn offer(&mut self, worker: WorkerId, slots: u32) {
        if let Some(party) = self.0.get_mut(&worker) {
            party.slots = slots;
        }
    }

    /// The worker has shown a token that makes it trusted.
    pub fn trust(&mut self, worker: WorkerId) {
        if let Some(party) = self.0.get_mut(&worker) {
            party.is_trusted = true;
        }
    }

    /// The worker was handed a judged job.
    pub fn settle(&mut self, worker: WorkerId) {
        if let Some(party) = self.0.get_mut(&worker) {
            party.is_settled = true;
        }
    }

    /// `None` for one that is not connected.
    pub fn of(&self, worker: WorkerId) -> Option<Party> {
        self.0.get(&worker).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::witness::Engine;

    const NOBODY: Witness = Witness { device: None, network: Some(7), engine: Engine::Other };

    fn worker() -> WorkerId {
        WorkerId::from_number(1).unwrap()
    }

    #[test]
    fn a_worker_stays_who_it_was_at_its_first_judged_job() {
        for (settles_first, device) in [(false, Some(5)), (true, None)] {
            let mut parties = Parties::default();
            parties.join(worker(), NOBODY, Timestamp(0));
            if settles_first {
                parties.settle(worker());
            }
            parties.identify(worker(), 5);
            assert_eq!(parties.of(worker()).unwrap().witness, Witness { device, ..NOBODY });
            parties.leave(worker());
            parties.identify(worker(), 5);
            assert_eq!(parties.of(worker()), None);
        }
    }

    #[test]
    fn what_is_kept_of_a_device_is_asked_for_once() {
        let mut parties = Parties::default();
        parties.join(worker(), NOBODY, Timestamp(0));
        assert_eq!(parties.unknown().count(), 0, "of nobody nothing is kept");
        parties.identify(worker(), 5);
        assert_eq!(parties.unknown().collect::<Vec<_>>(), [5]);
        let record = Record { passes: 3, ..Record::default() };
        parties.learn(&[(5, record), (6, Record::default())]);
        assert_eq!((parties.unknown().count(), parties.of(worker()).unwrap().record), (0, Some(record)));
        for (device, unknown) in [(6, &[][..]), (5, &[5])] {
            parties.forget(device);
            assert_eq!(parties.unknown().collect::<Vec<_>>(), unknown, "{device} was marked");
        }
    }

    #[test]
    fn who_says_nothing_waits_for_two_seconds() {
        for (device, is_settled, after_ms, introduced) in [
            (None, false, 0, false),
            (None, false, 1999, false),
            (None, false, 2000, true),
            (None, true, 0, true),
            (Some(1), false, 0, true),
        ] {
            let witness = Witness { device, ..NOBODY };
            let party = Party {
                witness,
                joined_at: Timestamp(100),
                is_settled,
                is_trusted: false,
                record: None,
                slots: 1,
            };
            assert_eq!(party.is_introduced(Timestamp(100 + after_ms)), introduced, "{party:?} {after_ms}");
        }
    }
}
