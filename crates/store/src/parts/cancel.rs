//! Ending what is left of runs, and stand-alone jobs, before they end by themselves.

use std::collections::{BTreeMap, BTreeSet};

use const_format::formatcp;
use weevil_model::ProjectId;
use weevil_queue::batch::{Change, JobNews};
use weevil_queue::{Cancel, Ended};

use super::apply::Work;
use super::copies;
use crate::words::{CANCELLED, ENDED};
use crate::{Columns, Fault, Sql, Tx, both};

/// Those of which copies are out. The index is named: where one run has most of the jobs, MariaDB would rather walk
/// over all of them. Without a lock, since it has them in another order than that of ids (ADR 0039).
const OUT_OF_RUNS: Sql = both!("cancelling", [run int], "
select {LEAD}j.id from {ROWS} join jobs j{BY_RUN} on j.run = s.run where j.open_attempts > 0");

/// By the primary key. They are locked before their attempts, in the order of the rows.
const OPEN: Sql = both!("cancelling", [id int], "
select {LEAD}j.id, j.project, j.run, j.path, j.open_attempts, j.trust from {ROWS} join jobs j on j.id = s.id
where j.delivery <> {ENDED}{LOCK}");

/// As it is when a job has been cancelled.
const GONE: &str = formatcp!(
    "delivery = {ENDED}, outcome = '{CANCELLED}', due_at = null, wanted = 0, open_attempts = 0, ended_at ="
);

/// By the primary key. The jobs of a run are of its project.
const PROJECTS: Sql = both!("cancelling", [run int], "
select {LEAD}s.run, r.project from {ROWS} join runs r on r.id = s.run");

/// By the index of runs, named as above. What only waits is ended unread, however much it is: nobody asks for it
/// job by job.
const CANCEL_RUNS: Sql = both!("cancelling", jobs through BY_RUN by run, [run int], "
update {TARGET} set {GONE} {P2}{SOURCE}{AND}delivery <> {ENDED}");

/// By the primary key.
const CANCEL_ALONE: Sql = both!("cancelling", jobs by id, [id int], "
update {TARGET} set {GONE} {P2}{SOURCE}{AND}jobs.run is null and delivery <> {ENDED}");

/// A run was marked as ended before, in a transaction of its own. After a crash between the two, `release::tidy_up`
/// cancels its jobs.
pub(crate) async fn cancel<T: Tx>(tx: &mut T, work: &mut Work<'_>) -> Result<(), Fault> {
    let (mut runs, mut jobs) = (BTreeSet::new(), BTreeSet::new());
    for cancel in &work.batch.cancel {
        match cancel {
            Cancel::Run(run) => runs.insert(run.number()),
            Cancel::Job(job) => jobs.insert(job.number()),
        };
    }
    let [runs, jobs] = [runs, jobs].map(Vec::from_iter);
    let now = work.now;
    let mut out = Vec::new();
    for row in tx.rows(&OUT_OF_RUNS, &runs).await? {
        out.push(row.number("id")?);
    }
    out.sort_unstable();
    end_attempts(tx, &out, false, work).await?;
    for (project, runs) in by_project(tx, &runs).await? {
        let ended = tx.change(&CANCEL_RUNS, &runs, &[now.into()]).await?;
        work.usage.end(project, ended);
    }
    end_attempts(tx, &jobs, true, work).await?;
    tx.change(&CANCEL_ALONE, &jobs, &[now.into()]).await.map(drop)
}

/// In the order of the projects.
async fn by_project<T: Tx>(tx: &mut T, runs: &[i64]) -> Result<BTreeMap<ProjectId, Vec<i64>>, Fault> {
    let mut grouped: BTreeMap<ProjectId, Vec<i64>> = BTreeMap::new();
    for row in tx.rows(&PROJECTS, runs).await? {
        grouped.entry(row.id("project", ProjectId::from_number)?).or_default().push(row.number("run")?);
    }
    Ok(grouped)
}

/// Before their jobs end: that sets `open_attempts` to 0, and nothing would lead to them any more. The end of each job that
/// stands alone is noted, also where nothing is out, since a client waits for it; a run tells its executors itself, and
/// its jobs end with it alone.
async fn end_attempts<T: Tx>(
    tx: &mut T,
    jobs: &[i64],
    alone: bool,
    work: &mut Work<'_>,
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
            work.usage.end(row.id("project", ProjectId::from_number)?, 1);
            work.sealed.extend(row.trust()?.is_judged().then_some(id));
            work.outcomes.cancelled.push(JobNews { id, run, path: row.text("path")?, change });
        }
    }
    work.outcomes.revoked.extend(copies::revoke(tx, &out, work.now).await?);
    Ok(())
}
