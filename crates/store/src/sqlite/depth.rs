//! The queue from outside: how much is in it, and whether the file takes writes.

use const_format::formatcp;
use sqlx::{SqliteConnection, SqlitePool};
use weevil_queue::Depth;
use weevil_records::StoreError;

use super::rows::failed;
use crate::shared::depth::depth_of;
use crate::words::{DELAYED, HELD, LEASED, READY};

/// Each count walks an index of nothing but what it counts.
const DEPTH: &str = formatcp!(
    "
select (select count(*) from jobs where delivery = {READY}) as ready,
    (select count(*) from jobs where delivery = {LEASED} and due_at is not null) as leased,
    (select count(*) from jobs where delivery = {DELAYED} and due_at is not null) as later,
    (select count(*) from jobs where delivery = {HELD}) as held"
);

pub(super) async fn depth(readers: &SqlitePool) -> Result<Depth, StoreError> {
    let row = sqlx::query(DEPTH).fetch_one(readers).await.map_err(failed("counting jobs"))?;
    depth_of(&row)
}

/// A number in the file's first page that nobody reads: written, it has the page written.
pub(super) async fn write_something(tx: &mut SqliteConnection) -> Result<(), StoreError> {
    let done = sqlx::query("pragma user_version = 0").execute(tx).await;
    done.map(drop).map_err(failed("writing anything at all"))
}
