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
use crate::words::{ENDED, LEASED};

/// By the primary key; whoever lost a lease renews nothing.
const RENEW: Sql = Sql {
    doing: "renewing leases",
    sqlite: formatcp!(
        "
update jobs set due_at = ?2 from json_each(?1) s
where jobs.id = s.value ->> 0 and jobs.lease_token = s.value ->> 1 and jobs.delivery = {LEASED}"
    ),
    mysql: formatcp!(
        "
update json_table(?, '$[*]' columns (id bigint path '$[0]', token bigint path '$[1]')) s
straight_join jobs j on j.id = s.id
set j.due_at = ?
where j.lease_token = s.token and j.delivery = {LEASED}"
    ),
};

/// An attempt that has not ended is its job's only holder.
const TELL_PROGRESS: Sql = Sql {
    doing: "keeping progress",
    sqlite: "
update attempts set progress = s.value ->> 2 from json_each(?1) s
where attempts.job = s.value ->> 0 and attempts.token = s.value ->> 1 and attempts.ending is null",
    mysql: "
update json_table(?, '$[*]' columns (
    job bigint path '$[0]', token bigint path '$[1]', progress double path '$[2]')) s
straight_join attempts a on a.job = s.job and a.token = s.token
set a.progress = s.progress
where a.ending is null",
};

/// Reads without a lock: who is told wrongly asks again.
const DISOWNED: Sql = Sql {
    doing: "looking whose attempts are",
    sqlite: formatcp!("
select s.value ->> 0 as job, s.value ->> 1 as token from json_each(?1) s left join jobs j on j.id = s.value ->> 0
where j.id is null or j.delivery = {ENDED} or (j.delivery = {LEASED} and j.lease_token <> s.value ->> 1)"),
    mysql: formatcp!(
    "
select s.job, s.token from json_table(?, '$[*]' columns (job bigint path '$[0]', token bigint path '$[1]')) s
left join jobs j on j.id = s.job
where j.id is null or j.delivery = {ENDED} or (j.delivery = {LEASED} and j.lease_token <> s.token)"
),
};

pub(crate) async fn renew<T: Tx>(tx: &mut T, renew: &[Renew], deadline: Timestamp) -> Result<(), Fault> {
    let (leases, told) = rows(renew);
    tx.change(&RENEW, &leases, &[deadline.into()]).await?;
    tx.change(&TELL_PROGRESS, &told, &[]).await.map(drop)
}

/// Who is told that its attempt is not its own.
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
pub(crate) type Lease = (i64, i64);
/// job, token, progress
pub(crate) type Told = (i64, i64, f64);

/// All that are renewed, and the last that each of them has told: in the order of their jobs, in which every server
/// locks them.
pub(crate) fn rows(renew: &[Renew]) -> (Vec<Lease>, Vec<Told>) {
    let lease = |renew: &Renew| (renew.key.job.number(), renew.key.token);
    let mut leases: Vec<Lease> = renew.iter().map(lease).collect();
    leases.sort_unstable();
    let told = renew.iter().filter_map(|renew| renew.progress.map(|progress| (lease(renew), progress)));
    let told: BTreeMap<Lease, f64> = told.collect();
    (leases, told.into_iter().map(|((job, token), progress)| (job, token, progress)).collect())
}
