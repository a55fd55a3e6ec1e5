//! Devices for people, page by page, and as each is told itself: what is kept of each, and how many of its answers wait.
//!
//! A device that has been compared with others and has ended no job is in `records` alone, one that was never compared in `devices`
//! alone: both lists are read from the same number on and put together.

use std::collections::{BTreeMap, HashMap};

use weevil_model::witness::{Rank, Record};
use weevil_model::{ContentHash, Timestamp};
use weevil_records::{Credit, Device, DeviceList, DeviceStanding, KnownDevice, StoreError};

use super::credit::credit;
use super::devices::device;
use super::ranks::record;
use crate::{Arg, Columns, Fault, Sql, Tx, both};

const WORK: &str = "d.fingerprint, d.first_seen, d.last_seen, d.accepted";
const RECORD: &str = "r.passes, r.trusted, r.refuted, r.rests_until, r.error_1, r.error_2, r.given, r.confirmed, r.confirmed_us, \
    r.differed";

/// Along the index of numbers.
const SEEN: Sql = both!(
    "listing devices",
    "
select d.number as device, {WORK}, {RECORD}
from devices d{BY_NUMBER} left join records r{BY_KEY} on r.device = d.number
where d.number >= ? and d.number <= ? order by d.number limit ?"
);

/// Along the primary key.
const KEPT: Sql = both!(
    "listing devices",
    "
select r.device, {WORK}, {RECORD} from records r{BY_KEY} left join devices d{BY_NUMBER} on d.number = r.device
where r.device >= ? and r.device <= ? order by r.device limit ?"
);

/// Along the index of standings, whose entries end with the number.
const OF_STANDING: Sql = both!("listing devices", "
select r.device, {WORK}, {RECORD} from records r{BY_STANDING} left join devices d{BY_NUMBER} on d.number = r.device
where {STANDING} = ? and r.device >= ? and r.device <= ? order by r.device limit ?");

/// By the primary key.
const STANDINGS: Sql = both!("reading how devices stand", [device int], "
select {LEAD}r.device, {RECORD} from {ROWS} join records r{BY_KEY} on r.device = s.device");

/// By the index of undecided answers. What was asked for and never came, or ended with its run, waits for nothing.
const WAITING: Sql = both!("counting answers of devices", [device int], "
select {LEAD}a.device, count(*) as many from {ROWS} join answers a{UNDECIDED_ANSWERS} on a.device = s.device join jobs j on j.id = a.job
where a.fate is null and a.given_at is not null and j.outcome is null group by a.device");

/// The number of a rank in the index of standings.
const fn standing(rank: Rank) -> i64 {
    match rank {
        Rank::Newcomer => 0,
        Rank::Established => 1,
        Rank::Trusted => 2,
    }
}

pub(crate) async fn list<T: Tx>(tx: &mut T, list: &DeviceList, most: u32) -> Result<Vec<KnownDevice>, Fault> {
    let page: [Arg<'_>; 3] = [list.from.into(), list.until.into(), most.into()];
    let standing = list.rank.filter(|rank| *rank != Rank::Newcomer).map(standing);
    let rows = if let Some(standing) = standing {
        let args: Vec<Arg<'_>> = [standing.into()].into_iter().chain(page).collect();
        tx.found(&OF_STANDING, &args).await?
    } else {
        let mut seen = tx.found(&SEEN, &page).await?;
        seen.extend(tx.found(&KEPT, &page).await?);
        seen
    };
    let found = rows.iter().map(|row| known(row, list.now)).collect::<Result<_, _>>()?;
    count(tx, together(found, most)).await
}

fn known<R: Columns>(row: &R, now: Timestamp) -> Result<KnownDevice, StoreError> {
    let is_seen = row.maybe_bytes("fingerprint")?.is_some();
    let work = if is_seen { Some(device(row)?) } else { None };
    let is_kept = row.maybe_number("passes")?.is_some();
    let (record, credit) =
        if is_kept { (record(row)?, credit(row)?) } else { (Record::default(), Credit::default()) };
    let rank = weevil_trust::rank(&record, now);
    Ok(KnownDevice { number: row.number("device")?, work, record, credit, rank, waiting: 0 })
}

/// The first of both lists, each device once: both begin at the same number, so that what is missing lies behind.
fn together(found: Vec<KnownDevice>, most: u32) -> Vec<KnownDevice> {
    let fingerprint = |device: &KnownDevice| device.work.map(|Device { fingerprint, .. }| fingerprint);
    let each: BTreeMap<(i64, Option<ContentHash>), KnownDevice> =
        found.into_iter().map(|device| ((device.number, fingerprint(&device)), device)).collect();
    each.into_values().take(most as usize).collect()
}

/// How many answers of each of these wait.
async fn waiting<T: Tx>(tx: &mut T, devices: &[i64]) -> Result<HashMap<i64, u32>, Fault> {
    let mut waiting = HashMap::new();
    for row in tx.rows(&WAITING, devices).await? {
        waiting.insert(row.number("device")?, row.small("many")?);
    }
    Ok(waiting)
}

/// Those of these of which something is kept.
pub(crate) async fn standings<T: Tx>(
    tx: &mut T,
    devices: &[i64],
    now: Timestamp,
) -> Result<Vec<DeviceStanding>, Fault> {
    let kept = tx.rows(&STANDINGS, devices).await?;
    let waiting = waiting(tx, devices).await?;
    let standing = |row: &T::Row| {
        let (device, record) = (row.number("device")?, record(row)?);
        Ok(DeviceStanding {
            device,
            rank: weevil_trust::rank(&record, now),
            credit: credit(row)?,
            waiting: waiting.get(&device).copied().unwrap_or_default(),
            rests_until: record.rests_until.filter(|_| weevil_trust::rests(&record, now)),
        })
    };
    Ok(kept.iter().map(standing).collect::<Result<_, StoreError>>()?)
}

async fn count<T: Tx>(tx: &mut T, mut devices: Vec<KnownDevice>) -> Result<Vec<KnownDevice>, Fault> {
    let numbers: Vec<i64> = devices.iter().map(|device| device.number).collect();
    let waiting = waiting(tx, &numbers).await?;
    for device in &mut devices {
        device.waiting = waiting.get(&device.number).copied().unwrap_or_default();
    }
    Ok(devices)
}
