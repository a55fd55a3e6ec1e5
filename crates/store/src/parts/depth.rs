//! The queue from outside: how much is in it, and how many copies are out.

use const_format::formatcp;
use weevil_queue::Depth;

use crate::json::corrupt;
use crate::words::{DELAYED, HELD, READY};
use crate::{Columns, Fault, Sql, Tx};

/// Each count walks one index, or a part of one. SQLite's have nothing but what is counted, and `due_at is not null` leads
/// to two of them. One statement, so that all four see the same moment.
const DEPTH: Sql = Sql::of(
    "counting jobs",
    formatcp!(
        "
select (select count(*) from jobs where delivery = {READY}) as ready,
    (select count(*) from attempts where due_at is not null) as leased,
    (select count(*) from jobs where delivery = {DELAYED} and due_at is not null) as later,
    (select count(*) from jobs where delivery = {HELD}) as held"
    ),
);

pub(crate) async fn depth<T: Tx>(tx: &mut T) -> Result<Depth, Fault> {
    let row = tx.one(&DEPTH, &[]).await?.ok_or_else(|| corrupt("no counts"))?;
    Ok(Depth {
        ready: row.unsigned("ready")?,
        leased: row.unsigned("leased")?,
        delayed: row.unsigned("later")?,
        held: row.unsigned("held")?,
    })
}
