//! Jobs that are computed again, since their value does not fit where it goes: they are ready without it, and the attempt
//! that brought it is an error.

use const_format::formatcp;
use serde::Serialize;
use weevil_model::{JobId, RunId, Timestamp, WorkerId};
use weevil_queue::decide::company::{Company, Tried};
use weevil_queue::decide::wait::{Patience, wait};
use weevil_queue::{Batch, Copies, Outcome, Reopen};
use weevil_records::StoreError;

use super::facts::{Histories, histories};
use crate::columns::Columns;
use crate::driver::Dialect;
use crate::fault::Fault;
use crate::json::corrupt;
use crate::paused::Paused;
use crate::sql::Sql;
use crate::words::{ENDED, VALUE, code, word};

/// By the unique index of runs and paths, without a lock: it has the jobs in another order than that of ids (ADR 0039).
const PLACES: Sql = Sql {
    doing: "looking for values",
    sqlite: "
select s.value ->> 2 as place, j.id
from json_each(?1) s join jobs j on j.run = s.value ->> 0 and j.path = s.value ->> 1",
    mysql: "
select straight_join s.place, j.id
from json_table(?, '$[*]' columns (
    run bigint path '$[0]', path longtext character set utf8mb4 path '$[1]', place bigint path '$[2]')) s
join jobs j on j.run = s.run and j.identity = unhex(sha2(s.path, 256))",
};

/// By the primary key. Those that have no value any more have been reopened before. On MySQL the run is asked for in
/// a subquery, whose rows an outer `for update` does not lock.
const VALUES: Sql = Sql {
    doing: "looking for values",
    sqlite: formatcp!(
        "
select s.value ->> 1 as place, j.id, j.failures, j.max_attempts, j.needs, j.max_wait_ms, a.worker
from json_each(?1) s join jobs j on j.id = s.value ->> 0
join runs r on r.id = j.run and r.finished_at is null
left join attempts a on a.job = j.id and a.ending = 'completed'
where j.outcome = '{VALUE}'"
    ),
    mysql: formatcp!(
        "
select straight_join s.place, j.id, j.failures, j.max_attempts, j.needs, j.max_wait_ms, a.worker
from json_table(?, '$[*]' columns (id bigint path '$[0]', place bigint path '$[1]')) s join jobs j on j.id = s.id
left join attempts a on a.job = j.id and a.ending = 'completed'
where j.outcome = '{VALUE}' and exists (select 1 from runs r where r.id = j.run and r.finished_at is null)
for update"
    ),
};

/// By the primary key. `open_attempts` is 0 already: no copy outlives the end of its job.
const REOPEN: Sql = Sql {
    doing: "reopening jobs",
    sqlite: formatcp!(
    "
update jobs set delivery = s.value ->> 1, outcome = s.value ->> 2, failures = failures + (s.value ->> 3),
    due_at = s.value ->> 4, wanted = s.value ->> 5, result = null, reused = null, ended_at = iif(s.value ->> 1 = {ENDED}, ?2, null)
from json_each(?1) s where jobs.id = s.value ->> 0"
),
    mysql: formatcp!("
update json_table(?, '$[*]' columns (
    id bigint path '$[0]', delivery bigint path '$[1]', outcome varchar(16) path '$[2]', counted bigint path '$[3]',
    due_at bigint path '$[4]', wanted bigint path '$[5]')) s
straight_join jobs j on j.id = s.id
set j.delivery = s.delivery, j.outcome = s.outcome, j.failures = j.failures + s.counted, j.due_at = s.due_at,
    j.wanted = s.wanted, j.result = null, j.reused = null, j.ended_at = if(s.delivery = {ENDED}, ?, null)"),
};

/// A job has one completed attempt at most.
const END_ATTEMPTS: Sql = Sql {
    doing: "reopening jobs",
    sqlite: "
update attempts set ending = 'error', error_kind = 'tooLarge', error_message = s.value ->> 1, error_stack = ''
from json_each(?1) s where attempts.job = s.value ->> 0 and attempts.ending = 'completed'",
    mysql: "
update json_table(?, '$[*]' columns (
    job bigint path '$[0]', message longtext character set utf8mb4 path '$[1]')) s
straight_join attempts a on a.job = s.job
set a.ending = 'error', a.error_kind = 'tooLarge', a.error_message = s.message, a.error_stack = ''
where a.ending = 'completed'",
};

/// The value goes in the same transaction from the row and from beside it: nobody meets a waiting job that has one.
pub(crate) async fn reopen<T: Dialect>(
    tx: &mut T,
    batch: &Batch,
    paused: &Paused,
    now: Timestamp,
) -> Result<(), Fault> {
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
    let reopened: Vec<Reopened<'_>> = found.iter().map(read).collect::<Result<_, _>>()?;
    let judged: Vec<JobId> = reopened.iter().filter_map(Reopened::judged).collect();
    let histories = histories(tx, &judged).await?;
    let jobs: Vec<JobRow> =
        reopened.iter().map(|job| job.row(&histories, &batch.company, paused, now)).collect();
    let attempts: Vec<AttemptRow<'_>> = reopened.iter().map(Reopened::attempt).collect();
    tx.change(&REOPEN, &jobs, &[now.into()]).await?;
    tx.forget_results(&jobs).await?;
    tx.change(&END_ATTEMPTS, &attempts, &[]).await.map(drop)
}

/// run, path, place in the batch
pub(crate) type Key<'a> = (i64, &'a str, usize);

/// id, delivery, outcome, failures to add, due moment, wanted copies
#[derive(Serialize)]
pub(crate) struct JobRow(i64, u8, Option<&'static str>, u8, Option<i64>, u32);

/// job, message
#[derive(Serialize)]
pub(crate) struct AttemptRow<'a>(i64, &'a str);

pub(crate) fn keys(reopen: &[Reopen]) -> Vec<Key<'_>> {
    reopen.iter().enumerate().map(|(at, each)| (each.run.number(), &*each.path, at)).collect()
}

/// A job that has a value.
pub(crate) struct Reopened<'a> {
    job: JobId,
    run: RunId,
    /// Whose value it is; `None` for one that was taken over from another job.
    worker: Option<WorkerId>,
    /// With the attempt that is an error now.
    tried: Tried,
    max_wait_ms: Option<u32>,
    message: &'a str,
}

impl<'a> Reopened<'a> {
    pub(crate) fn read<R: Columns>(row: &R, reopen: &'a [Reopen]) -> Result<Self, StoreError> {
        let at = usize::try_from(row.number("place")?).ok();
        let asked = at.and_then(|at| reopen.get(at)).ok_or_else(|| corrupt("a job that nobody asked for"))?;
        let worker = match row.maybe_number("worker")? {
            Some(_) => Some(row.worker_id("worker")?),
            None => None,
        };
        let failures = row.small("failures")?.saturating_add(worker.is_some().into());
        Ok(Self {
            job: row.job_id("id")?,
            run: asked.run,
            worker,
            tried: Tried { failures, max_attempts: row.small("max_attempts")?, needs: row.needs()? },
            max_wait_ms: row.maybe_small("max_wait_ms")?,
            message: &asked.message,
        })
    }

    /// Its job, if that is judged by what happened to it before.
    pub(crate) fn judged(&self) -> Option<JobId> {
        self.tried.may_be_over().then_some(self.job)
    }

    /// `histories` holds that of each job that is `judged`.
    pub(crate) fn row(
        &self,
        histories: &Histories,
        company: &Company,
        paused: &Paused,
        now: Timestamp,
    ) -> JobRow {
        let history = histories.get(&self.job).map(Vec::as_slice).unwrap_or_default();
        let (id, counted) = (self.job.number(), self.worker.is_some().into());
        let over = self.worker.is_some_and(|worker| company.is_over(self.tried, worker, history));
        if over {
            return JobRow(id, ENDED, Some(word(Outcome::Failed)), counted, None, 0);
        }
        let patience: Patience = paused.patience(Some(self.run), self.max_wait_ms);
        let stand = Copies::asked(1).waiting(wait(patience, 0, now));
        let due = stand.due.map(|due| due.0);
        JobRow(id, code(stand.delivery), None, counted, due, stand.copies.wanted)
    }

    pub(crate) fn attempt(&self) -> AttemptRow<'a> {
        AttemptRow(self.job.number(), self.message)
    }
}
