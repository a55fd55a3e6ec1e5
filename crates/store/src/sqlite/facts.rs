//! What the store knows of the jobs and attempts that a batch of reports names, and of their history.

use std::collections::HashMap;

use sqlx::SqliteConnection;
use weevil_model::JobId;
use weevil_queue::Submission;
use weevil_records::StoreError;

use super::rows::found;
use crate::shared::facts::{FactBook, Facts, Histories, Past, each, note_attempts, note_pasts};

const FACTS: &str = "
select j.id, j.run, j.path, j.delivery, j.lease_token, j.returns, a.token, a.number, a.worker, a.started_at,
       a.ending, a.ended_at as attempt_ended_at
from json_each(?1) s join jobs j on j.id = s.value ->> 0
left join attempts a on a.job = j.id and a.token = s.value ->> 1";

const PASTS: &str = "
select j.id, j.failures, j.max_attempts, j.max_wait_ms, j.retry_ms, j.needs
from json_each(?1) s join jobs j on j.id = s.value";

/// All but what lies before a job's newest hundred: as many as `MAX_ATTEMPTS_READ`.
const HISTORIES: &str = "
select a.job, a.number, a.worker, a.ending, a.error_kind, a.error_message, a.error_stack
from json_each(?1) s join attempts a on a.job = s.value
where a.ending in ('error', 'expired') and a.number > coalesce((
    select b.number from attempts b where b.job = s.value and b.ending in ('error', 'expired')
    order by b.number desc limit 1 offset 100), 0)
order by a.job, a.number";

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

/// What the rules read of jobs that have failed.
pub(super) async fn pasts(
    tx: &mut SqliteConnection,
    jobs: &[JobId],
) -> Result<HashMap<JobId, Past>, StoreError> {
    let mut histories = histories(tx, jobs).await?;
    let mut pasts = HashMap::new();
    note_pasts(&found(tx, PASTS, &each(jobs), "reading failed jobs").await?, &mut histories, &mut pasts)?;
    Ok(pasts)
}

pub(super) async fn histories(tx: &mut SqliteConnection, jobs: &[JobId]) -> Result<Histories, StoreError> {
    let mut histories = Histories::new();
    note_attempts(&found(tx, HISTORIES, &each(jobs), "reading attempts").await?, &mut histories)?;
    Ok(histories)
}
