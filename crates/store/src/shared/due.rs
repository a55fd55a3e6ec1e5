//! Jobs whose moment has come: those whose delay is over, and those that nobody took in time.

use serde::Serialize;
use weevil_model::{JobId, RunId, Timestamp};
use weevil_queue::batch::{Change, JobNews, Settled};
use weevil_queue::decide::due::{Due, due};
use weevil_queue::decide::wait::wait;
use weevil_queue::{Batch, Ended, Outcome, Outcomes};
use weevil_records::StoreError;

use super::columns::Columns;
use super::paused::Paused;
use crate::words::{ENDED, code, word};

/// Jobs of one kind that one look takes; the others wait for the next, which comes at once.
pub(crate) const MAX_LOOK: u32 = 4096;

/// id, delivery, outcome, due moment
#[derive(Serialize)]
pub(crate) struct Row(i64, u8, Option<&'static str>, Option<i64>);

/// A waiting job whose moment has come.
pub(crate) struct DueJob {
    id: JobId,
    run: Option<RunId>,
    path: String,
    max_wait_ms: Option<u32>,
    due: Due,
}

impl DueJob {
    pub(crate) fn read<R: Columns>(row: &R, paused: &Paused) -> Result<Option<Self>, StoreError> {
        let Some(due) = due(row.delivery()?, paused.queue) else { return Ok(None) };
        Ok(Some(Self {
            id: row.job_id("id")?,
            run: row.maybe_run_id("run")?,
            path: row.text("path")?,
            max_wait_ms: row.maybe_small("max_wait_ms")?,
            due,
        }))
    }

    pub(crate) fn row(&self, paused: &Paused, now: Timestamp) -> Row {
        if self.due == Due::Overdue {
            return Row(self.id.number(), ENDED, Some(word(Outcome::Overdue)), None);
        }
        let wait = wait(paused.patience(self.run, self.max_wait_ms), 0, now);
        Row(self.id.number(), code(wait.delivery), None, wait.due.map(|due| due.0))
    }

    /// Nobody waits to hear that a delay is over.
    pub(crate) fn news(self) -> Option<JobNews> {
        let change = Change::Ended(Ended::Overdue);
        (self.due == Due::Overdue).then_some(JobNews { id: self.id, run: self.run, path: self.path, change })
    }
}

/// May the next delayed job be another one after this batch?
pub(crate) fn may_delay(batch: &Batch, outcomes: &Outcomes) -> bool {
    let requeued = |settled: &Settled| settled.job.as_ref().is_some_and(|job| job.change == Change::Requeued);
    batch.look || batch.enqueue.iter().any(|job| job.delay_ms > 0) || outcomes.completed.iter().any(requeued)
}
