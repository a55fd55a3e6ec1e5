//! Ending what is left of runs, and stand-alone jobs, before they end by themselves.

use const_format::formatcp;
use weevil_model::Timestamp;
use weevil_queue::batch::{Change, JobNews};
use weevil_queue::{AttemptKey, Cancel, Delivery, Ended, Outcomes};
use weevil_records::StoreError;

use crate::columns::Columns;
use crate::fault::Fault;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::words::{CANCELLED, ENDED, LEASED};

/// The index is named: where one run has most of the jobs, MariaDB would rather walk over all of them.
const LEASED_OF_RUNS: Sql = Sql {
    doing: "cancelling",
    sqlite: formatcp!(
        "
select id, run, path, delivery, lease_token, lease_worker from jobs
where delivery = {LEASED} and run in (select value from json_each(?1))"
    ),
    mysql: formatcp!("
select straight_join j.id, j.run, j.path, j.delivery, j.lease_token, j.lease_worker
from json_table(?, '$[*]' columns (run bigint path '$')) s join jobs j force index (jobs_identity) on j.run = s.run
where j.delivery = {LEASED} for update"),
};

/// By the primary key; also those that nobody holds, since whoever put them in waits for each.
const OPEN_ALONE: Sql = Sql {
    doing: "cancelling",
    sqlite: formatcp!(
        "
select id, run, path, delivery, lease_token, lease_worker from jobs
where delivery <> {ENDED} and run is null and id in (select value from json_each(?1))"
    ),
    mysql: formatcp!(
        "
select straight_join j.id, j.run, j.path, j.delivery, j.lease_token, j.lease_worker
from json_table(?, '$[*]' columns (id bigint path '$')) s join jobs j on j.id = s.id
where j.run is null and j.delivery <> {ENDED} for update"
    ),
};

/// By the index of runs, named as above.
const CANCEL_RUNS: Sql = Sql {
    doing: "cancelling",
    sqlite: formatcp!(
        "
update jobs set delivery = {ENDED}, outcome = '{CANCELLED}', ended_at = ?2,
    lease_token = null, lease_worker = null, due_at = null
where delivery <> {ENDED} and run in (select value from json_each(?1))"
    ),
    mysql: formatcp!("
update json_table(?, '$[*]' columns (run bigint path '$')) s
straight_join jobs j force index (jobs_identity) on j.run = s.run
set j.delivery = {ENDED}, j.outcome = '{CANCELLED}', j.ended_at = ?, j.lease_token = null, j.lease_worker = null, j.due_at = null
where j.delivery <> {ENDED}"),
};

/// By the primary key.
const CANCEL_ALONE: Sql = Sql {
    doing: "cancelling",
    sqlite: formatcp!(
        "
update jobs set delivery = {ENDED}, outcome = '{CANCELLED}', ended_at = ?2,
    lease_token = null, lease_worker = null, due_at = null
where delivery <> {ENDED} and run is null and id in (select value from json_each(?1))"
    ),
    mysql: formatcp!("
update json_table(?, '$[*]' columns (id bigint path '$')) s
straight_join jobs j on j.id = s.id
set j.delivery = {ENDED}, j.outcome = '{CANCELLED}', j.ended_at = ?, j.lease_token = null, j.lease_worker = null, j.due_at = null
where j.run is null and j.delivery <> {ENDED}"),
};

/// By job; few have more than one attempt.
const END_ATTEMPTS: Sql = Sql {
    doing: "ending cancelled attempts",
    sqlite: "
update attempts set ending = 'cancelled', ended_at = ?2 from json_each(?1) s
where attempts.job = s.value ->> 0 and attempts.token = s.value ->> 1",
    mysql: "
update json_table(?, '$[*]' columns (job bigint path '$[0]', token bigint path '$[1]')) s
straight_join attempts a on a.job = s.job and a.token = s.token
set a.ending = 'cancelled', a.ended_at = ?",
};

pub(crate) async fn cancel<T: Tx>(
    tx: &mut T,
    wanted: &[Cancel],
    now: Timestamp,
    outcomes: &mut Outcomes,
) -> Result<(), Fault> {
    let (mut runs, mut jobs) = (Vec::new(), Vec::new());
    for cancel in wanted {
        match cancel {
            Cancel::Run(run) => runs.push(run.number()),
            Cancel::Job(job) => jobs.push(job.number()),
        }
    }
    end(tx, [&LEASED_OF_RUNS, &CANCEL_RUNS], &runs, now, outcomes).await?;
    end(tx, [&OPEN_ALONE, &CANCEL_ALONE], &jobs, now, outcomes).await
}

async fn end<T: Tx>(
    tx: &mut T,
    [met, cancel]: [&Sql; 2],
    ids: &[i64],
    now: Timestamp,
    outcomes: &mut Outcomes,
) -> Result<(), Fault> {
    let revoked = news(&tx.rows(met, ids).await?, outcomes)?;
    tx.change(&END_ATTEMPTS, &revoked, &[now.into()]).await?;
    tx.change(cancel, ids, &[now.into()]).await.map(drop)
}

/// Notes the attempts that are revoked and the stand-alone jobs that end; a run tells its executors itself. Answers job
/// and token of the attempts.
fn news<R: Columns>(rows: &[R], outcomes: &mut Outcomes) -> Result<Vec<(i64, i64)>, StoreError> {
    let mut revoked = Vec::new();
    for row in rows {
        let (id, run) = (row.job_id("id")?, row.maybe_run_id("run")?);
        if row.delivery()? == Delivery::Leased {
            let key = AttemptKey { job: id, token: row.number("lease_token")? };
            outcomes.revoked.push((row.worker_id("lease_worker")?, key));
            revoked.push((id.number(), key.token));
        }
        if run.is_none() {
            let change = Change::Ended(Ended::Cancelled);
            outcomes.cancelled.push(JobNews { id, run, path: row.text("path")?, change });
        }
    }
    Ok(revoked)
}
