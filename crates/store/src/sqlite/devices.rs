//! Devices: counting their work, and telling of them.

use sqlx::{SqliteConnection, SqlitePool};
use weevil_model::{ContentHash, Timestamp};
use weevil_records::{Device, StoreError};

use super::rows::failed;
use crate::shared::devices::device;

const COUNT: &str = "
insert into devices (fingerprint, first_seen, last_seen, accepted) values (?1, ?2, ?2, ?3)
on conflict (fingerprint) do update set last_seen = max(last_seen, ?2), accepted = accepted + ?3";

const ONE: &str = "select fingerprint, first_seen, last_seen, accepted from devices where fingerprint = ?";

pub(super) async fn count(
    writer: &mut SqliteConnection,
    fingerprint: ContentHash,
    accepted: u32,
    now: Timestamp,
) -> Result<(), StoreError> {
    let query = sqlx::query(COUNT).bind(fingerprint.as_bytes().as_slice()).bind(now.0).bind(accepted);
    query.execute(writer).await.map(drop).map_err(failed("counting a device's work"))
}

pub(super) async fn one(
    readers: &SqlitePool,
    fingerprint: ContentHash,
) -> Result<Option<Device>, StoreError> {
    let row = sqlx::query(ONE).bind(fingerprint.as_bytes().as_slice()).fetch_optional(readers).await;
    row.map_err(failed("reading a device"))?.as_ref().map(device).transpose()
}
