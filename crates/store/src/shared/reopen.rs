//! Jobs that are computed again, since their value does not fit where it goes: what becomes of each, as rows.

use serde::Serialize;
use weevil_model::{JobId, RunId, Timestamp, WorkerId};
use weevil_queue::decide::company::{Company, Tried};
use weevil_queue::decide::wait::{Patience, wait};
use weevil_queue::{Outcome, Reopen};
use weevil_records::StoreError;

use super::columns::Columns;
use super::facts::Histories;
use super::json::corrupt;
use super::paused::Paused;
use crate::words::{ENDED, code, word};

/// run, path, place in the batch
pub(crate) type Key<'a> = (i64, &'a str, usize);

/// id, delivery, outcome, failures to add, due moment
#[derive(Serialize)]
pub(crate) struct JobRow(i64, u8, Option<&'static str>, u8, Option<i64>);

/// job, message
#[derive(Serialize)]
pub(crate) struct AttemptRow<'a>(i64, &'a str);

pub(crate) fn keys(reopen: &[Reopen]) -> Vec<Key<'_>> {
    reopen.iter().enumerate().map(|(at, each)| (each.run.number(), &*each.path, at)).collect()
}

/// A job that has a value.
pub(crate) struct Reopened<'a> {
    job: JobId,
    run: RunId,
    /// Whose value it is; none of one that was taken over from another job.
    worker: Option<WorkerId>,
    /// With the attempt that is an error now.
    tried: Tried,
    max_wait_ms: Option<u32>,
    message: &'a str,
}

impl<'a> Reopened<'a> {
    pub(crate) fn read<R: Columns>(row: &R, reopen: &'a [Reopen]) -> Result<Self, StoreError> {
        let at = usize::try_from(row.number("place")?).ok();
        let asked = at.and_then(|at| reopen.get(at)).ok_or_else(|| corrupt("a job that nobody asked for"))?;
        let worker = match row.maybe_number("worker")? {
            Some(_) => Some(row.worker_id("worker")?),
            None => None,
        };
        let failures = row.small("failures")?.saturating_add(worker.is_some().into());
        Ok(Self {
            job: row.job_id("id")?,
            run: asked.run,
            worker,
            tried: Tried { failures, max_attempts: row.small("max_attempts")?, needs: row.needs()? },
            max_wait_ms: row.maybe_small("max_wait_ms")?,
            message: &asked.message,
        })
    }

    /// Its job, if that is judged by what happened to it before.
    pub(crate) fn judged(&self) -> Option<JobId> {
        self.tried.may_be_over().then_some(self.job)
    }

    /// `histories` holds that of each job that is `judged`.
    pub(crate) fn row(
        &self,
        histories: &Histories,
        company: &Company,
        paused: &Paused,
        now: Timestamp,
    ) -> JobRow {
        let history = histories.get(&self.job).map(Vec::as_slice).unwrap_or_default();
        let (id, counted) = (self.job.number(), self.worker.is_some().into());
        let over = self.worker.is_some_and(|worker| company.is_over(self.tried, worker, history));
        if over {
            return JobRow(id, ENDED, Some(word(Outcome::Failed)), counted, None);
        }
        let patience: Patience = paused.patience(Some(self.run), self.max_wait_ms);
        let wait = wait(patience, 0, now);
        JobRow(id, code(wait.delivery), None, counted, wait.due.map(|due| due.0))
    }

    pub(crate) fn attempt(&self) -> AttemptRow<'a> {
        AttemptRow(self.job.number(), self.message)
    }
}
