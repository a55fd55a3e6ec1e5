//! Looking back: jobs page by page, the attempts and the value of one.

use sqlx::MySqlPool;
use weevil_model::{Encoded, JobId, RunId};
use weevil_records::history::MAX_ATTEMPTS_READ;
use weevil_records::{AttemptRecord, JobRecord};

use super::retry::{Fault, failed};
use super::rows::all;
use crate::shared::columns::Columns;
use crate::shared::history::{attempt, job};

const JOB: &str = "
select id, run, convert(queue using utf8mb4) as queue, path, delivery, outcome, due_at, needs, reused, handed_out,
       failures, max_attempts, enqueued_at, ended_at
from jobs";

/// By the unique index, which knows paths by their hash: as far into a long run as at its start.
const PAGE: &str = "
where run = ? and identity > coalesce(unhex(sha2(?, 256)), '') order by identity limit ?";

const QUEUED: &str = "where queue = ? and id > ? order by id limit ?";

const ATTEMPTS: &str = "
select number, worker, started_at, ended_at, ending, error_kind, error_message, error_stack, compute_us, progress,
       log
from attempts where job = ? and number < ? order by number desc limit ?";

const RESULT: &str = "select result from jobs where id = ? and result is not null";

pub(super) async fn jobs(
    readers: &MySqlPool,
    run: RunId,
    after: Option<&str>,
    most: u32,
) -> Result<Vec<JobRecord>, Fault> {
    let query = sqlx::AssertSqlSafe(format!("{JOB} {PAGE}"));
    let rows = sqlx::query(query).bind(run.number()).bind(after).bind(most).fetch_all(readers).await;
    all(&rows.map_err(failed("listing jobs"))?, job)
}

pub(super) async fn queued(
    readers: &MySqlPool,
    queue: &str,
    after: Option<JobId>,
    most: u32,
) -> Result<Vec<JobRecord>, Fault> {
    let (query, after) = (sqlx::AssertSqlSafe(format!("{JOB} {QUEUED}")), after.map_or(-1, JobId::number));
    let rows = sqlx::query(query).bind(queue.as_bytes()).bind(after).bind(most).fetch_all(readers).await;
    all(&rows.map_err(failed("listing a queue"))?, job)
}

/// Oldest first, of those before this number.
pub(super) async fn attempts(
    readers: &MySqlPool,
    id: JobId,
    before: u32,
) -> Result<Option<(JobRecord, Vec<AttemptRecord>)>, Fault> {
    let query = sqlx::AssertSqlSafe(format!("{JOB} where id = ?"));
    let row = sqlx::query(query).bind(id.number()).fetch_optional(readers).await;
    let Some(row) = row.map_err(failed("reading a job"))? else { return Ok(None) };
    let attempts = sqlx::query(ATTEMPTS).bind(id.number()).bind(before).bind(MAX_ATTEMPTS_READ);
    let attempts = attempts.fetch_all(readers).await;
    let mut attempts = all(&attempts.map_err(failed("reading attempts"))?, attempt)?;
    attempts.reverse();
    Ok(Some((job(&row)?, attempts)))
}

pub(super) async fn value(readers: &MySqlPool, id: JobId) -> Result<Option<Encoded>, Fault> {
    let row = sqlx::query(RESULT).bind(id.number()).fetch_optional(readers).await;
    let row = row.map_err(failed("reading a job's value"))?;
    Ok(row.map(|row| row.bytes("result")).transpose()?.map(Encoded::trusted))
}
