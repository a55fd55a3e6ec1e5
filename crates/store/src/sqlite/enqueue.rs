//! Putting jobs in. A job that is there already (a restarted server enqueues its runs again) stays as it is; a run that
//! has ended takes none; a job that may take the stored result of an equal one has ended at once; a key is taken once.

use const_format::formatcp;
use sqlx::SqliteConnection;
use weevil_model::Timestamp;
use weevil_queue::{Duplicate, Enqueued, NewJob, Outcomes};
use weevil_records::StoreError;

use super::facts::histories;
use super::large;
use super::rows::{change, failed, found};
use crate::shared::enqueue::{Row, alone, asking, duplicate, enqueued, failed_already, of_runs};
use crate::shared::parts::parts;
use crate::shared::paused::Paused;
use crate::words::{DELAYED, ENDED, HELD, READY, VALUE};

const INSERT: &str = "
insert into jobs (id, run, path, code, source, input, seed, order_key, timeout_ms, max_attempts, returns, fingerprint,
                  queue, needs, delivery, due_at, max_wait_ms, retry_ms, enqueued_at)
select value ->> 0, value ->> 1, value ->> 2, unhex(value ->> 3), value ->> 4, unhex(value ->> 5), value ->> 6,
       value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13, value ->> 14,
       value ->> 15, value ->> 16, value ->> 17, ?2
from json_each(?1)
where value ->> 1 is null or exists (select 1 from runs where runs.id = value ->> 1 and finished_at is null)
on conflict do nothing";

/// Only jobs that nobody has had: what is running goes on.
const REUSE: &str = formatcp!("
update jobs set delivery = {ENDED}, outcome = '{VALUE}', result = known.result, reused = known.id, ended_at = ?2, due_at = null
from json_each(?1) s join jobs new on new.run = s.value ->> 0 and new.path = s.value ->> 1
join jobs known on known.id = (
    select id from jobs e where e.outcome = '{VALUE}' and e.fingerprint = new.fingerprint and e.code = new.code
    and e.input = new.input and e.returns = new.returns and (length(new.input) > 0
        or (select bytes from large_values where job = e.id and role = 0)
         = (select bytes from large_values where job = new.id and role = 0)) limit 1)
where jobs.id = new.id and jobs.delivery in ({READY}, {DELAYED}, {HELD}) and jobs.handed_out = 0");

const ENDED_ALREADY: &str = formatcp!("
select j.id, j.run, j.path, j.outcome, j.reused,
       iif(length(j.result) > 0, j.result, (select bytes from large_values where job = j.id and role = 1)) as result
from json_each(?1) s
join jobs j on j.run = s.value ->> 0 and j.path = s.value ->> 1
where j.delivery = {ENDED}");

const DUPLICATES: &str = "
select s.value ->> 2 as asked, s.value ->> 3 as asked_fingerprint, j.id as kept, j.fingerprint as kept_fingerprint
from json_each(?1) s join jobs j on j.queue = s.value ->> 0 and j.path = s.value ->> 1
where j.id <> s.value ->> 2";

/// Notes the jobs that have ended already, earlier or just now with a stored result, and those whose key was taken.
pub(super) async fn enqueue(
    tx: &mut SqliteConnection,
    jobs: &[NewJob],
    paused: &Paused,
    now: Timestamp,
    outcomes: &mut Outcomes,
) -> Result<(), StoreError> {
    if jobs.is_empty() {
        return Ok(());
    }
    let rows: Vec<Row<'_>> = jobs.iter().map(|job| Row::of(job, paused, now, large::IN_ROW)).collect();
    let inserted = change(tx, INSERT, &rows, now.0, "enqueueing").await?;
    large::keep_inputs(tx, jobs).await?;
    let reused = reuse(tx, jobs, now).await?;
    if reused > 0 || inserted < jobs.len() as u64 {
        outcomes.enqueued = ended_already(tx, jobs).await?;
        outcomes.duplicates = duplicates(tx, jobs).await?;
    }
    Ok(())
}

/// Answers how many jobs took a stored result.
async fn reuse(tx: &mut SqliteConnection, jobs: &[NewJob], now: Timestamp) -> Result<u64, StoreError> {
    let mut reused = 0;
    for keys in parts(&asking(jobs))? {
        let done = sqlx::query(REUSE).bind(&keys).bind(now.0).execute(&mut *tx).await;
        reused += done.map_err(failed("looking for stored results"))?.rows_affected();
        large::keep_reused(tx, &keys).await?;
    }
    Ok(reused)
}

async fn ended_already(tx: &mut SqliteConnection, jobs: &[NewJob]) -> Result<Vec<Enqueued>, StoreError> {
    let rows = found(tx, ENDED_ALREADY, &of_runs(jobs), "looking for earlier results").await?;
    let histories = histories(tx, &failed_already(&rows)?).await?;
    rows.iter().map(|row| enqueued(row, &histories)).collect()
}

async fn duplicates(tx: &mut SqliteConnection, jobs: &[NewJob]) -> Result<Vec<Duplicate>, StoreError> {
    let found = found(tx, DUPLICATES, &alone(jobs), "looking for keys").await?;
    found.iter().map(duplicate).collect()
}
