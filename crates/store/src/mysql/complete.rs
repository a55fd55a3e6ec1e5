//! Applying workers' reports: facts are read for the whole batch, the rules decide, the changes are written at once.

use const_format::formatcp;
use sqlx::MySqlConnection;
use weevil_model::Timestamp;
use weevil_queue::Batch;
use weevil_queue::batch::Settled;
use weevil_queue::decide::complete::Present;

use super::facts;
use super::retry::Fault;
use super::rows::change;
use crate::shared::complete::{AttemptRow, Decided, JobRow, decide_all, failing};
use crate::shared::paused::Paused;
use crate::words::ENDED;

const END_ATTEMPTS: &str = "
update json_table(?, '$[*]' columns (
    job bigint path '$[0]', number bigint path '$[1]', ending varchar(16) path '$[2]', slot bigint path '$[3]',
    compute_us bigint path '$[4]', flops double path '$[5]',
    error_kind longtext character set utf8mb4 path '$[6]', error_message longtext character set utf8mb4 path '$[7]',
    error_stack longtext character set utf8mb4 path '$[8]', log longtext character set utf8mb4 path '$[9]')) s
straight_join attempts a on a.job = s.job and a.number = s.number
set a.ending = s.ending, a.ended_at = ?, a.slot = s.slot, a.compute_us = s.compute_us, a.flops = s.flops,
    a.error_kind = s.error_kind, a.error_message = s.error_message, a.error_stack = s.error_stack,
    a.log = s.log";

const UPDATE_JOBS: &str = formatcp!("
update json_table(?, '$[*]' columns (
    id bigint path '$[0]', delivery bigint path '$[1]', outcome varchar(16) path '$[2]', result longtext path '$[3]',
    counted bigint path '$[4]', due_at bigint path '$[5]')) s
straight_join jobs j on j.id = s.id
set j.delivery = s.delivery, j.outcome = s.outcome, j.result = unhex(s.result), j.failures = j.failures + s.counted,
    j.ended_at = if(s.delivery = {ENDED}, ?, null), j.lease_token = null, j.lease_worker = null, j.due_at = s.due_at");

pub(super) async fn complete(
    tx: &mut MySqlConnection,
    batch: &Batch,
    paused: &Paused,
    now: Timestamp,
) -> Result<Vec<Settled>, Fault> {
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
    tx: &mut MySqlConnection,
    changes: &[Decided<'_>],
    paused: &Paused,
    now: Timestamp,
) -> Result<(), Fault> {
    let attempts: Vec<AttemptRow<'_>> = changes.iter().map(Decided::attempt_row).collect();
    let jobs: Vec<JobRow> = changes.iter().map(|change| change.job_row(paused, now, usize::MAX)).collect();
    change(tx, END_ATTEMPTS, &attempts, now.0, "completing").await?;
    change(tx, UPDATE_JOBS, &jobs, now.0, "completing").await?;
    Ok(())
}
