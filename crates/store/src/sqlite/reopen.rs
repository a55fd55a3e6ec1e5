//! Jobs that are computed again: they are ready without their value, and the attempt that brought it is an error.

use const_format::formatcp;
use sqlx::SqliteConnection;
use weevil_model::{JobId, Timestamp};
use weevil_queue::Batch;
use weevil_records::StoreError;

use super::facts::histories;
use super::rows::failed;
use crate::shared::json::json;
use crate::shared::paused::Paused;
use crate::shared::reopen::{AttemptRow, JobRow, Reopened, keys};
use crate::words::{ENDED, VALUE};

/// Those that have no value any more have been reopened before.
const VALUES: &str = formatcp!(
    "
select s.value ->> 2 as place, j.id, j.failures, j.max_attempts, j.needs, j.max_wait_ms, a.worker
from json_each(?1) s join jobs j on j.run = s.value ->> 0 and j.path = s.value ->> 1
join runs r on r.id = j.run and r.finished_at is null
left join attempts a on a.job = j.id and a.ending = 'completed'
where j.outcome = '{VALUE}'"
);

const REOPEN: &str = formatcp!(
    "
update jobs set delivery = s.value ->> 1, outcome = s.value ->> 2, failures = failures + (s.value ->> 3),
    due_at = s.value ->> 4, result = null, reused = null, ended_at = iif(s.value ->> 1 = {ENDED}, ?2, null)
from json_each(?1) s where jobs.id = s.value ->> 0"
);

const FORGET_LARGE: &str =
    "delete from large_values where role = 1 and job in (select value ->> 0 from json_each(?1))";

const END_ATTEMPTS: &str = "
update attempts set ending = 'error', error_kind = 'tooLarge', error_message = s.value ->> 1, error_stack = ''
from json_each(?1) s where attempts.job = s.value ->> 0 and attempts.ending = 'completed'";

pub(super) async fn reopen(
    tx: &mut SqliteConnection,
    batch: &Batch,
    paused: &Paused,
    now: Timestamp,
) -> Result<(), StoreError> {
    if batch.reopen.is_empty() {
        return Ok(());
    }
    let found = sqlx::query(VALUES).bind(json(&keys(&batch.reopen))?).fetch_all(&mut *tx).await;
    let found = found.map_err(failed("looking for values"))?;
    let read = |row| Reopened::read(row, &batch.reopen);
    let reopened: Vec<Reopened<'_>> = found.iter().map(read).collect::<Result<_, _>>()?;
    let judged: Vec<JobId> = reopened.iter().filter_map(Reopened::judged).collect();
    let histories = histories(tx, &judged).await?;
    let rows: Vec<JobRow> =
        reopened.iter().map(|job| job.row(&histories, &batch.company, paused, now)).collect();
    let attempts: Vec<AttemptRow<'_>> = reopened.iter().map(Reopened::attempt).collect();
    let (jobs, attempts) = (json(&rows)?, json(&attempts)?);
    let done = sqlx::query(REOPEN).bind(&jobs).bind(now.0).execute(&mut *tx).await;
    done.map_err(failed("reopening jobs"))?;
    for (statement, rows) in [(FORGET_LARGE, &jobs), (END_ATTEMPTS, &attempts)] {
        let done = sqlx::query(statement).bind(rows).execute(&mut *tx).await;
        done.map_err(failed("reopening jobs"))?;
    }
    Ok(())
}
