//! The queue from outside: how much is in it.
//!
//! Nothing here writes: each transaction of this store does, so any one of them tells whether the database takes writes.

use const_format::formatcp;
use sqlx::MySqlPool;
use weevil_queue::Depth;

use super::retry::{Fault, failed};
use crate::shared::depth::depth_of;
use crate::words::{DELAYED, HELD, LEASED, READY};

/// Each count walks a part of one index.
const DEPTH: &str = formatcp!(
    "
select (select count(*) from jobs where delivery = {READY}) as ready,
    (select count(*) from jobs where delivery = {LEASED}) as leased,
    (select count(*) from jobs where delivery = {DELAYED}) as later,
    (select count(*) from jobs where delivery = {HELD}) as held"
);

pub(super) async fn depth(readers: &MySqlPool) -> Result<Depth, Fault> {
    let row = sqlx::query(DEPTH).fetch_one(readers).await.map_err(failed("counting jobs"))?;
    Ok(depth_of(&row)?)
}
