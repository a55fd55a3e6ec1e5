//! Looking back: jobs page by page, the attempts and the value of one.

use sqlx::SqlitePool;
use weevil_model::{Encoded, JobId, RunId};
use weevil_records::history::MAX_ATTEMPTS_READ;
use weevil_records::{AttemptRecord, JobRecord, StoreError};

use super::rows::failed;
use crate::shared::columns::Columns;
use crate::shared::history::{attempt, job};

const JOB: &str = "
select id, run, queue, path, delivery, outcome, due_at, needs, reused, handed_out, failures, max_attempts, enqueued_at,
       ended_at
from jobs";

/// By the unique index: as far into a long run as at its start.
const PAGE: &str = "where run = ?1 and (?2 is null or path > ?2) order by path limit ?3";

const QUEUED: &str = "where queue = ?1 and (?2 is null or id > ?2) order by id limit ?3";

const ATTEMPTS: &str = "
select number, worker, started_at, ended_at, ending, error_kind, error_message, error_stack, compute_us, progress,
       log
from attempts where job = ?1 and number < ?2 order by number desc limit ?3";

const RESULT: &str = "
select iif(length(result) > 0, result, (select bytes from large_values where job = id and role = 1)) as result
from jobs where id = ?1 and result is not null";

pub(super) async fn jobs(
    readers: &SqlitePool,
    run: RunId,
    after: Option<&str>,
    most: u32,
) -> Result<Vec<JobRecord>, StoreError> {
    let query = sqlx::AssertSqlSafe(format!("{JOB} {PAGE}"));
    let rows = sqlx::query(query).bind(run.number()).bind(after).bind(most).fetch_all(readers).await;
    rows.map_err(failed("listing jobs"))?.iter().map(job).collect()
}

pub(super) async fn queued(
    readers: &SqlitePool,
    queue: &str,
    after: Option<JobId>,
    most: u32,
) -> Result<Vec<JobRecord>, StoreError> {
    let (query, after) = (sqlx::AssertSqlSafe(format!("{JOB} {QUEUED}")), after.map(JobId::number));
    let rows = sqlx::query(query).bind(queue).bind(after).bind(most).fetch_all(readers).await;
    rows.map_err(failed("listing a queue"))?.iter().map(job).collect()
}

/// Oldest first, of those before this number.
pub(super) async fn attempts(
    readers: &SqlitePool,
    id: JobId,
    before: u32,
) -> Result<Option<(JobRecord, Vec<AttemptRecord>)>, StoreError> {
    let query = sqlx::AssertSqlSafe(format!("{JOB} where id = ?1"));
    let row = sqlx::query(query).bind(id.number()).fetch_optional(readers).await;
    let Some(row) = row.map_err(failed("reading a job"))? else { return Ok(None) };
    let attempts = sqlx::query(ATTEMPTS).bind(id.number()).bind(before).bind(MAX_ATTEMPTS_READ);
    let attempts = attempts.fetch_all(readers).await;
    let attempts = attempts.map_err(failed("reading attempts"))?;
    Ok(Some((job(&row)?, attempts.iter().rev().map(attempt).collect::<Result<_, _>>()?)))
}

pub(super) async fn value(readers: &SqlitePool, id: JobId) -> Result<Option<Encoded>, StoreError> {
    let row = sqlx::query(RESULT).bind(id.number()).fetch_optional(readers).await;
    let row = row.map_err(failed("reading a job's value"))?;
    Ok(row.map(|row| row.bytes("result")).transpose()?.map(Encoded::trusted))
}
