//! Ending what is left of runs, and stand-alone jobs, before they end by themselves.

use const_format::formatcp;
use weevil_model::{JobId, Timestamp};
use weevil_queue::batch::{Change, JobNews};
use weevil_queue::{Cancel, Ended, Outcomes};
use weevil_records::StoreError;

use super::copies;
use crate::columns::Columns;
use crate::fault::Fault;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::words::{CANCELLED, ENDED};

/// Those of which copies are out. The index is named: where one run has most of the jobs, MariaDB would rather walk
/// over all of them. They are locked before their attempts (ADR 0039).
const OUT_OF_RUNS: Sql = Sql {
    doing: "cancelling",
    sqlite: "
select id, run, path, open_attempts from jobs
where open_attempts > 0 and run in (select value from json_each(?1))",
    mysql: "
select straight_join j.id, j.run, j.path, j.open_attempts
from json_table(?, '$[*]' columns (run bigint path '$')) s join jobs j force index (jobs_identity) on j.run = s.run
where j.open_attempts > 0 for update",
};

/// By the primary key; also those of which nothing is out, since the client that put one in waits for its end.
const OPEN_ALONE: Sql = Sql {
    doing: "cancelling",
    sqlite: formatcp!(
        "
select id, run, path, open_attempts from jobs
where delivery <> {ENDED} and run is null and id in (select value from json_each(?1))"
    ),
    mysql: formatcp!(
        "
select straight_join j.id, j.run, j.path, j.open_attempts
from json_table(?, '$[*]' columns (id bigint path '$')) s join jobs j on j.id = s.id
where j.run is null and j.delivery <> {ENDED} for update"
    ),
};

/// By the index of runs, named as above. What only waits is ended unread, however much it is: nobody asks for it
/// job by job.
const CANCEL_RUNS: Sql = Sql {
    doing: "cancelling",
    sqlite: formatcp!(
        "
update jobs set delivery = {ENDED}, outcome = '{CANCELLED}', ended_at = ?2,
    due_at = null, wanted = 0, open_attempts = 0
where delivery <> {ENDED} and run in (select value from json_each(?1))"
    ),
    mysql: formatcp!(
        "
update json_table(?, '$[*]' columns (run bigint path '$')) s
straight_join jobs j force index (jobs_identity) on j.run = s.run
set j.delivery = {ENDED}, j.outcome = '{CANCELLED}', j.ended_at = ?, j.due_at = null,
    j.wanted = 0, j.open_attempts = 0
where j.delivery <> {ENDED}"
    ),
};

/// By the primary key.
const CANCEL_ALONE: Sql = Sql {
    doing: "cancelling",
    sqlite: formatcp!(
        "
update jobs set delivery = {ENDED}, outcome = '{CANCELLED}', ended_at = ?2,
    due_at = null, wanted = 0, open_attempts = 0
where delivery <> {ENDED} and run is null and id in (select value from json_each(?1))"
    ),
    mysql: formatcp!(
        "
update json_table(?, '$[*]' columns (id bigint path '$')) s
straight_join jobs j on j.id = s.id
set j.delivery = {ENDED}, j.outcome = '{CANCELLED}', j.ended_at = ?, j.due_at = null,
    j.wanted = 0, j.open_attempts = 0
where j.run is null and j.delivery <> {ENDED}"
    ),
};

/// A run was marked as ended before, in a transaction of its own. After a crash between the two, `release::tidy_up`
/// cancels its jobs.
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
    end(tx, [&OUT_OF_RUNS, &CANCEL_RUNS], &runs, now, outcomes).await?;
    end(tx, [&OPEN_ALONE, &CANCEL_ALONE], &jobs, now, outcomes).await
}

/// Attempts first: the last statement sets `open_attempts` to 0, and nothing would lead to them any more.
async fn end<T: Tx>(
    tx: &mut T,
    [met, cancel]: [&Sql; 2],
    ids: &[i64],
    now: Timestamp,
    outcomes: &mut Outcomes,
) -> Result<(), Fault> {
    let out = news(&tx.rows(met, ids).await?, outcomes)?;
    outcomes.revoked.extend(copies::revoke(tx, &out, now).await?);
    tx.change(cancel, ids, &[now.into()]).await.map(drop)
}

/// Notes the stand-alone jobs that end; a run tells its executors itself. Answers the jobs of which copies are out.
fn news<R: Columns>(rows: &[R], outcomes: &mut Outcomes) -> Result<Vec<JobId>, StoreError> {
    let mut out = Vec::new();
    for row in rows {
        let (id, run) = (row.job_id("id")?, row.maybe_run_id("run")?);
        if row.small("open_attempts")? > 0 {
            out.push(id);
        }
        if run.is_none() {
            let change = Change::Ended(Ended::Cancelled);
            outcomes.cancelled.push(JobNews { id, run, path: row.text("path")?, change });
        }
    }
    Ok(out)
}
