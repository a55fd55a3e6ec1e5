//! Putting jobs in. A job that is there already (a restarted server enqueues its runs again) stays as it is; a run that
//! has ended takes none; a job that may take the stored result of an equal one has ended at once; a key is taken once.

use std::collections::HashSet;
use std::sync::Arc;

use const_format::formatcp;
use sqlx::MySqlConnection;
use weevil_model::Timestamp;
use weevil_queue::{Duplicate, Enqueued, NewJob, Origin, Outcomes};

use super::facts::histories;
use super::retry::{Fault, failed, overtaken};
use super::rows::{all, change, parts};
use crate::shared::columns::Columns;
use crate::shared::enqueue::{Row, alone, asking, duplicate, enqueued, failed_already, of_runs};
use crate::shared::paused::Paused;
use crate::words::{DELAYED, ENDED, HELD, READY, VALUE};

const KNOWN: &str = "
select straight_join j.run, j.path
from json_table(?, '$[*]' columns (run bigint path '$[0]', path longtext character set utf8mb4 path '$[1]')) s
join jobs j on j.run = s.run and j.identity = unhex(sha2(s.path, 256))";

/// Does not look into `jobs` itself: MariaDB would collect the rows in a temporary table first, and loses `unhex()` of a
/// `longtext` there (seen in 10.11).
const INSERT: &str = "
insert into jobs (id, run, path, code, source, input, seed, order_key, timeout_ms, max_attempts, `returns`, fingerprint,
                  queue, needs, delivery, due_at, max_wait_ms, retry_ms, enqueued_at)
select straight_join s.id, s.run, s.path, unhex(s.code), s.source, unhex(s.input), s.seed, s.order_key, s.timeout_ms,
       s.max_attempts, s.`returns`, s.fingerprint, s.queue, s.needs, s.delivery, s.due_at, s.max_wait_ms, s.retry_ms,
       m.enqueued_at
from json_table(?, '$[*]' columns (
    id bigint path '$[0]', run bigint path '$[1]', path longtext character set utf8mb4 path '$[2]',
    code varchar(64) path '$[3]', source longtext character set utf8mb4 path '$[4]', input longtext path '$[5]',
    seed bigint path '$[6]', order_key bigint path '$[7]', timeout_ms bigint path '$[8]', max_attempts bigint path '$[9]',
    `returns` varchar(32) path '$[10]', fingerprint bigint path '$[11]',
    queue varchar(100) character set utf8mb4 path '$[12]', needs bigint path '$[13]', delivery bigint path '$[14]',
    due_at bigint path '$[15]', max_wait_ms bigint path '$[16]', retry_ms bigint path '$[17]')) s
join (select ? as enqueued_at) m";

/// Locks the runs, so that none ends meanwhile.
const OF_RUNS: &str = "join runs r on r.id = s.run and r.finished_at is null lock in share mode";

/// Only jobs that nobody has had: what is running goes on.
const EQUAL: &str = formatcp!("
select straight_join new.id, (
    select e.id from jobs e where e.outcome = '{VALUE}' and e.fingerprint = new.fingerprint and e.code = new.code
    and e.input = new.input and e.`returns` = new.`returns` limit 1) as known
from json_table(?, '$[*]' columns (run bigint path '$[0]', path longtext character set utf8mb4 path '$[1]')) s
join jobs new on new.run = s.run and new.identity = unhex(sha2(s.path, 256))
where new.delivery in ({READY}, {DELAYED}, {HELD}) and new.handed_out = 0
having known is not null");

const REUSE: &str = formatcp!("
update json_table(?, '$[*]' columns (id bigint path '$[0]', known bigint path '$[1]')) s
straight_join jobs new on new.id = s.id straight_join jobs known on known.id = s.known
set new.delivery = {ENDED}, new.outcome = '{VALUE}', new.result = known.result, new.reused = known.id, new.ended_at = ?,
    new.due_at = null
where new.delivery in ({READY}, {DELAYED}, {HELD}) and new.handed_out = 0");

const ENDED_ALREADY: &str = formatcp!(
    "
select straight_join j.id, j.run, j.path, j.outcome, j.result, j.reused
from json_table(?, '$[*]' columns (run bigint path '$[0]', path longtext character set utf8mb4 path '$[1]')) s
join jobs j on j.run = s.run and j.identity = unhex(sha2(s.path, 256))
where j.delivery = {ENDED}"
);

const DUPLICATES: &str = "
select straight_join s.asked, s.asked_fingerprint, j.id as kept, j.fingerprint as kept_fingerprint
from json_table(?, '$[*]' columns (
    queue varchar(100) character set utf8mb4 path '$[0]', path longtext character set utf8mb4 path '$[1]',
    asked bigint path '$[2]', asked_fingerprint bigint path '$[3]')) s
join jobs j on j.queue = cast(s.queue as binary) and j.queue_key = unhex(sha2(s.path, 256))
where j.id <> s.asked";

/// Notes the jobs that have ended already, earlier or just now with a stored result, and those whose key was taken.
pub(super) async fn enqueue(
    tx: &mut MySqlConnection,
    jobs: &[NewJob],
    paused: &Paused,
    now: Timestamp,
    outcomes: &mut Outcomes,
) -> Result<(), Fault> {
    if jobs.is_empty() {
        return Ok(());
    }
    let fresh = fresh(tx, jobs).await?;
    let inserted = insert(tx, &fresh, paused, now).await?;
    let reused = reuse(tx, jobs, now).await?;
    if reused > 0 || inserted < jobs.len() as u64 {
        outcomes.enqueued = ended_already(tx, jobs).await?;
        outcomes.duplicates = duplicates(tx, jobs).await?;
    }
    Ok(())
}

/// Each job that is not there yet, once.
async fn fresh<'j>(tx: &mut MySqlConnection, jobs: &'j [NewJob]) -> Result<Vec<&'j NewJob>, Fault> {
    let mut met: HashSet<(Origin, Arc<str>)> = HashSet::new();
    for part in parts(&of_runs(jobs))? {
        let known = sqlx::query(KNOWN).bind(part).fetch_all(&mut *tx).await;
        for row in known.map_err(failed("looking for jobs that are there"))? {
            met.insert((Origin::Run(row.run_id("run")?), row.text("path")?.into()));
        }
    }
    let taken: HashSet<_> = duplicates(tx, jobs).await?.iter().map(|duplicate| duplicate.asked).collect();
    let untaken = jobs.iter().filter(|job| !taken.contains(&job.id));
    Ok(untaken.filter(|job| met.insert((job.origin.clone(), job.path.clone()))).collect())
}

/// Answers how many jobs are in now.
async fn insert(
    tx: &mut MySqlConnection,
    jobs: &[&NewJob],
    paused: &Paused,
    now: Timestamp,
) -> Result<u64, Fault> {
    let (of_runs, alone): (Vec<&NewJob>, Vec<&NewJob>) =
        jobs.iter().partition(|job| matches!(job.origin, Origin::Run(_)));
    let mut inserted = 0;
    for (jobs, condition) in [(of_runs, OF_RUNS), (alone, "")] {
        let rows: Vec<Row<'_>> = jobs.iter().map(|job| Row::of(job, paused, now, usize::MAX)).collect();
        for part in parts(&rows)? {
            let query = sqlx::AssertSqlSafe(format!("{INSERT} {condition}"));
            let done = sqlx::query(query).bind(part).bind(now.0).execute(&mut *tx).await;
            inserted += done.map_err(overtaken("enqueueing"))?.rows_affected();
        }
    }
    Ok(inserted)
}

/// Answers how many jobs took a stored result.
async fn reuse(tx: &mut MySqlConnection, jobs: &[NewJob], now: Timestamp) -> Result<u64, Fault> {
    let mut equal: Vec<(i64, i64)> = Vec::new();
    for part in parts(&asking(jobs))? {
        let rows = sqlx::query(EQUAL).bind(part).fetch_all(&mut *tx).await;
        for row in rows.map_err(failed("looking for stored results"))? {
            equal.push((row.number("id")?, row.number("known")?));
        }
    }
    change(tx, REUSE, &equal, now.0, "taking stored results").await
}

async fn ended_already(tx: &mut MySqlConnection, jobs: &[NewJob]) -> Result<Vec<Enqueued>, Fault> {
    let mut known = Vec::new();
    for part in parts(&of_runs(jobs))? {
        let found = sqlx::query(ENDED_ALREADY).bind(part).fetch_all(&mut *tx).await;
        let rows = found.map_err(failed("looking for earlier results"))?;
        let histories = histories(tx, &failed_already(&rows)?).await?;
        for row in &rows {
            known.push(enqueued(row, &histories)?);
        }
    }
    Ok(known)
}

async fn duplicates(tx: &mut MySqlConnection, jobs: &[NewJob]) -> Result<Vec<Duplicate>, Fault> {
    let mut taken = Vec::new();
    for part in parts(&alone(jobs))? {
        let found = sqlx::query(DUPLICATES).bind(part).fetch_all(&mut *tx).await;
        taken.extend(all(&found.map_err(failed("looking for keys"))?, duplicate)?);
    }
    Ok(taken)
}
