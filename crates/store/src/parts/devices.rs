//! Devices: counting their work, and telling of them.

use weevil_model::{ContentHash, Timestamp};
use weevil_records::{Device, StoreError};

use crate::columns::Columns;
use crate::fault::Fault;
use crate::sql::Sql;
use crate::tx::Tx;

/// One statement, whether or not the device is known: two servers may count the first work of one at the same time.
const COUNT: Sql = Sql {
    doing: "counting a device's work",
    sqlite: "
insert into devices (fingerprint, first_seen, last_seen, accepted) values (?1, ?2, ?3, ?4)
on conflict (fingerprint) do update set last_seen = max(last_seen, ?3), accepted = accepted + ?4",
    mysql: "
insert into devices (fingerprint, first_seen, last_seen, accepted) values (?, ?, ?, ?) on duplicate key update
last_seen = greatest(last_seen, values(last_seen)), accepted = accepted + values(accepted)",
};

/// By the primary key.
const ONE: Sql = Sql::of(
    "reading a device",
    "select fingerprint, first_seen, last_seen, accepted from devices where fingerprint = ?",
);

pub(crate) async fn count<T: Tx>(
    tx: &mut T,
    fingerprint: ContentHash,
    accepted: u32,
    now: Timestamp,
) -> Result<(), Fault> {
    let key = fingerprint.as_bytes().as_slice();
    tx.run(&COUNT, &[key.into(), now.into(), now.into(), accepted.into()]).await.map(drop)
}

pub(crate) async fn one<T: Tx>(tx: &mut T, fingerprint: ContentHash) -> Result<Option<Device>, Fault> {
    let row = tx.one(&ONE, &[fingerprint.as_bytes().as_slice().into()]).await?;
    Ok(row.as_ref().map(device).transpose()?)
}

fn device<R: Columns>(row: &R) -> Result<Device, StoreError> {
    Ok(Device {
        fingerprint: row.hash("fingerprint")?,
        first_seen: row.moment("first_seen")?,
        last_seen: row.moment("last_seen")?,
        accepted: row.unsigned("accepted")?,
    })
}
