//! Jobs whose moment has come: those whose delay is over, and those of which nobody took what is wanted in time; and
//! the look for the next such moment.

use const_format::formatcp;
use serde::Serialize;
use weevil_model::{JobId, RunId, Timestamp};
use weevil_queue::batch::{Change, JobNews, Settled};
use weevil_queue::decide::copies::Stand;
use weevil_queue::decide::due::{Due, due};
use weevil_queue::decide::wait::wait;
use weevil_queue::{Batch, Copies, Delivery, Ended, Outcome, Outcomes};
use weevil_records::StoreError;

use crate::columns::Columns;
use crate::fault::Fault;
use crate::paused::Paused;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::words::{DELAYED, ENDED, code, word};

/// By the index of moments. What another server works on just now waits for the next look. The delivery is a
/// parameter for once: SQLite's index has all jobs with a moment, whatever they wait for.
const DUE: Sql = Sql {
    doing: "looking for jobs that are due",
    sqlite: "
select id, run, path, delivery, wanted, open_attempts, max_wait_ms from jobs
where delivery = ? and due_at <= ? order by due_at limit ?",
    mysql: "
select id, run, path, delivery, wanted, open_attempts, max_wait_ms from jobs force index (jobs_due)
where delivery = ? and due_at <= ? order by due_at limit ? for update skip locked",
};

/// By the primary key. `open_attempts` stays: copies that are out go on where no more are wanted.
const MOVE: Sql = Sql {
    doing: "moving jobs that are due",
    sqlite: formatcp!(
    "
update jobs set delivery = s.value ->> 1, outcome = s.value ->> 2, due_at = s.value ->> 3,
    wanted = s.value ->> 4, ended_at = iif(s.value ->> 1 = {ENDED}, ?2, null)
from json_each(?1) s where jobs.id = s.value ->> 0"
),
    mysql: formatcp!("
update json_table(?, '$[*]' columns (
    id bigint path '$[0]', delivery bigint path '$[1]', outcome varchar(16) path '$[2]', due_at bigint path '$[3]',
    wanted bigint path '$[4]')) s
straight_join jobs j on j.id = s.id
set j.delivery = s.delivery, j.outcome = s.outcome, j.due_at = s.due_at, j.wanted = s.wanted,
    j.ended_at = if(s.delivery = {ENDED}, ?, null)"),
};

/// The first entry of the index of moments. For delayed jobs alone, since a delay is to end on time; a longest wait
/// is looked after once a second (ADR 0016).
const NEXT: Sql = Sql {
    doing: "looking for the next moment",
    sqlite: formatcp!(
        "select min(due_at) as due_at from jobs where delivery = {DELAYED} and due_at is not null"
    ),
    mysql: formatcp!(
        "select min(due_at) as due_at from jobs force index (jobs_due) where delivery = {DELAYED}"
    ),
};

/// Both kinds are read before either is moved: a job that wakes is not overdue in the same look.
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
    outcomes.woken = due.iter().filter(|job| job.due == Due::Wake).count() as u64;
    outcomes.overdue.extend(due.into_iter().filter_map(DueJob::news));
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

/// id, delivery, outcome, due moment, wanted copies
#[derive(Serialize)]
pub(crate) struct Row(i64, u8, Option<&'static str>, Option<i64>, u32);

/// A waiting job whose moment has come.
pub(crate) struct DueJob {
    id: JobId,
    run: Option<RunId>,
    path: String,
    max_wait_ms: Option<u32>,
    copies: Copies,
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
            copies: row.copies()?,
            due,
        }))
    }

    pub(crate) fn row(&self, paused: &Paused, now: Timestamp) -> Row {
        let (stand, outcome) = match (self.due, self.copies.overdue()) {
            (Due::Overdue, None) => (Stand::ENDED, Some(word(Outcome::Overdue))),
            (Due::Overdue, Some(stand)) => (stand, None),
            (Due::Wake, _) => {
                (self.copies.waiting(wait(paused.patience(self.run, self.max_wait_ms), 0, now)), None)
            }
        };
        let due = stand.due.map(|due| due.0);
        Row(self.id.number(), code(stand.delivery), outcome, due, stand.copies.wanted)
    }

    /// Nobody waits to hear that a delay is over, or that a job wants no more copies.
    pub(crate) fn news(self) -> Option<JobNews> {
        let ends = self.due == Due::Overdue && self.copies.overdue().is_none();
        let change = Change::Ended(Ended::Overdue);
        ends.then_some(JobNews { id: self.id, run: self.run, path: self.path, change })
    }
}

/// May the next delayed job be another one after this batch?
pub(crate) fn may_delay(batch: &Batch, outcomes: &Outcomes) -> bool {
    let requeued = |settled: &Settled| {
        let change = settled.job.as_ref().map(|job| &job.change);
        matches!(change, Some(Change::Requeued | Change::CopyReturned))
    };
    batch.look || batch.enqueue.iter().any(|job| job.delay_ms > 0) || outcomes.completed.iter().any(requeued)
}
