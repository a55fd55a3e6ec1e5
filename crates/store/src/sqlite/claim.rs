//! Which jobs are ready: the first ones of each class that somebody meets.

use const_format::formatcp;
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;
use weevil_queue::Claim;

use super::large;
use crate::columns::Columns;
use crate::fault::Fault;
use crate::parts::deal::{Ready, wanted};
use crate::sql::Sql;
use crate::tx::Tx;
use crate::words::READY;

/// Jumps from class to class; as fast with a million jobs in each. The shard, always 0 as yet, leads the index of
/// ready jobs and so has to be named.
const CLASSES: Sql = Sql::of(
    "looking for classes of jobs",
    formatcp!(
        "
with recursive classes (needs) as (
    select min(needs) from jobs where delivery = {READY} and shard = 0
    union all
    select (select min(needs) from jobs where delivery = {READY} and shard = 0 and needs > classes.needs)
    from classes where needs is not null
)
select needs from classes where needs is not null"
    ),
);

/// The index of ready jobs, in its order. The limit therefore ends the walk: nothing is sorted, and nothing behind
/// it is read.
const OF_CLASS: Sql = Sql::of(
    "looking for ready jobs",
    formatcp!(
        "
select id, run, path, code, source, input, seed, timeout_ms, order_key, failures, queue, handed_out,
       wanted, open_attempts
from jobs where delivery = {READY} and shard = 0 and needs = ?1 order by order_key, id limit ?2"
    ),
);

pub(super) async fn ready(
    tx: &mut SqliteConnection,
    claim: &Claim,
    more: u64,
) -> Result<Vec<Ready<SqliteRow>>, Fault> {
    let mut ready = Vec::new();
    for class in tx.found(&CLASSES, &[]).await? {
        let class = class.number("needs")?;
        let (needs, wanted) = wanted(claim, class, more)?;
        if wanted == 0 {
            continue;
        }
        for row in tx.found(&OF_CLASS, &[class.into(), wanted.cast_signed().into()]).await? {
            let input = row.bytes("input")?;
            ready.push(Ready { row, needs, bytes: input.len() as u64, input });
        }
    }
    large::measure(tx, &mut ready).await?;
    Ok(ready)
}
