//! Leases that go on, what their holders told, and those that are not theirs any more.

use std::collections::{BTreeMap, HashSet};

use const_format::formatcp;
use weevil_model::{Timestamp, WorkerId};
use weevil_queue::{AttemptKey, Renew};
use weevil_records::StoreError;

use crate::columns::Columns;
use crate::fault::Fault;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::words::ENDED;

/// By the primary key, attempts alone: an attempt that has ended renews nothing. What was not told stays. Their
/// jobs' rows stay untouched, which SQLite would write anew with all of their inputs (ADR 0039).
const RENEW: Sql = Sql {
    doing: "renewing leases",
    sqlite: "
update attempts set due_at = ?2, progress = coalesce(s.value ->> 2, progress) from json_each(?1) s
where attempts.job = s.value ->> 0 and attempts.token = s.value ->> 1 and attempts.ending is null",
    mysql: "
update json_table(?, '$[*]' columns (
    job bigint path '$[0]', token bigint path '$[1]', progress double path '$[2]')) s
straight_join attempts a on a.job = s.job and a.token = s.token
set a.due_at = ?, a.progress = coalesce(s.progress, a.progress)
where a.ending is null",
};

/// Reads without a lock: a worker that is told nothing now names its attempt again with the next heartbeat.
const DISOWNED: Sql = Sql {
    doing: "looking whose attempts are",
    sqlite: formatcp!(
        "
select s.value ->> 0 as job, s.value ->> 1 as token from json_each(?1) s left join jobs j on j.id = s.value ->> 0
left join attempts a on a.job = j.id and a.token = s.value ->> 1 and a.ending is null
where j.id is null or j.delivery = {ENDED} or (j.open_attempts > 0 and a.job is null)"
    ),
    mysql: formatcp!(
        "
select s.job, s.token from json_table(?, '$[*]' columns (job bigint path '$[0]', token bigint path '$[1]')) s
left join jobs j on j.id = s.job left join attempts a on a.job = j.id and a.token = s.token and a.ending is null
where j.id is null or j.delivery = {ENDED} or (j.open_attempts > 0 and a.job is null)"
    ),
};

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
