//! Jobs that are computed again: they are ready without their value, and the attempt that brought it is an error.

use const_format::formatcp;
use sqlx::MySqlConnection;
use weevil_model::{JobId, Timestamp};
use weevil_queue::Batch;

use super::facts::histories;
use super::retry::{Fault, failed};
use super::rows::{change, parts};
use crate::shared::paused::Paused;
use crate::shared::reopen::{AttemptRow, JobRow, Reopened, keys};
use crate::words::{ENDED, VALUE};

/// Those that have no value any more have been reopened before.
const VALUES: &str = formatcp!(
    "
select straight_join s.place, j.id, j.failures, j.max_attempts, j.needs, j.max_wait_ms, a.worker
from json_table(?, '$[*]' columns (
    run bigint path '$[0]', path longtext character set utf8mb4 path '$[1]', place bigint path '$[2]')) s
join jobs j on j.run = s.run and j.identity = unhex(sha2(s.path, 256))
left join attempts a on a.job = j.id and a.ending = 'completed'
where j.outcome = '{VALUE}' and exists (select 1 from runs r where r.id = j.run and r.finished_at is null)
for update"
);

const REOPEN: &str = formatcp!("
update json_table(?, '$[*]' columns (
    id bigint path '$[0]', delivery bigint path '$[1]', outcome varchar(16) path '$[2]', counted bigint path '$[3]',
    due_at bigint path '$[4]')) s
straight_join jobs j on j.id = s.id
set j.delivery = s.delivery, j.outcome = s.outcome, j.failures = j.failures + s.counted, j.due_at = s.due_at,
    j.result = null, j.reused = null, j.ended_at = if(s.delivery = {ENDED}, ?, null)");

const END_ATTEMPTS: &str = "
update json_table(?, '$[*]' columns (
    job bigint path '$[0]', message longtext character set utf8mb4 path '$[1]')) s
straight_join attempts a on a.job = s.job
set a.ending = 'error', a.error_kind = 'tooLarge', a.error_message = s.message, a.error_stack = ''
where a.ending = 'completed'";

pub(super) async fn reopen(
    tx: &mut MySqlConnection,
    batch: &Batch,
    paused: &Paused,
    now: Timestamp,
) -> Result<(), Fault> {
    let mut reopened = Vec::new();
    for part in parts(&keys(&batch.reopen))? {
        let found = sqlx::query(VALUES).bind(part).fetch_all(&mut *tx).await;
        for row in found.map_err(failed("looking for values"))? {
            reopened.push(Reopened::read(&row, &batch.reopen)?);
        }
    }
    let judged: Vec<JobId> = reopened.iter().filter_map(Reopened::judged).collect();
    let histories = histories(tx, &judged).await?;
    let jobs: Vec<JobRow> =
        reopened.iter().map(|job| job.row(&histories, &batch.company, paused, now)).collect();
    let attempts: Vec<AttemptRow<'_>> = reopened.iter().map(Reopened::attempt).collect();
    change(tx, REOPEN, &jobs, now.0, "reopening jobs").await?;
    for part in parts(&attempts)? {
        let done = sqlx::query(END_ATTEMPTS).bind(part).execute(&mut *tx).await;
        done.map_err(failed("reopening jobs"))?;
    }
    Ok(())
}
