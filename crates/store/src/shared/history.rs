//! Jobs and attempts as people look back at them.

use weevil_model::JobId;
use weevil_queue::decide::standing::standing;
use weevil_queue::{AttemptEnd, Origin};
use weevil_records::{AttemptRecord, JobRecord, StoreError};

use super::columns::Columns;
use super::facts::failure;
use super::json::corrupt;

pub(crate) fn job<R: Columns>(row: &R) -> Result<JobRecord, StoreError> {
    let (state, waiting) = standing(row.delivery()?, row.outcome()?, row.maybe_moment("due_at")?)
        .ok_or_else(|| corrupt("an outcome that does not fit the delivery"))?;
    Ok(JobRecord {
        id: row.job_id("id")?,
        origin: match row.maybe_run_id("run")? {
            Some(run) => Origin::Run(run),
            None => Origin::Queue(row.text("queue")?.into()),
        },
        path: row.text("path")?,
        state,
        waiting,
        needs: row.needs()?,
        reused: row.maybe_number("reused")?.and_then(JobId::from_number),
        handed_out: row.small("handed_out")?,
        failures: row.small("failures")?,
        max_attempts: row.small("max_attempts")?,
        enqueued_at: row.moment("enqueued_at")?,
        ended_at: row.maybe_moment("ended_at")?,
    })
}

pub(crate) fn attempt<R: Columns>(row: &R) -> Result<AttemptRecord, StoreError> {
    Ok(AttemptRecord {
        number: row.small("number")?,
        worker: row.worker_id("worker")?,
        started_at: row.moment("started_at")?,
        ended_at: row.maybe_moment("ended_at")?,
        end: row.word("ending", AttemptEnd::parse)?,
        failure: failure(row)?,
        compute_us: row.unsigned("compute_us")?,
        progress: row.maybe_real("progress")?,
        log: row.maybe_text("log")?,
    })
}
