//! Applying workers' reports: facts are read for the whole batch, the rules decide (`reports.rs`), the changes are written at
//! once.

use const_format::formatcp;
use weevil_model::Timestamp;
use weevil_queue::decide::complete::Present;
use weevil_queue::{Batch, Outcomes};

use super::reports::{Decided, Reports, failing};
use super::{copies, devices, facts};
use crate::driver::Dialect;
use crate::fault::Fault;
use crate::paused::Paused;
use crate::sql::Sql;
use crate::words::ENDED;

/// By the primary key: whatever the batch, one statement. The facts have locked these jobs and attempts, in the
/// order in which every server does, so either table may change first.
const END_ATTEMPTS: Sql = Sql {
    doing: "completing",
    sqlite: "
update attempts set ending = s.value ->> 2, ended_at = ?2, due_at = null, slot = s.value ->> 3, compute_us = s.value ->> 4,
    flops = s.value ->> 5, error_kind = s.value ->> 6, error_message = s.value ->> 7, error_stack = s.value ->> 8,
    log = s.value ->> 9
from json_each(?1) s where attempts.job = s.value ->> 0 and attempts.number = s.value ->> 1",
    mysql: "
update json_table(?, '$[*]' columns (
    job bigint path '$[0]', number bigint path '$[1]', ending varchar(16) path '$[2]', slot bigint path '$[3]',
    compute_us bigint path '$[4]', flops double path '$[5]',
    error_kind longtext character set utf8mb4 path '$[6]', error_message longtext character set utf8mb4 path '$[7]',
    error_stack longtext character set utf8mb4 path '$[8]', log longtext character set utf8mb4 path '$[9]')) s
straight_join attempts a on a.job = s.job and a.number = s.number
set a.ending = s.ending, a.ended_at = ?, a.due_at = null, a.slot = s.slot, a.compute_us = s.compute_us,
    a.flops = s.flops, a.error_kind = s.error_kind, a.error_message = s.error_message, a.error_stack = s.error_stack,
    a.log = s.log",
};

/// The same for the jobs, each once. Failures are added, since a row stands for all reports of its job; the end
/// follows from the delivery, so that neither is there without the other.
const UPDATE_JOBS: Sql = Sql {
    doing: "completing",
    sqlite: formatcp!(
    "
update jobs set delivery = s.value ->> 1, outcome = s.value ->> 2, result = unhex(s.value ->> 3),
    failures = failures + (s.value ->> 4), ended_at = iif(s.value ->> 1 = {ENDED}, ?2, null),
    due_at = s.value ->> 5, wanted = s.value ->> 6, open_attempts = s.value ->> 7
from json_each(?1) s where jobs.id = s.value ->> 0"
),
    mysql: formatcp!("
update json_table(?, '$[*]' columns (
    id bigint path '$[0]', delivery bigint path '$[1]', outcome varchar(16) path '$[2]', result longtext path '$[3]',
    counted bigint path '$[4]', due_at bigint path '$[5]', wanted bigint path '$[6]',
    open_attempts bigint path '$[7]')) s
straight_join jobs j on j.id = s.id
set j.delivery = s.delivery, j.outcome = s.outcome, j.result = unhex(s.result), j.failures = j.failures + s.counted,
    j.ended_at = if(s.delivery = {ENDED}, ?, null), j.due_at = s.due_at, j.wanted = s.wanted,
    j.open_attempts = s.open_attempts"),
};

/// Notes what every reporter hears, and the other copies of jobs that have ended. All are decided before anything
/// is written: a second report for a job meets the first in memory, and each table is changed once.
pub(crate) async fn complete<T: Dialect>(
    tx: &mut T,
    batch: &Batch,
    paused: &Paused,
    now: Timestamp,
    outcomes: &mut Outcomes,
) -> Result<(), Fault> {
    if batch.complete.is_empty() {
        return Ok(());
    }
    let book = facts::read(tx, &batch.complete).await?;
    let pasts = facts::pasts(tx, &failing(&batch.complete, &book)).await?;
    let present = Present { now, company: &batch.company };
    let mut reports = Reports::new(book, pasts, present, paused, T::IN_ROW);
    for submission in &batch.complete {
        reports.hear(submission)?;
    }
    let Reports { settled, decided, jobs, deserted, .. } = reports;
    let attempts: Vec<_> = decided.iter().map(Decided::attempt_row).collect();
    tx.change(&END_ATTEMPTS, &attempts, &[now.into()]).await?;
    tx.change(&UPDATE_JOBS, &jobs, &[now.into()]).await?;
    tx.keep_results(&decided).await?;
    devices::count(tx, decided.iter().filter_map(Decided::device), now).await?;
    outcomes.completed = settled;
    outcomes.revoked = copies::revoke(tx, &deserted, now).await?;
    Ok(())
}
