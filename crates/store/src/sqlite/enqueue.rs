//! Putting jobs in. A job that is there already (a restarted server enqueues its runs again) stays as it is; a run that
//! has ended takes none; a job that may take the stored result of an equal one has ended at once.

use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;
use weevil_model::{Encoded, Timestamp};
use weevil_queue::{Ended, Enqueued, NewJob, StoreError};

use super::facts::history;
use super::rows::{failed, get, job_id, run_id};
use crate::shared::enqueue::{Row, asking};
use crate::shared::json::json;

const INSERT: &str = "
insert into jobs (id, run, path, code, source, input, seed, order_key, timeout_ms, max_attempts, returns, fingerprint,
                  enqueued_at)
select value ->> 0, value ->> 1, value ->> 2, unhex(value ->> 3), value ->> 4, unhex(value ->> 5), value ->> 6,
       value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11, ?2
from json_each(?1) where exists (select 1 from runs where runs.id = value ->> 1 and finished_at is null)
on conflict (run, path) do nothing";

/// Only jobs that nobody has had: what is running goes on.
const REUSE: &str = "
update jobs set delivery = 2, outcome = 'value', result = known.result, reused = known.id, ended_at = ?2
from json_each(?1) s join jobs new on new.run = s.value ->> 0 and new.path = s.value ->> 1
join jobs known on known.id = (
    select id from jobs e where e.outcome = 'value' and e.fingerprint = new.fingerprint and e.code = new.code
    and e.input = new.input and e.returns = new.returns limit 1)
where jobs.id = new.id and jobs.delivery = 0 and jobs.handed_out = 0";

const ENDED_ALREADY: &str = "
select j.id, j.run, j.path, j.outcome, j.result, j.reused from json_each(?1) s
join jobs j on j.run = s.value ->> 1 and j.path = s.value ->> 2
where j.delivery = 2";

/// Answers the jobs that have ended already: earlier, or just now with a stored result.
pub(super) async fn enqueue(
    tx: &mut SqliteConnection,
    jobs: &[NewJob],
    now: Timestamp,
) -> Result<Vec<Enqueued>, StoreError> {
    if jobs.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<Row<'_>> = jobs.iter().map(|job| Row::of(job, now)).collect();
    let rows = json(&rows)?;
    let inserted = sqlx::query(INSERT).bind(&rows).bind(now.0).execute(&mut *tx).await;
    let inserted = inserted.map_err(failed("enqueueing"))?.rows_affected();
    let reused = reuse(tx, jobs, now).await?;
    if reused == 0 && inserted == jobs.len() as u64 {
        return Ok(Vec::new());
    }
    let found = sqlx::query(ENDED_ALREADY).bind(&rows).fetch_all(&mut *tx).await;
    let mut ended = Vec::new();
    for row in found.map_err(failed("looking for earlier results"))? {
        ended.push(Enqueued {
            run: run_id(&row, "run")?,
            path: get(&row, "path")?,
            ended: outcome(tx, &row).await?,
            reused: get::<Option<i64>>(&row, "reused")?.is_some(),
        });
    }
    Ok(ended)
}

/// Answers how many jobs took a stored result.
async fn reuse(tx: &mut SqliteConnection, jobs: &[NewJob], now: Timestamp) -> Result<u64, StoreError> {
    let keys = asking(jobs);
    if keys.is_empty() {
        return Ok(0);
    }
    let done = sqlx::query(REUSE).bind(json(&keys)?).bind(now.0).execute(tx).await;
    done.map(|done| done.rows_affected()).map_err(failed("looking for stored results"))
}

async fn outcome(tx: &mut SqliteConnection, row: &SqliteRow) -> Result<Ended, StoreError> {
    Ok(match get(row, "outcome")? {
        "value" => Ended::Value(Encoded::trusted(get(row, "result")?)),
        "failed" => Ended::Failed(history(tx, job_id(row, "id")?).await?),
        _ => Ended::Cancelled,
    })
}
