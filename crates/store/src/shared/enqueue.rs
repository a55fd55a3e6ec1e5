//! A new job as a row; and jobs that are there already, as outcomes.

use serde::Serialize;
use weevil_model::{DataType, Encoded, JobId, RunId, Timestamp};
use weevil_queue::decide::enqueue::order_key;
use weevil_queue::decide::reuse::fingerprint;
use weevil_queue::decide::wait::wait;
use weevil_queue::{Attempt, Duplicate, Ended, Enqueued, NewJob, Outcome};
use weevil_records::StoreError;

use super::columns::Columns;
use super::facts::Histories;
use super::json::{corrupt, hex, within};
use super::paused::Paused;
use crate::words::code;

/// id, run, path, code, source, input, seed, order key, timeout, attempts, returns, fingerprint, queue, needs, delivery,
/// due moment, longest wait, first pause
#[derive(Serialize)]
pub(crate) struct Row<'a>(
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
);

impl<'a> Row<'a> {
    /// An input of more than `in_row` bytes is left out.
    pub(crate) fn of(job: &'a NewJob, paused: &Paused, now: Timestamp, in_row: usize) -> Self {
        let run = job.origin.run();
        let wait = wait(paused.patience(run, job.max_wait_ms), job.delay_ms, now);
        Self(
            job.id.number(),
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
            fingerprint(job.code, job.input.array()),
            job.origin.queue(),
            job.needs.class(),
            code(wait.delivery),
            wait.due.map(|due| due.0),
            job.max_wait_ms,
            job.retry_ms,
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

/// Queue, key, id and fingerprint of the jobs that stand alone.
pub(crate) fn alone(jobs: &[NewJob]) -> Vec<(&str, &str, i64, i64)> {
    let alone = |job: &'_ NewJob| fingerprint(job.code, job.input.array());
    jobs.iter()
        .filter_map(|job| Some((job.origin.queue()?, &*job.path, job.id.number(), alone(job))))
        .collect()
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
