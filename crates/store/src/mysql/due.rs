//! The look for jobs whose moment has come while nobody held them, and for the next such moment.

use const_format::formatcp;
use sqlx::MySqlConnection;
use weevil_model::Timestamp;
use weevil_queue::{Batch, Delivery, Outcomes};

use super::retry::{Fault, failed};
use super::rows::change;
use crate::shared::due::{DueJob, MAX_LOOK, may_delay};
use crate::shared::paused::Paused;
use crate::words::{DELAYED, ENDED, code};

/// What another server works on just now waits for the next look.
const DUE: &str = "
select id, run, path, delivery, max_wait_ms from jobs force index (jobs_due)
where delivery = ? and due_at <= ? order by due_at limit ? for update skip locked";

const MOVE: &str = formatcp!("
update json_table(?, '$[*]' columns (
    id bigint path '$[0]', delivery bigint path '$[1]', outcome varchar(16) path '$[2]', due_at bigint path '$[3]')) s
straight_join jobs j on j.id = s.id
set j.delivery = s.delivery, j.outcome = s.outcome, j.due_at = s.due_at, j.ended_at = if(s.delivery = {ENDED}, ?, null)");

const NEXT: &str =
    formatcp!("select min(due_at) from jobs force index (jobs_due) where delivery = {DELAYED}");

pub(super) async fn look(
    tx: &mut MySqlConnection,
    paused: &Paused,
    now: Timestamp,
    outcomes: &mut Outcomes,
) -> Result<(), Fault> {
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
    tx: &mut MySqlConnection,
    batch: &Batch,
    outcomes: &Outcomes,
) -> Result<Option<Timestamp>, Fault> {
    if !may_delay(batch, outcomes) {
        return Ok(None);
    }
    let next: Result<Option<i64>, _> = sqlx::query_scalar(NEXT).fetch_one(tx).await;
    next.map(|next| next.map(Timestamp)).map_err(failed("looking for the next moment"))
}
