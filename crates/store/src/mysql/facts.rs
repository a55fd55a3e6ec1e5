//! What the store knows of the jobs and attempts that a batch of reports names, and of their history.

use std::collections::HashMap;

use sqlx::MySqlConnection;
use weevil_model::JobId;
use weevil_queue::history::MAX_ATTEMPTS_READ;
use weevil_queue::{Attempt, Submission};

use super::retry::{Fault, failed};
use super::rows::{all, parts};
use crate::shared::facts::{FactBook, Facts, Past, attempt};

const FACTS: &str = "
select straight_join j.id, j.run, j.path, j.delivery, j.lease_token, j.`returns`, a.token, a.number, a.worker, a.started_at,
       a.ending, a.ended_at as attempt_ended_at
from json_table(?, '$[*]' columns (id bigint path '$[0]', token bigint path '$[1]')) s
join jobs j on j.id = s.id
left join attempts a on a.job = j.id and a.token = s.token
for update";

const PAST: &str = "select failures, max_attempts, max_wait_ms, retry_ms, needs from jobs where id = ?";

const HISTORY: &str = "
select number, worker, ending, error_kind, error_message, error_stack
from attempts where job = ? and ending in ('error', 'expired') order by number desc limit ?";

/// Locks the jobs until the transaction ends, in the order of their ids so that two servers do not block each other.
pub(super) async fn read(tx: &mut MySqlConnection, submissions: &[Submission]) -> Result<FactBook, Fault> {
    let mut keys: Vec<(i64, i64)> = submissions.iter().map(|s| (s.key.job.number(), s.key.token)).collect();
    keys.sort_unstable();
    let mut known = HashMap::new();
    for part in parts(&keys)? {
        let rows = sqlx::query(FACTS).bind(part).fetch_all(&mut *tx).await;
        for row in rows.map_err(failed("reading reported jobs"))? {
            known.extend(Facts::read(&row)?);
        }
    }
    Ok(FactBook::new(known))
}

/// What the rules read of a job that has failed.
pub(super) async fn past(tx: &mut MySqlConnection, job: JobId) -> Result<Past, Fault> {
    let history = history(tx, job).await?;
    let row = sqlx::query(PAST).bind(job.number()).fetch_one(tx).await;
    Ok(Past::read(&row.map_err(failed("reading failed jobs"))?, history)?)
}

/// What rules read of a job's attempts: its newest errors and expiries, oldest first.
pub(super) async fn history(tx: &mut MySqlConnection, job: JobId) -> Result<Vec<Attempt>, Fault> {
    let rows = sqlx::query(HISTORY).bind(job.number()).bind(MAX_ATTEMPTS_READ).fetch_all(tx).await;
    let mut history = all(&rows.map_err(failed("reading attempts"))?, attempt)?;
    history.reverse();
    Ok(history)
}
