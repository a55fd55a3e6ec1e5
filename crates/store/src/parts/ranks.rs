//! What is kept of devices, and what follows from it for a batch: who ranks how, and for which jobs the fleet opens.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::witness::{Rank, Record, Witness};
use weevil_model::{Needs, Timestamp, WorkerId};
use weevil_queue::Batch;
use weevil_queue::decide::parties::Party;
use weevil_records::{Credit, StoreError};
use weevil_trust::{NetworkShare, OpenFleet, Plan, is_crowded, rank};

use super::credit::Credits;
use super::judged_job::JudgedJob;
use super::plans;
use crate::{Columns, Fault, Sql, Tx, both};

/// By the primary key.
const RECORDS: Sql = both!("reading what is kept of devices", [device int], "
select {LEAD}r.device, r.passes, r.trusted, r.refuted, r.rests_until, r.error_1, r.error_2 from {ROWS} join records r{BY_KEY} on r.device = s.device");

/// One statement, whether or not a device has a row: see `devices.rs`.
const ADD: Sql = Sql {
    doing: "counting for devices",
    sqlite: "
insert into records (device, passes, given, confirmed, confirmed_us, differed)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 from jsonb_each(?1) where true
on conflict (device) do update set passes = passes + excluded.passes, given = given + excluded.given,
    confirmed = max(confirmed + excluded.confirmed, 0), confirmed_us = max(confirmed_us + excluded.confirmed_us, 0),
    differed = differed + excluded.differed",
    mysql: "
insert into records (device, passes, given, confirmed, confirmed_us, differed)
select s.a, s.b, s.c, s.d, s.e, s.f from json_table(?, '$[*]' columns (
    a bigint path '$[0]', b bigint path '$[1]', c bigint path '$[2]', d bigint path '$[3]', e bigint path '$[4]',
    f bigint path '$[5]')) s where true
on duplicate key update passes = passes + values(passes), given = given + values(given),
    confirmed = greatest(confirmed + values(confirmed), 0), confirmed_us = greatest(confirmed_us + values(confirmed_us), 0),
    differed = differed + values(differed)",
};

/// The same for all that is kept but who was marked: where a device begins anew, and where an error of it was found wrong.
const KEEP: Sql = Sql {
    doing: "keeping what is known of devices",
    sqlite: "
insert into records (device, passes, refuted, rests_until, error_1, error_2)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 from jsonb_each(?1) where true
on conflict (device) do update set passes = excluded.passes, refuted = excluded.refuted, rests_until = excluded.rests_until,
    error_1 = excluded.error_1, error_2 = excluded.error_2",
    mysql: "
insert into records (device, passes, refuted, rests_until, error_1, error_2)
select s.device, s.passes, s.refuted, s.rests, s.newest, s.newer from json_table(?, '$[*]' columns (
    device bigint path '$[0]', passes bigint path '$[1]', refuted bigint path '$[2]', rests bigint path '$[3]',
    newest bigint path '$[4]', newer bigint path '$[5]')) s where true
on duplicate key update passes = values(passes), refuted = values(refuted), rests_until = values(rests_until),
    error_1 = values(error_1), error_2 = values(error_2)",
};

/// The devices of a batch's company, as far as anything is known of them.
pub(crate) struct Ranks<'b> {
    batch: &'b Batch,
    now: Timestamp,
    /// What was read for this batch, since it was not known before.
    read: HashMap<i64, Record>,
    /// Networks that hold so much of the fleet that all of their answers are checked: worked out once, by whoever asks first.
    crowded: OnceLock<BTreeSet<i64>>,
    /// For which needs the fleet opens: the same.
    opens: Mutex<HashMap<Needs, OpenFleet>>,
}

impl<'b> Ranks<'b> {
    pub(crate) fn new(batch: &'b Batch, now: Timestamp) -> Self {
        Self { batch, now, read: HashMap::new(), crowded: OnceLock::new(), opens: Mutex::default() }
    }

    /// Reads what is kept of devices that nobody has asked for yet.
    pub(crate) async fn learn<T: Tx>(&mut self, tx: &mut T) -> Result<(), Fault> {
        let unknown = self.batch.company.parties.unknown();
        let unknown: BTreeSet<i64> = unknown.filter(|device| !self.read.contains_key(device)).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        self.read.extend(unknown.iter().map(|device| (*device, Record::default())));
        for row in tx.rows(&RECORDS, &unknown.iter().collect::<Vec<_>>()).await? {
            self.read.insert(row.number("device")?, record(&row)?);
        }
        self.forget_opens();
        Ok(())
    }

    /// What is kept of these devices, wherever they are.
    pub(crate) async fn read<T: Tx>(
        &self,
        tx: &mut T,
        devices: &BTreeSet<i64>,
    ) -> Result<BTreeMap<i64, Record>, Fault> {
        let mut records: BTreeMap<i64, Record> =
            devices.iter().map(|device| (*device, Record::default())).collect();
        for row in tx.rows(&RECORDS, &devices.iter().collect::<Vec<_>>()).await? {
            records.insert(row.number("device")?, record(&row)?);
        }
        Ok(records)
    }

    /// Writes what is kept of these devices now.
    pub(crate) async fn keep<T: Tx>(
        &mut self,
        tx: &mut T,
        records: &BTreeMap<i64, Record>,
    ) -> Result<(), Fault> {
        let moment = |moment: Option<Timestamp>| moment.map(|moment| moment.0);
        let row = |(device, record): (&i64, &Record)| {
            let [newest, newer] = record.refuted_errors.map(moment);
            (*device, record.passes, record.refuted, moment(record.rests_until), newest, newer)
        };
        tx.change(&KEEP, &records.iter().map(row).collect::<Vec<_>>(), &[]).await?;
        self.read.extend(records.iter().map(|(device, record)| (*device, *record)));
        self.forget_opens();
        Ok(())
    }

    /// What was read, or has changed: for whoever keeps it in memory.
    pub(crate) fn news(self) -> Vec<(i64, Record)> {
        self.read.into_iter().collect()
    }

    pub(crate) const fn now(&self) -> Timestamp {
        self.now
    }

    pub(crate) const fn liars(&self) -> AssumedShare {
        self.batch.judging.liars
    }

    pub(crate) const fn chance(&self) -> [u8; 32] {
        self.batch.chance
    }

    /// `None` for a policy that is not by lots, and for a job of an earlier release where the server assumes so many more liars by
    /// now that no plan is enough.
    pub(crate) fn plan(&self, job: &JudgedJob) -> Option<Arc<Plan>> {
        self.plan_of(job.trust, job.assumed)
    }

    /// The same by what is kept of a job. `assumed`: the share of liars at its start.
    pub(crate) fn plan_of(&self, policy: Policy, assumed: Option<AssumedShare>) -> Option<Arc<Plan>> {
        match policy {
            Policy::Credible(error) => plans::plan(error, assumed.unwrap_or(self.batch.judging.liars)).ok(),
            Policy::Quorum(_) | Policy::None => None,
        }
    }

    pub(crate) fn party(&self, worker: WorkerId) -> Option<Party> {
        self.batch.company.parties.of(worker)
    }

    /// What is kept of the device that a worker is, nothing of one without; and whether it has shown a token.
    pub(crate) fn record(&self, party: &Party) -> Record {
        let read = party.witness.device.and_then(|device| self.read.get(&device).copied());
        Party { record: read.or(party.record), ..*party }.kept()
    }

    pub(crate) fn rank(&self, party: &Party) -> Rank {
        rank(&self.record(party), self.now)
    }

    fn forget_opens(&mut self) {
        self.opens.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Whether newcomers may vouch for each other, for jobs with these needs.
    pub(crate) fn opens(&self, needs: Needs) -> OpenFleet {
        let mut known = self.opens.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry(needs).or_insert_with(|| OpenFleet::of(&self.vouching(needs)))
    }

    fn vouching(&self, needs: Needs) -> Vec<Witness> {
        let company = &self.batch.company;
        let meets = |worker| company.has(worker).is_some_and(|has| has.meet(needs));
        let vouches = |party: &Party| !party.is_server() && self.rank(party) != Rank::Newcomer;
        let vouching = company.parties.iter().filter(|(worker, party)| meets(*worker) && vouches(party));
        vouching.map(|(_, party)| party.witness).collect()
    }

    /// Whether a worker sits in a network that holds more of the fleet than liars are assumed to.
    pub(crate) fn is_crowded(&self, party: &Party) -> bool {
        let crowded = self.crowded.get_or_init(|| self.crowded());
        party.witness.network.is_some_and(|network| crowded.contains(&network))
    }

    fn crowded(&self) -> BTreeSet<i64> {
        let (mut by_network, mut all_slots) = (BTreeMap::<i64, u64>::new(), 0);
        for (_, party) in self.batch.company.parties.iter().filter(|(_, party)| !party.is_server()) {
            all_slots += u64::from(party.slots);
            if let Some(network) = party.witness.network {
                *by_network.entry(network).or_default() += u64::from(party.slots);
            }
        }
        let (networks, liars) = (by_network.len() as u64, self.batch.judging.liars);
        let holds_much = |slots: &u64| is_crowded(NetworkShare { slots: *slots, all_slots, networks }, liars);
        by_network.into_iter().filter(|(_, slots)| holds_much(slots)).map(|(network, _)| network).collect()
    }

    /// Writes what devices have got, and what was taken from them, by the order of their numbers, in which every server locks them.
    pub(crate) async fn add<T: Tx>(
        &mut self,
        tx: &mut T,
        passes: &BTreeMap<i64, u32>,
        (credits, taken): (&Credits, &Credits),
    ) -> Result<(), Fault> {
        let all = passes.keys().chain(credits.keys()).chain(taken.keys());
        let devices: BTreeSet<i64> = all.copied().collect();
        let row = |device: i64| {
            let of = |credits: &Credits| credits.get(&device).copied().unwrap_or_default();
            let (Credit { given, differed, .. }, taken) = (of(credits), of(taken));
            let more = |now: u64, before: u64| now.cast_signed().saturating_sub(before.cast_signed());
            let confirmed = more(of(credits).confirmed, taken.confirmed);
            let confirmed_us = more(of(credits).confirmed_us, taken.confirmed_us);
            let passes = passes.get(&device).copied().unwrap_or_default();
            (device, passes, given, confirmed, confirmed_us, differed)
        };
        tx.change(&ADD, &devices.into_iter().map(row).collect::<Vec<_>>(), &[]).await?;
        if passes.is_empty() {
            return Ok(());
        }
        let mut counted = BTreeSet::new();
        for (_, party) in self.batch.company.parties.iter() {
            let of = party.witness.device.and_then(|device| Some((device, passes.get(&device)?)));
            let record = of.and_then(|(device, _)| self.read.get(&device).copied()).or(party.record);
            let (Some((device, more)), Some(record)) = (of, record) else { continue };
            // Once, however many tabs a device has.
            if counted.insert(device) {
                self.read.insert(device, Record { passes: record.passes.saturating_add(*more), ..record });
            }
        }
        self.forget_opens();
        Ok(())
    }
}

pub(crate) fn record<R: Columns>(row: &R) -> Result<Record, StoreError> {
    Ok(Record {
        passes: row.small("passes")?,
        is_trusted: row.small("trusted")? > 0,
        refuted: row.small("refuted")?,
        rests_until: row.maybe_moment("rests_until")?,
        refuted_errors: [row.maybe_moment("error_1")?, row.maybe_moment("error_2")?],
    })
}
