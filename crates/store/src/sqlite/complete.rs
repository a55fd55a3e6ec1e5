//! Applying workers' reports: facts are read for the whole batch, the rules decide, the changes are written at once.

use const_format::formatcp;
use sqlx::SqliteConnection;
use weevil_model::Timestamp;
use weevil_queue::Batch;
use weevil_queue::batch::Settled;
use weevil_queue::decide::complete::Present;
use weevil_records::StoreError;

use super::facts;
use super::large;
use super::rows::change;
use crate::shared::complete::{AttemptRow, Decided, JobRow, decide_all, failing};
use crate::shared::paused::Paused;
use crate::words::ENDED;

const END_ATTEMPTS: &str = "
update attempts set ending = s.value ->> 2, ended_at = ?2, slot = s.value ->> 3, compute_us = s.value ->> 4,
    flops = s.value ->> 5, error_kind = s.value ->> 6, error_message = s.value ->> 7, error_stack = s.value ->> 8,
    log = s.value ->> 9
from json_each(?1) s where attempts.job = s.value ->> 0 and attempts.number = s.value ->> 1";

const UPDATE_JOBS: &str = formatcp!(
    "
update jobs set delivery = s.value ->> 1, outcome = s.value ->> 2, result = unhex(s.value ->> 3),
    failures = failures + (s.value ->> 4), ended_at = iif(s.value ->> 1 = {ENDED}, ?2, null),
    lease_token = null, lease_worker = null, due_at = s.value ->> 5
from json_each(?1) s where jobs.id = s.value ->> 0"
);

pub(super) async fn complete(
    tx: &mut SqliteConnection,
    batch: &Batch,
    paused: &Paused,
    now: Timestamp,
) -> Result<Vec<Settled>, StoreError> {
    let submissions = batch.complete.as_slice();
    if submissions.is_empty() {
        return Ok(Vec::new());
    }
    let facts = facts::read(tx, submissions).await?;
    let pasts = facts::pasts(tx, &failing(submissions, &facts)).await?;
    let present = Present { now, company: &batch.company };
    let (settled, changes) = decide_all(submissions, facts, &pasts, present)?;
    write(tx, &changes, paused, now).await?;
    Ok(settled)
}

async fn write(
    tx: &mut SqliteConnection,
    changes: &[Decided<'_>],
    paused: &Paused,
    now: Timestamp,
) -> Result<(), StoreError> {
    let attempts: Vec<AttemptRow<'_>> = changes.iter().map(Decided::attempt_row).collect();
    let jobs: Vec<JobRow> = changes.iter().map(|change| change.job_row(paused, now, large::IN_ROW)).collect();
    change(tx, END_ATTEMPTS, &attempts, now.0, "completing").await?;
    change(tx, UPDATE_JOBS, &jobs, now.0, "completing").await?;
    for (job, value) in changes.iter().filter_map(Decided::value) {
        large::keep_result(tx, job, value).await?;
    }
    Ok(())
}
