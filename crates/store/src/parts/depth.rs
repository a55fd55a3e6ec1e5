//! The queue from outside: how much is in it, how many copies are out, and what is judged.

use weevil_queue::Depth;

use crate::json::corrupt;
use crate::words::{DELAYED, HELD, READY};
use crate::{Columns, Fault, Sql, Tx, both};

/// Each count walks one index, or a part of one. SQLite's have nothing but what is counted, and `due_at is not null` leads
/// to two of them. Jobs that wait for the end of a lot are no entries of any: a lot knows how many of its answers are not
/// being checked. One statement, so that all see the same moment.
const DEPTH: Sql = both!("counting jobs", "
select (select count(*) from jobs where delivery = {READY}) as ready,
    (select count(*) from attempts where due_at is not null) as leased,
    (select count(*) from jobs where delivery = {DELAYED} and due_at is not null) as later,
    (select count(*) from jobs where delivery = {HELD}) as held,
    (select cast(coalesce(sum(answers - checking), 0) as {INTEGER}) from lots{UNDECIDED} where fate is null) as answered,
    (select count(*) from lots{UNDECIDED} where fate is null) as lots,
    (select count(*) from left_out) as left_out,
    (select count(*) from stopped_codes) as stopped");

pub(crate) async fn depth<T: Tx>(tx: &mut T) -> Result<Depth, Fault> {
    let row = tx.one(&DEPTH, &[]).await?.ok_or_else(|| corrupt("no counts"))?;
    Ok(Depth {
        ready: row.unsigned("ready")?,
        leased: row.unsigned("leased")?,
        delayed: row.unsigned("later")?,
        held: row.unsigned("held")?,
        answered: row.unsigned("answered")?,
        lots: row.unsigned("lots")?,
        left_out: row.unsigned("left_out")?,
        stopped: row.unsigned("stopped")?,
    })
}
