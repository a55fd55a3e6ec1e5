//! Leases that go on, what their holders told, and those that are not theirs any more.

use std::collections::{BTreeMap, HashSet};

use weevil_model::{Timestamp, WorkerId};
use weevil_queue::{AttemptKey, Renew};
use weevil_records::StoreError;

use crate::words::ENDED;
use crate::{Columns, Fault, Sql, Tx, both};

/// By the primary key, attempts alone: an attempt that has ended renews nothing. What was not told stays. Their
/// jobs' rows stay untouched, which SQLite would write anew with all of their inputs (ADR 0039).
const RENEW: Sql = both!("renewing leases", attempts by job and token, [job int, token int, done real], "
update {TARGET} set due_at = {P2}, progress = coalesce(s.done, progress){SOURCE}{AND}ending is null");

/// Reads without a lock: a worker that is told nothing now names its attempt again with the next heartbeat.
const DISOWNED: Sql = both!("looking whose attempts are", [job int, token int], "
select s.job, s.token from {ROWS} left join jobs j on j.id = s.job
left join attempts a on a.job = j.id and a.token = s.token and a.ending is null
where j.id is null or j.delivery = {ENDED} or (j.open_attempts > 0 and a.job is null)");

pub(crate) async fn renew<T: Tx>(tx: &mut T, renew: &[Renew], deadline: Timestamp) -> Result<(), Fault> {
    tx.change(&RENEW, &rows(renew), &[deadline.into()]).await.map(drop)
}

/// Those of the doubted attempts that are not their workers' any more. Asked after renewals and ends, so that what
/// this batch has changed counts.
pub(crate) async fn disowned<T: Tx>(
    tx: &mut T,
    doubted: &[(WorkerId, AttemptKey)],
) -> Result<Vec<(WorkerId, AttemptKey)>, Fault> {
    let leases: Vec<Lease> = doubted.iter().map(|(_, key)| (key.job.number(), key.token)).collect();
    let rows = tx.rows(&DISOWNED, &leases).await?;
    let lease = |row: &T::Row| Ok((row.number("job")?, row.number("token")?));
    let gone = rows.iter().map(lease).collect::<Result<HashSet<Lease>, StoreError>>()?;
    let is_gone = |(_, key): &&(WorkerId, AttemptKey)| gone.contains(&(key.job.number(), key.token));
    Ok(doubted.iter().filter(is_gone).copied().collect())
}

/// job, token
type Lease = (i64, i64);
/// job, token, progress
type Renewal = (i64, i64, Option<f64>);

/// Each attempt once, with the last that was told of it: in the order of their jobs, in which every server locks them.
fn rows(renew: &[Renew]) -> Vec<Renewal> {
    let mut told: BTreeMap<Lease, Option<f64>> = BTreeMap::new();
    for Renew { key, progress } in renew {
        let last = told.entry((key.job.number(), key.token)).or_default();
        *last = progress.or(*last);
    }
    told.into_iter().map(|((job, token), progress)| (job, token, progress)).collect()
}
