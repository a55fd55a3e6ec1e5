//! The copies that are out of a job: who has one, and their end where the job has ended without them.

use std::collections::HashMap;

use weevil_model::{JobId, Timestamp, WorkerId};
use weevil_queue::{AttemptEnd, AttemptKey};

use super::changes::{self, EndRow};
use super::facts::each;
use crate::{Columns, Fault, Sql, Tx, both};

/// By the attempts' primary key. Only of jobs that are known to have copies out, and are locked.
const OPEN: Sql = both!("looking for copies that are out", [job int], "
select {LEAD}a.job, a.number, a.token, a.worker from {ROWS} join attempts a on a.job = s.job
where a.ending is null{LOCK}");

/// Who has copies of each of these jobs.
pub(crate) type Holders = HashMap<JobId, Vec<WorkerId>>;

/// Asks the database nothing where `jobs` is empty, as in nearly every claim.
pub(crate) async fn holders<T: Tx>(tx: &mut T, jobs: &[JobId]) -> Result<Holders, Fault> {
    let mut holders = Holders::new();
    for Copy { worker, key, .. } in open(tx, jobs).await? {
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
    let end = |copy: &Copy| EndRow::new(copy.key.job, copy.number, AttemptEnd::Cancelled);
    changes::attempts(tx, &open.iter().map(end).collect::<Vec<_>>(), now).await?;
    Ok(open.into_iter().map(|copy| (copy.worker, copy.key)).collect())
}

struct Copy {
    worker: WorkerId,
    key: AttemptKey,
    number: u32,
}

/// In the order of the jobs' ids, in which every server locks them.
async fn open<T: Tx>(tx: &mut T, jobs: &[JobId]) -> Result<Vec<Copy>, Fault> {
    let mut open = Vec::new();
    for row in tx.rows(&OPEN, &each(jobs)).await? {
        let key = AttemptKey { job: row.job_id("job")?, token: row.number("token")? };
        open.push(Copy { worker: row.worker_id("worker")?, key, number: row.small("number")? });
    }
    Ok(open)
}
