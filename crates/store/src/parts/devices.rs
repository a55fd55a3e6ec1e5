//! Devices: counting their work, and telling of them.

use std::collections::BTreeMap;

use weevil_model::witness::device_number;
use weevil_model::{ContentHash, Timestamp};
use weevil_records::{Device, StoreError};

use crate::json::hex;
use crate::{Columns, Fault, Sql, Tx};

/// One statement, whether or not a device is known: two servers may count the first work of one at the same time.
/// Without a condition both databases take the `on` for that of a join. MariaDB has no alias for the row that was
/// to be inserted, so `values()` stays, which newer releases of MySQL discourage.
const COUNT: Sql = Sql {
    doing: "counting the work of devices",
    sqlite: "
insert into devices (fingerprint, first_seen, last_seen, accepted, number)
select unhex(value ->> 0), ?2, ?2, value ->> 1, value ->> 2 from jsonb_each(?1) where true
on conflict (fingerprint) do update set
    last_seen = max(last_seen, excluded.last_seen), accepted = accepted + excluded.accepted",
    mysql: "
insert into devices (fingerprint, first_seen, last_seen, accepted, number)
select straight_join unhex(s.device), m.at, m.at, s.many, s.number
from json_table(?, '$[*]' columns (device varchar(64) path '$[0]', many bigint path '$[1]', number bigint path '$[2]')) s
join (select ? as at) m where true
on duplicate key update last_seen = greatest(last_seen, values(last_seen)), accepted = accepted + values(accepted)",
};

/// By the primary key.
const ONE: Sql = Sql::of(
    "reading a device",
    "select fingerprint, first_seen, last_seen, accepted from devices where fingerprint = ?",
);

/// Counts one value for each of these: fingerprints of the devices that brought them. In the order of the
/// fingerprints, in which every server locks them.
pub(crate) async fn count<T: Tx>(
    tx: &mut T,
    devices: impl Iterator<Item = ContentHash>,
    now: Timestamp,
) -> Result<(), Fault> {
    let mut accepted: BTreeMap<ContentHash, u32> = BTreeMap::new();
    for device in devices {
        *accepted.entry(device).or_default() += 1;
    }
    let row = |(device, many): (ContentHash, u32)| (hex(device.as_bytes()), many, device_number(device));
    let rows: Vec<_> = accepted.into_iter().map(row).collect();
    tx.change(&COUNT, &rows, &[now.into()]).await.map(drop)
}

pub(crate) async fn one<T: Tx>(tx: &mut T, fingerprint: ContentHash) -> Result<Option<Device>, Fault> {
    let row = tx.one(&ONE, &[fingerprint.as_bytes().as_slice().into()]).await?;
    Ok(row.as_ref().map(device).transpose()?)
}

pub(crate) fn device<R: Columns>(row: &R) -> Result<Device, StoreError> {
    Ok(Device {
        fingerprint: row.hash("fingerprint")?,
        first_seen: row.moment("first_seen")?,
        last_seen: row.moment("last_seen")?,
        accepted: row.unsigned("accepted")?,
    })
}
