//! A lease that has ended without a report: what becomes of its job, as a row and as news.

use serde::Serialize;
use weevil_model::{JobId, RunId, Timestamp};
use weevil_queue::batch::{Change, JobNews, Returned};
use weevil_queue::decide::company::Company;
use weevil_queue::decide::expire::{self, Decision};
use weevil_queue::decide::wait::{Patience, wait};
use weevil_queue::{Attempt, AttemptEnd, AttemptKey, Ended, Outcome};
use weevil_records::StoreError;
use weevil_records::history::MAX_UNREPORTED;

use crate::columns::Columns;
use crate::json::corrupt;
use crate::paused::Paused;
use crate::words::{ENDED, code, word};

/// The columns of a leased job `j` that its end is decided by.
pub(crate) const COLUMNS: &str = "j.id, j.run, j.path, j.lease_token, j.lease_worker, j.handed_out, j.failures, \
    j.max_attempts, j.max_wait_ms, j.needs, j.retry_ms";

/// id, delivery, outcome, failures to add, ending, attempt number, due moment
#[derive(Serialize)]
pub(crate) struct Row(i64, u8, Option<&'static str>, u8, &'static str, u32, Option<i64>);

/// A leased job, as the store has it.
pub(crate) struct Held {
    pub(crate) facts: expire::Held,
    run: Option<RunId>,
    path: String,
    token: i64,
    /// Number of the attempt that holds it.
    number: u32,
    patience: Patience,
    /// How the lease ends.
    end: AttemptEnd,
}

impl Held {
    /// The job, where it may have more attempts without a report than stay.
    pub(crate) fn forgetful(&self) -> Option<i64> {
        let unreported = matches!(self.end, AttemptEnd::Yielded | AttemptEnd::Lost);
        (unreported && self.number > MAX_UNREPORTED).then(|| self.facts.job.number())
    }

    /// Leases that all end in the same way.
    pub(crate) fn all<R: Columns>(
        rows: &[R],
        end: AttemptEnd,
        paused: &Paused,
    ) -> Result<Vec<Self>, StoreError> {
        rows.iter().map(|row| Self::read(row, end, paused)).collect()
    }

    /// Leases whose rows say in `ending` how they end.
    pub(crate) fn given<R: Columns>(rows: &[R], paused: &Paused) -> Result<Vec<Self>, StoreError> {
        let end = |row: &R| {
            row.word("ending", AttemptEnd::parse)?.ok_or_else(|| corrupt("a release without an end"))
        };
        rows.iter().map(|row| Self::read(row, end(row)?, paused)).collect()
    }

    fn read<R: Columns>(row: &R, end: AttemptEnd, paused: &Paused) -> Result<Self, StoreError> {
        let run = row.maybe_run_id("run")?;
        let facts = expire::Held {
            job: row.job_id("id")?,
            worker: row.worker_id("lease_worker")?,
            failures: row.small("failures")?,
            max_attempts: row.small("max_attempts")?,
            needs: row.needs()?,
            retry_ms: row.small("retry_ms")?,
        };
        Ok(Self {
            facts,
            run,
            path: row.text("path")?,
            token: row.number("lease_token")?,
            number: row.small("handed_out")?,
            patience: paused.patience(run, row.maybe_small("max_wait_ms")?),
            end,
        })
    }

    pub(crate) fn key(&self) -> AttemptKey {
        AttemptKey { job: self.facts.job, token: self.token }
    }

    /// Its job, if that is judged by what happened to it before.
    pub(crate) fn judged(&self) -> Option<JobId> {
        self.facts.may_be_over(self.end).then_some(self.facts.job)
    }

    pub(crate) fn decide(&self, history: &[Attempt], company: &Company) -> Decision {
        self.facts.returned(self.end, history, company)
    }

    pub(crate) fn row(&self, decision: Decision, now: Timestamp) -> Row {
        let (id, number, end) = (self.facts.job.number(), self.number, self.end.as_str());
        match decision {
            Decision::Requeue { counts, pause_ms } => {
                let wait = wait(self.patience, pause_ms, now);
                Row(id, code(wait.delivery), None, counts.into(), end, number, wait.due.map(|due| due.0))
            }
            Decision::Fail => Row(id, ENDED, Some(word(Outcome::Failed)), 1, end, number, None),
        }
    }

    /// `history` holds the ended attempts of a job that fails.
    pub(crate) fn news(self, decision: Decision, mut history: Vec<Attempt>) -> Returned {
        let (key, worker, end) = (self.key(), self.facts.worker, self.end);
        let change = match decision {
            Decision::Requeue { .. } => Change::Requeued,
            Decision::Fail => {
                history.push(Attempt { number: self.number, worker, end, failure: None });
                Change::Ended(Ended::Failed(history))
            }
        };
        let job = JobNews { id: self.facts.job, run: self.run, path: self.path, change };
        Returned { key, worker, end, job }
    }
}
