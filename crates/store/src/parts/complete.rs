//! Applying workers' reports: facts are read for the whole batch, the rules decide (`reports.rs`), the changes are written at
//! once.

use weevil_queue::decide::complete::Present;

use super::apply::Work;
use super::reports::{Decided, Known, Reports, failing, spoken};
use super::{answers, changes, copies, devices, facts, judged_job, values};
use crate::driver::Dialect;
use crate::{Fault, Sql, both};

/// By the primary key: whatever the batch, one statement. The facts have locked these jobs and attempts, in the
/// order in which every server does, so either table may change first.
const END_ATTEMPTS: Sql = both!("completing", attempts by job and number, [job int, number int, how word, place int,
    took_us int, did real, kind text, message text, stack text, said text], "
update {TARGET}
set ending = s.how, ended_at = {P2}, due_at = null, slot = s.place, compute_us = s.took_us, flops = s.did,
    error_kind = s.kind, error_message = s.message, error_stack = s.stack, log = s.said{SOURCE}");

/// Notes what every reporter hears, and the other copies of jobs that have ended. All are decided before anything
/// is written: a second report for a job meets the first in memory, and each table is changed once.
pub(crate) async fn complete<T: Dialect>(tx: &mut T, work: &mut Work<'_>) -> Result<(), Fault> {
    let Work { batch, ref paused, now, ref mut usage, ref mut bench, .. } = *work;
    if batch.complete.is_empty() {
        return Ok(());
    }
    let book = facts::read(tx, &batch.complete).await?;
    let mut answers = answers::of(tx, &book.judged()).await?;
    bench.lots.read_devices(tx, &judged_job::devices(&answers)).await?;
    bench.comparisons.read(tx, judged_job::codes(&answers)).await?;
    let spoken = spoken(&batch.complete, &book);
    let new = values::compare(tx, &batch.complete, &spoken, &mut answers).await?;
    let pasts = facts::pasts(tx, &failing(&batch.complete, &spoken, &book, &answers)).await?;
    let present = Present { now, company: &batch.company };
    let known = Known { book, answers, pasts };
    let mut reports = Reports::new(known, bench, present, paused, usage, T::IN_ROW);
    for (submission, spoken) in batch.complete.iter().zip(spoken) {
        reports.hear(submission, spoken);
    }
    let Reports { mut known, settled, decided, jobs, deserted, replaced, sealed, .. } = reports;
    tx.change(&END_ATTEMPTS, &decided.iter().map(Decided::attempt_row).collect::<Vec<_>>(), &[now.into()])
        .await?;
    // First the lines: a job that is leased stands in no index of ready ones, so that it enters its own at once.
    answers::keep(tx, &known.answers).await?;
    changes::jobs(tx, &jobs, now).await?;
    tx.forget_results(&replaced).await?;
    tx.keep_results(&decided.iter().filter_map(Decided::value).collect::<Vec<_>>()).await?;
    devices::count(tx, decided.iter().filter_map(Decided::device), now).await?;
    work.outcomes.questions = values::follow(tx, new, &settled, &mut known.answers, usage).await?;
    work.sealed.extend(sealed);
    work.outcomes.completed = settled;
    work.outcomes.revoked = copies::revoke(tx, &deserted, now).await?;
    Ok(())
}
