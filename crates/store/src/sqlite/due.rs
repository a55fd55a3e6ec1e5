//! The look for jobs whose moment has come while nobody held them, and for the next such moment.

use const_format::formatcp;
use sqlx::SqliteConnection;
use weevil_model::Timestamp;
use weevil_queue::{Batch, Delivery, Outcomes};
use weevil_records::StoreError;

use super::rows::{change, failed};
use crate::shared::due::{DueJob, MAX_LOOK, may_delay};
use crate::shared::paused::Paused;
use crate::words::{DELAYED, ENDED, code};

const DUE: &str = "
select id, run, path, delivery, max_wait_ms from jobs
where delivery = ?1 and due_at <= ?2 order by due_at limit ?3";

const MOVE: &str = formatcp!(
    "
update jobs set delivery = s.value ->> 1, outcome = s.value ->> 2, due_at = s.value ->> 3,
    ended_at = iif(s.value ->> 1 = {ENDED}, ?2, null)
from json_each(?1) s where jobs.id = s.value ->> 0"
);

const NEXT: &str =
    formatcp!("select min(due_at) from jobs where delivery = {DELAYED} and due_at is not null");

pub(super) async fn look(
    tx: &mut SqliteConnection,
    paused: &Paused,
    now: Timestamp,
    outcomes: &mut Outcomes,
) -> Result<(), StoreError> {
    let mut due = Vec::new();
    for delivery in [Delivery::Delayed, Delivery::Ready] {
        let rows = sqlx::query(DUE).bind(code(delivery)).bind(now.0).bind(MAX_LOOK).fetch_all(&mut *tx).await;
        for row in rows.map_err(failed("looking for jobs that are due"))? {
            due.extend(DueJob::read(&row, paused)?);
        }
    }
    let rows: Vec<_> = due.iter().map(|job| job.row(paused, now)).collect();
    change(tx, MOVE, &rows, now.0, "moving jobs that are due").await?;
    let looked = due.len();
    outcomes.overdue.extend(due.into_iter().filter_map(DueJob::news));
    outcomes.woken = (looked - outcomes.overdue.len()) as u64;
    Ok(())
}

/// When the next delayed job is due, where that may have changed.
pub(super) async fn next(
    tx: &mut SqliteConnection,
    batch: &Batch,
    outcomes: &Outcomes,
) -> Result<Option<Timestamp>, StoreError> {
    if !may_delay(batch, outcomes) {
        return Ok(None);
    }
    let next: Result<Option<i64>, _> = sqlx::query_scalar(NEXT).fetch_one(tx).await;
    next.map(|next| next.map(Timestamp)).map_err(failed("looking for the next moment"))
}
