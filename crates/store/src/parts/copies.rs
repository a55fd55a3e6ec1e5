//! The copies that are out of a job: who has one, and their end where the job has ended without them.

use std::collections::HashMap;

use weevil_model::{JobId, Timestamp, WorkerId};
use weevil_queue::AttemptKey;

use super::facts::each;
use crate::columns::Columns;
use crate::fault::Fault;
use crate::sql::Sql;
use crate::tx::Tx;

/// By the attempts' primary key. Only of jobs that are known to have copies out, and are locked.
const OPEN: Sql = Sql {
    doing: "looking for copies that are out",
    sqlite: "
select a.job, a.token, a.worker from json_each(?1) s join attempts a on a.job = s.value where a.ending is null",
    mysql: "
select straight_join a.job, a.token, a.worker
from json_table(?, '$[*]' columns (job bigint path '$')) s join attempts a on a.job = s.job
where a.ending is null for update",
};

/// By the job, which leads the primary key, then by the token among its attempts: nearly all jobs have one.
const CANCEL: Sql = Sql {
    doing: "ending cancelled attempts",
    sqlite: "
update attempts set ending = 'cancelled', ended_at = ?2, due_at = null from json_each(?1) s
where attempts.job = s.value ->> 0 and attempts.token = s.value ->> 1",
    mysql: "
update json_table(?, '$[*]' columns (job bigint path '$[0]', token bigint path '$[1]')) s
straight_join attempts a on a.job = s.job and a.token = s.token
set a.ending = 'cancelled', a.ended_at = ?, a.due_at = null",
};

/// Who has copies of each of these jobs.
pub(crate) type Holders = HashMap<JobId, Vec<WorkerId>>;

/// Asks the database nothing where `jobs` is empty, as in nearly every claim.
pub(crate) async fn holders<T: Tx>(tx: &mut T, jobs: &[JobId]) -> Result<Holders, Fault> {
    let mut holders = Holders::new();
    for (worker, key) in open(tx, jobs).await? {
        holders.entry(key.job).or_default().push(worker);
    }
    Ok(holders)
}

/// Ends what is out of these jobs. Answers whose it was. The caller has locked the jobs, and ends them in the same
/// transaction.
pub(crate) async fn revoke<T: Tx>(
    tx: &mut T,
    jobs: &[JobId],
    now: Timestamp,
) -> Result<Vec<(WorkerId, AttemptKey)>, Fault> {
    let open = open(tx, jobs).await?;
    let keys: Vec<_> = open.iter().map(|(_, key)| (key.job.number(), key.token)).collect();
    tx.change(&CANCEL, &keys, &[now.into()]).await?;
    Ok(open)
}

/// In the order of the jobs' ids, in which every server locks them.
async fn open<T: Tx>(tx: &mut T, jobs: &[JobId]) -> Result<Vec<(WorkerId, AttemptKey)>, Fault> {
    let mut open = Vec::new();
    for row in tx.rows(&OPEN, &each(jobs)).await? {
        let key = AttemptKey { job: row.job_id("job")?, token: row.number("token")? };
        open.push((row.worker_id("worker")?, key));
    }
    Ok(open)
}
