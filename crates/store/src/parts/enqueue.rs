//! Putting jobs in. A job that is there already (a restarted server enqueues its runs again) stays as it is, unless it has another
//! input (`changed.rs`); a run that
//! has ended takes none; a job that may take the stored result of an equal one has ended at once; a key is taken once. How
//! jobs that are there and equal ones are found differs: see `enqueue.rs` of each database.

use std::collections::HashSet;

use const_format::formatcp;
use serde::Serialize;
use weevil_model::{DataType, Encoded, JobId, ProjectId, RunId, Timestamp, Within};
use weevil_queue::decide::enqueue::order_key;
use weevil_queue::decide::reuse::fingerprint;
use weevil_queue::decide::wait::wait;
use weevil_queue::{Attempt, Copies, Duplicate, Ended, Enqueued, NewJob, Outcome};
use weevil_records::StoreError;

use super::apply::Work;
use super::changed;
use super::facts::{Histories, histories};
use crate::driver::Dialect;
use crate::json::{corrupt, hex, within};
use crate::paused::Paused;
use crate::words::{AGREED, ENDED, MOST_VOTES, SHARE, TRUSTED, code, trust_code};
use crate::{Columns, Fault, Sql, Tx, both};

/// A job as it is put in; each database adds what keeps one that is there already, or whose run has ended, out of it.
pub(crate) const INSERT: Sql = both!("enqueueing", [id int, project int, run int, path text, code hash, source text, input hex, seed int,
    order_key int, timeout_ms int, max_attempts int, type word, fingerprint int, queue queue, needs int, delivery int, due_at int,
    max_wait_ms int, retry_ms int, wanted int, trust int, assumed int, agree hash, among word, proof hash, kernels hash], "
insert into jobs (id, project, run, path, code, source, input, seed, order_key, timeout_ms, max_attempts, `returns`,
                  fingerprint, queue, needs, delivery, due_at, max_wait_ms, retry_ms, wanted, trust, assumed, agree, agree_within, proof, kernels, enqueued_at)
select {LEAD}s.id, s.project, s.run, s.path, unhex(s.code), s.source, unhex(s.input), s.seed, s.order_key, s.timeout_ms,
       s.max_attempts, s.type, s.fingerprint, s.queue, s.needs, s.delivery, s.due_at, s.max_wait_ms, s.retry_ms,
       s.wanted, s.trust, s.assumed, s.agree, s.among, unhex(s.proof), unhex(s.kernels), {M2}
from {ROWS}{JOIN_M2}");

/// The value of job `e` may stand in for that of `new`: as many have agreed on it as are asked for, or no larger share of such values
/// may be wrong, or somebody trusted said so; they were compared exactly or in the same way, and nobody doubts it. No quorum stands in for a share of errors, nor the
/// other way round; the numbers of shares are the larger ones.
pub(crate) const BELIEVED: &str = formatcp!(
    "(new.trust = 0 or ((e.agree is null or e.agree = new.agree)
        and (e.trust between new.trust and {MOST_VOTES}
            or (new.trust > {MOST_VOTES} and e.trust > {MOST_VOTES} and e.trust & {SHARE} <= new.trust & {SHARE})
            or exists (select 1 from answers t where t.job = e.id and t.fate = '{AGREED}' and t.`rank` = {TRUSTED}))))
    and not exists (select 1 from doubts d where d.job = e.id)"
);

/// By the unique index of runs and paths.
const ENDED_ALREADY: Sql = both!("looking for earlier results", [run int, path text], "
select {LEAD}j.id, j.project, j.run, j.path, j.outcome, j.reused, {RESULT} as result
from {ROWS} join jobs j on j.run = s.run and {SAME_PATH} where j.delivery = {ENDED}");

/// The same for those with answers that wait to be believed.
const ANSWERED_ALREADY: Sql = both!("looking for earlier answers", [run int, path text], "
select {LEAD}j.run, j.path, j.needs
from {ROWS} join jobs j on j.run = s.run and {SAME_PATH} where j.trust <> 0 and j.delivery <> {ENDED} and j.handed_out > 0");

/// By the primary key.
const THERE: Sql =
    both!("counting jobs", [id int], "select {LEAD}j.id from {ROWS} join jobs j on j.id = s.id");

/// By the unique index of runs and paths.
const OPEN: Sql = both!("counting jobs", [run int, path text], "
select {LEAD}j.id from {ROWS} join jobs j on j.run = s.run and {SAME_PATH} where j.delivery <> {ENDED}");

/// By the unique index of projects, queues and keys. The last condition leaves out what this batch has just put in.
const DUPLICATES: Sql = both!("looking for keys", [project int, queue queue, path text, asked int, asked_fingerprint int], "
select {LEAD}s.asked, s.asked_fingerprint, j.id as kept, j.fingerprint as kept_fingerprint
from {ROWS} join jobs j on {SAME_KEY} where j.id <> s.asked");

/// Notes the jobs that have ended already, earlier or just now with a stored result, and those whose key was taken.
/// Nearly every batch is done after the insert: only where fewer were put in than asked for, or a result was taken,
/// is there anything to tell.
pub(crate) async fn enqueue<T: Dialect>(tx: &mut T, work: &mut Work<'_>) -> Result<(), Fault> {
    let (jobs, now) = (&work.batch.enqueue, work.now);
    if jobs.is_empty() {
        return Ok(());
    }
    let all = tx.insert(jobs, &work.paused, now).await? == jobs.len() as u64;
    let mut open = if all { put_in(jobs, work) } else { put_in_some(tx, jobs, work).await? };
    if !all {
        changed::change(tx, jobs, work).await?;
    }
    let reused = tx.reuse(jobs, now).await?;
    if reused > 0 || !all {
        let ended = tx.rows(&ENDED_ALREADY, &of_runs(jobs)).await?;
        count_reused(&ended, &mut open, work)?;
        let histories = histories(tx, &failed_already(&ended)?).await?;
        work.outcomes.enqueued =
            ended.iter().map(|row| enqueued(row, &histories)).collect::<Result<_, _>>()?;
        work.outcomes.duplicates = duplicates(tx, jobs).await?;
    }
    if !all && jobs.iter().any(|job| job.trust.is_judged()) {
        work.outcomes.answered = answered(tx, jobs).await?;
    }
    Ok(())
}

/// Jobs that were there already, with answers that wait to be believed.
async fn answered<T: Tx>(tx: &mut T, jobs: &[NewJob]) -> Result<Vec<(RunId, String)>, Fault> {
    let mut answered = Vec::new();
    for row in tx.rows(&ANSWERED_ALREADY, &of_runs(jobs)).await? {
        if row.class()?.0.is_answered() {
            answered.push((row.run_id("run")?, row.text("path")?));
        }
    }
    Ok(answered)
}

/// All were new. Answers those that may take a stored result now.
fn put_in(jobs: &[NewJob], work: &mut Work<'_>) -> HashSet<JobId> {
    for job in jobs {
        work.usage.put_in(job);
    }
    jobs.iter().filter(|job| job.reuse).map(|job| job.id).collect()
}

/// Ids are given once, so whatever is there by the id that it was just given is new. Answers those that may take a stored
/// result now: some of them may have been there before.
async fn put_in_some<T: Tx>(
    tx: &mut T,
    jobs: &[NewJob],
    work: &mut Work<'_>,
) -> Result<HashSet<JobId>, Fault> {
    let there = ids(&tx.rows(&THERE, &jobs.iter().map(|job| job.id.number()).collect::<Vec<_>>()).await?)?;
    jobs.iter().filter(|job| there.contains(&job.id)).for_each(|job| work.usage.put_in(job));
    Ok(ids(&tx.rows(&OPEN, &asking(jobs)).await?)?)
}

/// Those among the ended jobs that were open before they took a stored result.
fn count_reused<R: Columns>(
    ended: &[R],
    open: &mut HashSet<JobId>,
    work: &mut Work<'_>,
) -> Result<(), StoreError> {
    for row in ended {
        if row.maybe_number("reused")?.is_some() && open.remove(&row.job_id("id")?) {
            let project = row.id("project", ProjectId::from_number)?;
            work.usage.end(project, 1);
            work.usage.keep(project, row.bytes("result")?.len() as u64);
        }
    }
    Ok(())
}

fn ids<R: Columns>(rows: &[R]) -> Result<HashSet<JobId>, StoreError> {
    rows.iter().map(|row| row.job_id("id")).collect()
}

/// Jobs whose key another one has.
pub(crate) async fn duplicates<T: Tx>(tx: &mut T, jobs: &[NewJob]) -> Result<Vec<Duplicate>, Fault> {
    let rows = tx.rows(&DUPLICATES, &alone(jobs)).await?;
    Ok(rows.iter().map(duplicate).collect::<Result<_, _>>()?)
}

/// id, project, run, path, code, source, input, seed, order key, timeout, attempts, returns, fingerprint, queue, needs, delivery,
/// due moment, longest wait, first pause, wanted copies, policy, share of liars, how its answers are compared, within what, and proved, kernels
#[derive(Serialize)]
pub(crate) struct Row<'a>(
    i64,
    i64,
    Option<i64>,
    &'a str,
    String,
    &'a str,
    String,
    i64,
    i64,
    u32,
    u32,
    Option<&'static str>,
    i64,
    Option<&'a str>,
    i64,
    u8,
    Option<i64>,
    Option<u32>,
    u32,
    u32,
    u32,
    Option<u32>,
    Option<String>,
    Option<&'static str>,
    Option<String>,
    Option<String>,
);

impl<'a> Row<'a> {
    /// An input of more than `in_row` bytes is left out. Where the job waits is written with it; no second
    /// statement delays or holds it.
    pub(crate) fn of(job: &'a NewJob, paused: &Paused, now: Timestamp, in_row: usize) -> Self {
        let run = job.origin.run();
        let wait = wait(paused.patience(run, job.max_wait_ms), job.delay_ms, now);
        let judged = Some(job).filter(|job| job.trust.is_judged());
        let stand = Copies::asked(job.wanted()).waiting(wait);
        Self(
            job.id.number(),
            job.project.number(),
            run.map(RunId::number),
            &job.path,
            hex(job.code.as_bytes()),
            &job.source,
            hex(within(job.input.array(), in_row)),
            job.seed.cast_signed(),
            order_key(now.plus_ms(job.delay_ms.into()), job.priority),
            job.timeout_ms,
            job.max_attempts,
            job.returns.map(DataType::name),
            fingerprint_of(job),
            job.origin.queue(),
            job.needs.class(),
            code(stand.delivery),
            stand.due.map(|due| due.0),
            job.max_wait_ms,
            job.retry_ms,
            stand.copies.wanted,
            trust_code(job.trust, job.in_pool),
            job.trust.is_by_lots().then_some(job.assumed.millionths()),
            judged.filter(|job| !job.agree.is_exact()).map(|job| job.agree.to_string()),
            judged.and_then(|job| job.within).map(Within::as_str),
            judged.and_then(|job| job.proof).map(|proof| hex(proof.as_bytes())),
            job.kernels.map(|kernels| hex(kernels.as_bytes())),
        )
    }
}

/// Run and path of the jobs that may take a stored result.
pub(crate) fn asking(jobs: &[NewJob]) -> Vec<(i64, &str)> {
    let asking = jobs.iter().filter(|job| job.reuse);
    asking.filter_map(|job| Some((job.origin.run()?.number(), &*job.path))).collect()
}

/// Run and path of the jobs that belong to runs.
pub(crate) fn of_runs(jobs: &[NewJob]) -> Vec<(i64, &str)> {
    jobs.iter().filter_map(|job| Some((job.origin.run()?.number(), &*job.path))).collect()
}

/// Project, queue, key, id and fingerprint of the jobs that stand alone.
pub(crate) fn alone(jobs: &[NewJob]) -> Vec<(i64, &str, &str, i64, i64)> {
    let alone = jobs.iter().filter_map(|job| Some((job, job.origin.queue()?)));
    alone
        .map(|(job, queue)| (job.project.number(), queue, &*job.path, job.id.number(), fingerprint_of(job)))
        .collect()
}

pub(crate) fn fingerprint_of(job: &NewJob) -> i64 {
    fingerprint(job.project, job.code, job.input.array())
}

/// A row with the ids of both jobs, and both fingerprints.
pub(crate) fn duplicate<R: Columns>(row: &R) -> Result<Duplicate, StoreError> {
    let equal = row.number("asked_fingerprint")? == row.number("kept_fingerprint")?;
    Ok(Duplicate { asked: row.job_id("asked")?, kept: row.job_id("kept")?, equal })
}

/// The jobs among those that have ended already whose end is told with their history.
pub(crate) fn failed_already<R: Columns>(rows: &[R]) -> Result<Vec<JobId>, StoreError> {
    let mut jobs = Vec::new();
    for row in rows {
        if row.outcome()? == Some(Outcome::Failed) {
            jobs.push(row.job_id("id")?);
        }
    }
    Ok(jobs)
}

/// A job that has ended already.
pub(crate) fn enqueued<R: Columns>(row: &R, histories: &Histories) -> Result<Enqueued, StoreError> {
    let history = histories.get(&row.job_id("id")?).cloned().unwrap_or_default();
    Ok(Enqueued {
        run: row.run_id("run")?,
        path: row.text("path")?,
        ended: ended(row, history)?,
        reused: row.maybe_number("reused")?.is_some(),
    })
}

/// How a job that is there has ended. `history` holds its attempts where it has failed.
fn ended<R: Columns>(row: &R, history: Vec<Attempt>) -> Result<Ended, StoreError> {
    Ok(match row.outcome()?.ok_or_else(|| corrupt("an ended job without an outcome"))? {
        Outcome::Value => Ended::Value(Encoded::trusted(row.bytes("result")?)),
        Outcome::Failed => Ended::Failed(history),
        Outcome::Overdue => Ended::Overdue,
        Outcome::Cancelled => Ended::Cancelled,
    })
}
