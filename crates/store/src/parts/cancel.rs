//! Ending what is left of runs, and stand-alone jobs, before they end by themselves.

use std::collections::BTreeSet;

use const_format::formatcp;
use weevil_model::Timestamp;
use weevil_queue::batch::{Change, JobNews};
use weevil_queue::{Cancel, Ended, Outcomes};

use super::copies;
use crate::columns::Columns;
use crate::fault::Fault;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::words::{CANCELLED, ENDED};

/// Those of which copies are out. The index is named: where one run has most of the jobs, MariaDB would rather walk
/// over all of them. Without a lock, since it has them in another order than that of ids (ADR 0039).
const OUT_OF_RUNS: Sql = Sql {
    doing: "cancelling",
    sqlite: "
select id from jobs where open_attempts > 0 and run in (select value from json_each(?1))",
    mysql: "
select straight_join j.id
from json_table(?, '$[*]' columns (run bigint path '$')) s join jobs j force index (jobs_identity) on j.run = s.run
where j.open_attempts > 0",
};

/// By the primary key. They are locked before their attempts, in the order of the rows.
const OPEN: Sql = Sql {
    doing: "cancelling",
    sqlite: formatcp!(
        "
select id, run, path, open_attempts from jobs
where delivery <> {ENDED} and id in (select value from json_each(?1))"
    ),
    mysql: formatcp!(
        "
select straight_join j.id, j.run, j.path, j.open_attempts
from json_table(?, '$[*]' columns (id bigint path '$')) s join jobs j on j.id = s.id
where j.delivery <> {ENDED} for update"
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
    let (mut runs, mut jobs) = (BTreeSet::new(), BTreeSet::new());
    for cancel in wanted {
        match cancel {
            Cancel::Run(run) => runs.insert(run.number()),
            Cancel::Job(job) => jobs.insert(job.number()),
        };
    }
    let [runs, jobs] = [runs, jobs].map(Vec::from_iter);
    let mut out = Vec::new();
    for row in tx.rows(&OUT_OF_RUNS, &runs).await? {
        out.push(row.number("id")?);
    }
    out.sort_unstable();
    end_attempts(tx, &out, false, now, outcomes).await?;
    tx.change(&CANCEL_RUNS, &runs, &[now.into()]).await?;
    end_attempts(tx, &jobs, true, now, outcomes).await?;
    tx.change(&CANCEL_ALONE, &jobs, &[now.into()]).await.map(drop)
}

/// Before their jobs end: that sets `open_attempts` to 0, and nothing would lead to them any more. The end of each job that
/// stands alone is noted, also where nothing is out, since a client waits for it; a run tells its executors itself, and
/// its jobs end with it alone.
async fn end_attempts<T: Tx>(
    tx: &mut T,
    jobs: &[i64],
    alone: bool,
    now: Timestamp,
    outcomes: &mut Outcomes,
) -> Result<(), Fault> {
    let mut out = Vec::new();
    for row in tx.rows(&OPEN, jobs).await? {
        let (id, run) = (row.job_id("id")?, row.maybe_run_id("run")?);
        if run.is_none() != alone {
            continue;
        }
        if row.small("open_attempts")? > 0 {
            out.push(id);
        }
        if alone {
            let change = Change::Ended(Ended::Cancelled);
            outcomes.cancelled.push(JobNews { id, run, path: row.text("path")?, change });
        }
    }
    outcomes.revoked.extend(copies::revoke(tx, &out, now).await?);
    Ok(())
}
