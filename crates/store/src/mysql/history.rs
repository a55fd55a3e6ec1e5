//! Looking back: the jobs of a run page by page, and the attempts of one job.

use sqlx::MySqlPool;
use sqlx::mysql::MySqlRow;
use weevil_model::{JobId, RunId, Timestamp};
use weevil_queue::history::state;
use weevil_queue::{AttemptEnd, AttemptRecord, Failure, JobRecord};

use super::retry::{Fault, failed};
use super::rows::{get, job_id, run_id, worker_id};
use crate::shared::json::{corrupt, word};

const JOB: &str = "
select id, run, path, delivery, outcome, reused, handed_out, failures, max_attempts, enqueued_at, ended_at from jobs";

/// By the unique index, which knows paths by their hash: as far into a long run as at its start.
const PAGE: &str = "
where run = ? and identity > coalesce(unhex(sha2(?, 256)), '') order by identity limit ?";

const ATTEMPTS: &str = "
select number, worker, started_at, ended_at, ending, error_kind, error_message, error_stack, compute_us
from attempts where job = ? order by number";

pub(super) async fn jobs(
    readers: &MySqlPool,
    run: RunId,
    after: Option<&str>,
    most: u32,
) -> Result<Vec<JobRecord>, Fault> {
    let rows = sqlx::query(sqlx::AssertSqlSafe(format!("{JOB} {PAGE}")))
        .bind(run.number())
        .bind(after)
        .bind(most)
        .fetch_all(readers)
        .await;
    rows.map_err(failed("listing jobs"))?.iter().map(job).collect()
}

pub(super) async fn attempts(
    readers: &MySqlPool,
    id: JobId,
) -> Result<Option<(JobRecord, Vec<AttemptRecord>)>, Fault> {
    let row = sqlx::query(sqlx::AssertSqlSafe(format!("{JOB} where id = ?")))
        .bind(id.number())
        .fetch_optional(readers)
        .await;
    let Some(row) = row.map_err(failed("reading a job"))? else { return Ok(None) };
    let attempts = sqlx::query(ATTEMPTS).bind(id.number()).fetch_all(readers).await;
    let attempts =
        attempts.map_err(failed("reading attempts"))?.iter().map(attempt).collect::<Result<_, _>>()?;
    Ok(Some((job(&row)?, attempts)))
}

fn job(row: &MySqlRow) -> Result<JobRecord, Fault> {
    let outcome: Option<&str> = get(row, "outcome")?;
    let reused: Option<i64> = get(row, "reused")?;
    Ok(JobRecord {
        id: job_id(row, "id")?,
        run: run_id(row, "run")?,
        path: get(row, "path")?,
        state: state(get(row, "delivery")?, outcome)
            .ok_or_else(|| corrupt("an outcome that does not fit the delivery"))?,
        reused: reused.and_then(JobId::from_number),
        handed_out: get(row, "handed_out")?,
        failures: get(row, "failures")?,
        max_attempts: get(row, "max_attempts")?,
        enqueued_at: Timestamp(get(row, "enqueued_at")?),
        ended_at: get::<Option<i64>>(row, "ended_at")?.map(Timestamp),
    })
}

fn attempt(row: &MySqlRow) -> Result<AttemptRecord, Fault> {
    let kind: Option<String> = get(row, "error_kind")?;
    let failure = match kind {
        Some(kind) => {
            Some(Failure { kind, message: get(row, "error_message")?, stack: get(row, "error_stack")? })
        }
        None => None,
    };
    let ending: Option<&str> = get(row, "ending")?;
    Ok(AttemptRecord {
        number: get(row, "number")?,
        worker: worker_id(row, "worker")?,
        started_at: Timestamp(get(row, "started_at")?),
        ended_at: get::<Option<i64>>(row, "ended_at")?.map(Timestamp),
        end: ending.map(|text| word(text, AttemptEnd::parse)).transpose()?,
        failure,
        compute_us: get::<i64>(row, "compute_us")?.cast_unsigned(),
    })
}
