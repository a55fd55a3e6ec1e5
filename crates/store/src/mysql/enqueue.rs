//! Putting jobs in. A job that is there already (a restarted server enqueues its runs again) stays as it is; a run that
//! has ended takes none; a job that may take the stored result of an equal one has ended at once.

use std::collections::HashSet;
use std::sync::Arc;

use sqlx::MySqlConnection;
use sqlx::mysql::MySqlRow;
use weevil_model::{Encoded, RunId, Timestamp};
use weevil_queue::{Ended, Enqueued, NewJob};

use super::facts::history;
use super::retry::{Fault, failed, overtaken};
use super::rows::{change, get, job_id, parts, run_id};
use crate::shared::enqueue::{Row, asking};

const KNOWN: &str = "
select straight_join j.run, j.path
from json_table(?, '$[*]' columns (run bigint path '$[0]', path longtext character set utf8mb4 path '$[1]')) s
join jobs j on j.run = s.run and j.identity = unhex(sha2(s.path, 256))";

/// Locks the runs, so that none ends meanwhile. Does not look into `jobs` itself: MariaDB would collect the rows in a
/// temporary table first, and loses `unhex()` of a `longtext` there (seen in 10.11).
const INSERT: &str = "
insert into jobs (id, run, path, code, source, input, seed, order_key, timeout_ms, max_attempts, `returns`, fingerprint,
                  enqueued_at)
select straight_join s.id, s.run, s.path, unhex(s.code), s.source, unhex(s.input), s.seed, s.order_key, s.timeout_ms,
       s.max_attempts, s.`returns`, s.fingerprint, m.enqueued_at
from json_table(?, '$[*]' columns (
    id bigint path '$[0]', run bigint path '$[1]', path longtext character set utf8mb4 path '$[2]',
    code varchar(64) path '$[3]', source longtext character set utf8mb4 path '$[4]', input longtext path '$[5]',
    seed bigint path '$[6]', order_key bigint path '$[7]', timeout_ms bigint path '$[8]', max_attempts bigint path '$[9]',
    `returns` varchar(32) path '$[10]', fingerprint bigint path '$[11]')) s
join (select ? as enqueued_at) m
join runs r on r.id = s.run and r.finished_at is null
lock in share mode";

/// Only jobs that nobody has had: what is running goes on.
const EQUAL: &str = "
select straight_join new.id, (
    select e.id from jobs e where e.outcome = 'value' and e.fingerprint = new.fingerprint and e.code = new.code
    and e.input = new.input and e.`returns` = new.`returns` limit 1) as known
from json_table(?, '$[*]' columns (run bigint path '$[0]', path longtext character set utf8mb4 path '$[1]')) s
join jobs new on new.run = s.run and new.identity = unhex(sha2(s.path, 256))
where new.delivery = 0 and new.handed_out = 0
having known is not null";

const REUSE: &str = "
update json_table(?, '$[*]' columns (id bigint path '$[0]', known bigint path '$[1]')) s
straight_join jobs new on new.id = s.id straight_join jobs known on known.id = s.known
set new.delivery = 2, new.outcome = 'value', new.result = known.result, new.reused = known.id, new.ended_at = ?
where new.delivery = 0 and new.handed_out = 0";

const ENDED_ALREADY: &str = "
select straight_join j.id, j.run, j.path, j.outcome, j.result, j.reused
from json_table(?, '$[*]' columns (run bigint path '$[0]', path longtext character set utf8mb4 path '$[1]')) s
join jobs j on j.run = s.run and j.identity = unhex(sha2(s.path, 256))
where j.delivery = 2";

/// Answers the jobs that have ended already: earlier, or just now with a stored result.
pub(super) async fn enqueue(
    tx: &mut MySqlConnection,
    jobs: &[NewJob],
    now: Timestamp,
) -> Result<Vec<Enqueued>, Fault> {
    if jobs.is_empty() {
        return Ok(Vec::new());
    }
    let keys: Vec<(i64, &str)> = jobs.iter().map(|job| (job.run.number(), &*job.path)).collect();
    let fresh = fresh(tx, jobs, &keys).await?;
    let inserted = insert(tx, &fresh, now).await?;
    let reused = reuse(tx, jobs, now).await?;
    if reused == 0 && inserted == jobs.len() as u64 {
        return Ok(Vec::new());
    }
    let mut ended = Vec::new();
    for part in parts(&keys)? {
        let found = sqlx::query(ENDED_ALREADY).bind(part).fetch_all(&mut *tx).await;
        for row in found.map_err(failed("looking for earlier results"))? {
            ended.push(Enqueued {
                run: run_id(&row, "run")?,
                path: get(&row, "path")?,
                ended: outcome(tx, &row).await?,
                reused: get::<Option<i64>>(&row, "reused")?.is_some(),
            });
        }
    }
    Ok(ended)
}

/// Each job that is not there yet, once.
async fn fresh<'j>(
    tx: &mut MySqlConnection,
    jobs: &'j [NewJob],
    keys: &[(i64, &str)],
) -> Result<Vec<&'j NewJob>, Fault> {
    let mut met: HashSet<(RunId, Arc<str>)> = HashSet::new();
    for part in parts(keys)? {
        let known = sqlx::query(KNOWN).bind(part).fetch_all(&mut *tx).await;
        for row in known.map_err(failed("looking for jobs that are there"))? {
            met.insert((run_id(&row, "run")?, get::<&str>(&row, "path")?.into()));
        }
    }
    Ok(jobs.iter().filter(|job| met.insert((job.run, job.path.clone()))).collect())
}

/// Answers how many jobs are in now.
async fn insert(tx: &mut MySqlConnection, jobs: &[&NewJob], now: Timestamp) -> Result<u64, Fault> {
    let rows: Vec<Row<'_>> = jobs.iter().map(|job| Row::of(job, now)).collect();
    let mut inserted = 0;
    for part in parts(&rows)? {
        let done = sqlx::query(INSERT).bind(part).bind(now.0).execute(&mut *tx).await;
        inserted += done.map_err(overtaken("enqueueing"))?.rows_affected();
    }
    Ok(inserted)
}

/// Answers how many jobs took a stored result.
async fn reuse(tx: &mut MySqlConnection, jobs: &[NewJob], now: Timestamp) -> Result<u64, Fault> {
    let mut equal: Vec<(i64, i64)> = Vec::new();
    for part in parts(&asking(jobs))? {
        let rows = sqlx::query(EQUAL).bind(part).fetch_all(&mut *tx).await;
        for row in rows.map_err(failed("looking for stored results"))? {
            equal.push((get(&row, "id")?, get(&row, "known")?));
        }
    }
    change(tx, REUSE, &equal, now.0, "taking stored results").await
}

async fn outcome(tx: &mut MySqlConnection, row: &MySqlRow) -> Result<Ended, Fault> {
    Ok(match get(row, "outcome")? {
        "value" => Ended::Value(Encoded::trusted(get(row, "result")?)),
        "failed" => Ended::Failed(history(tx, job_id(row, "id")?).await?),
        _ => Ended::Cancelled,
    })
}
