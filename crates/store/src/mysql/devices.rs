//! Devices: counting their work, and telling of them.

use sqlx::MySqlPool;
use weevil_model::{ContentHash, Timestamp};
use weevil_records::Device;

use super::retry::{Fault, failed};
use super::writer::Writer;
use crate::shared::devices::device;

const COUNT: &str = "
insert into devices (fingerprint, first_seen, last_seen, accepted) values (?, ?, ?, ?) on duplicate key update
last_seen = greatest(last_seen, values(last_seen)), accepted = accepted + values(accepted)";

const ONE: &str = "select fingerprint, first_seen, last_seen, accepted from devices where fingerprint = ?";

pub(super) async fn count(
    writer: &mut Writer,
    fingerprint: ContentHash,
    accepted: u32,
    now: Timestamp,
) -> Result<(), Fault> {
    let mut writing = writer.begin("beginning to count a device's work").await?;
    let key = fingerprint.as_bytes().as_slice();
    let query = sqlx::query(COUNT).bind(key).bind(now.0).bind(now.0).bind(accepted);
    query.execute(&mut *writing.tx).await.map_err(failed("counting a device's work"))?;
    writing.commit("committing a device's work", now).await
}

pub(super) async fn one(readers: &MySqlPool, fingerprint: ContentHash) -> Result<Option<Device>, Fault> {
    let row = sqlx::query(ONE).bind(fingerprint.as_bytes().as_slice()).fetch_optional(readers).await;
    Ok(row.map_err(failed("reading a device"))?.as_ref().map(device).transpose()?)
}
