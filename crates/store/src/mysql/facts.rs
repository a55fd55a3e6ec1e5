//! What the store knows of the jobs and attempts that a batch of reports names, and of their history.

use std::collections::HashMap;

use sqlx::MySqlConnection;
use weevil_model::JobId;
use weevil_queue::Submission;

use super::retry::{Fault, failed};
use super::rows::parts;
use crate::shared::facts::{FactBook, Facts, Histories, Past, each, note_attempts, note_pasts};

const FACTS: &str = "
select straight_join j.id, j.run, j.path, j.delivery, j.lease_token, j.`returns`, a.token, a.number, a.worker, a.started_at,
       a.ending, a.ended_at as attempt_ended_at
from json_table(?, '$[*]' columns (id bigint path '$[0]', token bigint path '$[1]')) s
join jobs j on j.id = s.id
left join attempts a on a.job = j.id and a.token = s.token
for update";

const PASTS: &str = "
select straight_join j.id, j.failures, j.max_attempts, j.max_wait_ms, j.retry_ms, j.needs
from json_table(?, '$[*]' columns (id bigint path '$')) s join jobs j on j.id = s.id";

/// All but what lies before a job's newest hundred: as many as `MAX_ATTEMPTS_READ`.
const HISTORIES: &str = "
select straight_join a.job, a.number, a.worker, a.ending, a.error_kind, a.error_message, a.error_stack
from json_table(?, '$[*]' columns (job bigint path '$')) s join attempts a on a.job = s.job
where a.ending in ('error', 'expired') and a.number > coalesce((
    select b.number from attempts b where b.job = s.job and b.ending in ('error', 'expired')
    order by b.number desc limit 1 offset 100), 0)
order by a.job, a.number";

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

/// What the rules read of jobs that have failed.
pub(super) async fn pasts(tx: &mut MySqlConnection, jobs: &[JobId]) -> Result<HashMap<JobId, Past>, Fault> {
    let mut histories = histories(tx, jobs).await?;
    let mut pasts = HashMap::new();
    for part in parts(&each(jobs))? {
        let rows = sqlx::query(PASTS).bind(part).fetch_all(&mut *tx).await;
        note_pasts(&rows.map_err(failed("reading failed jobs"))?, &mut histories, &mut pasts)?;
    }
    Ok(pasts)
}

pub(super) async fn histories(tx: &mut MySqlConnection, jobs: &[JobId]) -> Result<Histories, Fault> {
    let mut histories = Histories::new();
    for part in parts(&each(jobs))? {
        let rows = sqlx::query(HISTORIES).bind(part).fetch_all(&mut *tx).await;
        note_attempts(&rows.map_err(failed("reading attempts"))?, &mut histories)?;
    }
    Ok(histories)
}
