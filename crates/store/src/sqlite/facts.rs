//! What the store knows of the jobs and attempts that a batch of reports names, and of their history.

use std::collections::HashMap;

use sqlx::SqliteConnection;
use weevil_model::JobId;
use weevil_queue::history::MAX_ATTEMPTS_READ;
use weevil_queue::{Attempt, StoreError, Submission};

use super::rows::{failed, found};
use crate::shared::facts::{FactBook, Facts, Past, attempt};

const FACTS: &str = "
select j.id, j.run, j.path, j.delivery, j.lease_token, j.returns, a.token, a.number, a.worker, a.started_at,
       a.ending, a.ended_at as attempt_ended_at
from json_each(?1) s join jobs j on j.id = s.value ->> 0
left join attempts a on a.job = j.id and a.token = s.value ->> 1";

const PAST: &str = "select failures, max_attempts, max_wait_ms, retry_ms, needs from jobs where id = ?1";

const HISTORY: &str = "
select number, worker, ending, error_kind, error_message, error_stack
from attempts where job = ?1 and ending in ('error', 'expired') order by number desc limit ?2";

pub(super) async fn read(
    tx: &mut SqliteConnection,
    submissions: &[Submission],
) -> Result<FactBook, StoreError> {
    let keys: Vec<(i64, i64)> = submissions.iter().map(|s| (s.key.job.number(), s.key.token)).collect();
    let mut known = HashMap::new();
    for row in found(tx, FACTS, &keys, "reading reported jobs").await? {
        known.extend(Facts::read(&row)?);
    }
    Ok(FactBook::new(known))
}

/// What the rules read of a job that has failed.
pub(super) async fn past(tx: &mut SqliteConnection, job: JobId) -> Result<Past, StoreError> {
    let history = history(tx, job).await?;
    let row = sqlx::query(PAST).bind(job.number()).fetch_one(tx).await;
    Past::read(&row.map_err(failed("reading failed jobs"))?, history)
}

/// What rules read of a job's attempts: its newest errors and expiries, oldest first.
pub(super) async fn history(tx: &mut SqliteConnection, job: JobId) -> Result<Vec<Attempt>, StoreError> {
    let rows = sqlx::query(HISTORY).bind(job.number()).bind(MAX_ATTEMPTS_READ).fetch_all(tx).await;
    rows.map_err(failed("reading attempts"))?.iter().rev().map(attempt).collect()
}
