//! Jobs whose moment has come while nobody held them: those whose delay is over, and those that nobody took in time; and
//! the look for the next such moment.

use const_format::formatcp;
use serde::Serialize;
use weevil_model::{JobId, RunId, Timestamp};
use weevil_queue::batch::{Change, JobNews, Settled};
use weevil_queue::decide::due::{Due, due};
use weevil_queue::decide::wait::wait;
use weevil_queue::{Batch, Delivery, Ended, Outcome, Outcomes};
use weevil_records::StoreError;

use crate::columns::Columns;
use crate::fault::Fault;
use crate::paused::Paused;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::words::{DELAYED, ENDED, code, word};

/// By the index of moments. What another server works on just now waits for the next look.
const DUE: Sql = Sql {
    doing: "looking for jobs that are due",
    sqlite: "
select id, run, path, delivery, max_wait_ms from jobs
where delivery = ? and due_at <= ? order by due_at limit ?",
    mysql: "
select id, run, path, delivery, max_wait_ms from jobs force index (jobs_due)
where delivery = ? and due_at <= ? order by due_at limit ? for update skip locked",
};

/// By the primary key.
const MOVE: Sql = Sql {
    doing: "moving jobs that are due",
    sqlite: formatcp!(
    "
update jobs set delivery = s.value ->> 1, outcome = s.value ->> 2, due_at = s.value ->> 3,
    ended_at = iif(s.value ->> 1 = {ENDED}, ?2, null)
from json_each(?1) s where jobs.id = s.value ->> 0"
),
    mysql: formatcp!("
update json_table(?, '$[*]' columns (
    id bigint path '$[0]', delivery bigint path '$[1]', outcome varchar(16) path '$[2]', due_at bigint path '$[3]')) s
straight_join jobs j on j.id = s.id
set j.delivery = s.delivery, j.outcome = s.outcome, j.due_at = s.due_at, j.ended_at = if(s.delivery = {ENDED}, ?, null)"),
};

/// The first entry of the index of moments.
const NEXT: Sql = Sql {
    doing: "looking for the next moment",
    sqlite: formatcp!(
        "select min(due_at) as due_at from jobs where delivery = {DELAYED} and due_at is not null"
    ),
    mysql: formatcp!(
        "select min(due_at) as due_at from jobs force index (jobs_due) where delivery = {DELAYED}"
    ),
};

pub(crate) async fn look<T: Tx>(
    tx: &mut T,
    paused: &Paused,
    now: Timestamp,
    outcomes: &mut Outcomes,
) -> Result<(), Fault> {
    let mut due = Vec::new();
    for delivery in [Delivery::Delayed, Delivery::Ready] {
        let delivery = i64::from(code(delivery));
        for row in tx.found(&DUE, &[delivery.into(), now.into(), MAX_LOOK.into()]).await? {
            due.extend(DueJob::read(&row, paused)?);
        }
    }
    let rows: Vec<_> = due.iter().map(|job| job.row(paused, now)).collect();
    tx.change(&MOVE, &rows, &[now.into()]).await?;
    let looked = due.len();
    outcomes.overdue.extend(due.into_iter().filter_map(DueJob::news));
    outcomes.woken = (looked - outcomes.overdue.len()) as u64;
    Ok(())
}

/// When the next delayed job is due, where that may have changed.
pub(crate) async fn next<T: Tx>(
    tx: &mut T,
    batch: &Batch,
    outcomes: &Outcomes,
) -> Result<Option<Timestamp>, Fault> {
    if !may_delay(batch, outcomes) {
        return Ok(None);
    }
    let next = tx.one(&NEXT, &[]).await?.map(|row| row.maybe_moment("due_at")).transpose()?;
    Ok(next.flatten())
}

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
