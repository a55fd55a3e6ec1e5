//! Jobs that are computed again, since their value does not fit where it goes: they are ready without it, and the attempt
//! that brought it is an error.

use std::collections::BTreeSet;

use weevil_model::{JobId, ProjectId, RunId, WorkerId};
use weevil_queue::decide::company::Tried;
use weevil_queue::decide::wait::wait;
use weevil_queue::{Copies, Outcome, Reopen};
use weevil_records::StoreError;

use super::apply::Work;
use super::changes::{self, JobRow, JobRows};
use super::facts::{Histories, histories};
use super::revoked::RETRACE;
use crate::driver::Dialect;
use crate::json::corrupt;
use crate::words::VALUE;
use crate::{Columns, Fault, Sql, both};

/// What an attempt has come to whose value did not fit beside those of its pool.
const TOO_LARGE: &str = "tooLarge";
/// The same beside other arguments. No worker reports it, so it tells that a job was computed once more for this.
const INPUT_TOO_LARGE: &str = "inputTooLarge";

/// By the unique index of runs and paths, without a lock: it has the jobs in another order than that of ids (ADR 0039).
const PLACES: Sql = both!("looking for values", [run int, path text, place int], "
select {LEAD}s.place, j.id from {ROWS} join jobs j on j.run = s.run and {SAME_PATH}");

/// By the primary key. Those that have no value any more have been reopened before. The run is asked for in a subquery,
/// whose rows MySQL does not lock with the others.
const VALUES: Sql = both!("looking for values", [id int, place int], "
select {LEAD}s.place, j.id, j.project, {RESULT_SIZE} as bytes, j.failures, j.max_attempts, j.needs, j.max_wait_ms, j.trust, a.worker,
    exists (select 1 from attempts b where b.job = j.id and b.error_kind = '{INPUT_TOO_LARGE}') as refused
from {ROWS} join jobs j on j.id = s.id left join attempts a on a.job = j.id and a.ending = 'completed'
where j.outcome = '{VALUE}' and exists (select 1 from runs r where r.id = j.run and r.finished_at is null){LOCK}");

/// By the primary key: what was taken over from another job is computed, and the value goes.
const COMPUTE: Sql =
    both!("reopening jobs", jobs by id, [id int], "update {TARGET} set reused = null, result = null{SOURCE}");

/// A job that nobody judges has one completed attempt at most.
const END_ATTEMPTS: Sql = both!("reopening jobs", attempts by job, [job int, kind word, message text], "
update {TARGET} set ending = 'error', error_kind = s.kind, error_message = s.message, error_stack = ''
{SOURCE}{AND}ending = 'completed'");

/// The value goes in the same transaction from the row and from beside it: nobody meets a waiting job that has one.
pub(crate) async fn reopen<T: Dialect>(tx: &mut T, work: &mut Work<'_>) -> Result<(), Fault> {
    let Work { batch, now, .. } = *work;
    if batch.reopen.is_empty() {
        return Ok(());
    }
    let mut jobs = Vec::new();
    for row in tx.rows(&PLACES, &keys(&batch.reopen)).await? {
        jobs.push((row.number("id")?, row.number("place")?));
    }
    jobs.sort_unstable();
    let found = tx.rows(&VALUES, &jobs).await?;
    let read = |row| Reopened::read(row, &batch.reopen);
    let mut reopened: Vec<Reopened<'_>> = found.iter().map(read).collect::<Result<_, _>>()?;
    reopened.dedup_by_key(|job| job.job);
    let judged: Vec<JobId> = reopened.iter().filter_map(Reopened::judged).collect();
    let histories = histories(tx, &judged).await?;
    let mut rows = JobRows::default();
    for job in &reopened {
        let over = job.is_over(&histories, work);
        rows.enter(&mut None, job.row(over, work));
        work.usage.give_back(job.project, job.bytes);
        work.usage.open(job.project, u64::from(!over));
    }
    let ids: Vec<_> = reopened.iter().map(|job| job.job.number()).collect();
    let attempts: Vec<_> = reopened.iter().map(|job| (job.job.number(), job.kind(), job.message)).collect();
    changes::jobs(tx, &rows, now).await?;
    tx.change(&COMPUTE, &ids, &[]).await?;
    tx.forget_results(&ids).await?;
    tx.change(&END_ATTEMPTS, &attempts, &[]).await?;
    let runs: BTreeSet<RunId> = reopened.iter().filter(|job| job.anew).map(|job| job.run).collect();
    tx.change(&RETRACE, &runs.iter().map(|run| run.number()).collect::<Vec<_>>(), &[]).await?;
    work.outcomes.retrace.extend(runs);
    Ok(())
}

/// run, path, place in the batch
type Key<'a> = (i64, &'a str, usize);

fn keys(reopen: &[Reopen]) -> Vec<Key<'_>> {
    reopen.iter().enumerate().map(|(at, each)| (each.run.number(), &*each.path, at)).collect()
}

/// A job that has a value.
struct Reopened<'a> {
    job: JobId,
    project: ProjectId,
    /// Length of the value.
    bytes: u64,
    run: RunId,
    /// Whose value it is; `None` for one that was taken over from another job.
    worker: Option<WorkerId>,
    /// With the attempt that is an error now.
    tried: Tried,
    max_wait_ms: Option<u32>,
    /// Its answers have agreed on the value, or one was too large before: another one will not come.
    is_last: bool,
    /// The executors of its run begin anew.
    anew: bool,
    message: &'a str,
}

impl<'a> Reopened<'a> {
    fn read<R: Columns>(row: &R, reopen: &'a [Reopen]) -> Result<Self, StoreError> {
        let at = usize::try_from(row.number("place")?).ok();
        let asked = at.and_then(|at| reopen.get(at)).ok_or_else(|| corrupt("a job that nobody asked for"))?;
        let worker = match row.maybe_number("worker")? {
            Some(_) => Some(row.worker_id("worker")?),
            None => None,
        };
        let failures = row.small("failures")?.saturating_add(worker.is_some().into());
        Ok(Self {
            job: row.job_id("id")?,
            project: row.id("project", ProjectId::from_number)?,
            bytes: row.unsigned("bytes")?,
            run: asked.run,
            worker,
            tried: Tried {
                failures,
                witnesses: None,
                max_attempts: row.small("max_attempts")?,
                needs: row.needs()?,
            },
            max_wait_ms: row.maybe_small("max_wait_ms")?,
            is_last: row.trust()?.is_judged() && worker.is_some() || asked.anew && row.small("refused")? > 0,
            anew: asked.anew,
            message: &asked.message,
        })
    }

    const fn kind(&self) -> &'static str {
        if self.anew { INPUT_TOO_LARGE } else { TOO_LARGE }
    }

    /// Its job, if that is judged by what happened to it before.
    fn judged(&self) -> Option<JobId> {
        self.tried.may_be_over().then_some(self.job)
    }

    /// `histories` holds that of each job that is `judged`.
    fn is_over(&self, histories: &Histories, work: &Work<'_>) -> bool {
        let history = histories.get(&self.job).map(Vec::as_slice).unwrap_or_default();
        self.is_last
            || self.worker.is_some_and(|worker| work.batch.company.is_over(self.tried, worker, history))
    }

    fn row(&self, over: bool, work: &Work<'_>) -> JobRow {
        // What was taken over is not taken over again: a job that has failed takes no stored result.
        let counted = (self.worker.is_some() || self.anew).into();
        if over {
            return JobRow::ended(self.job, Outcome::Failed, None, counted);
        }
        let wait = wait(work.paused.patience(Some(self.run), self.max_wait_ms), 0, work.now);
        JobRow::new(self.job, Copies::asked(1).waiting(wait), counted)
    }
}
