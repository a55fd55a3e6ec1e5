//! Jobs whose moment has come: those whose delay is over, and those of which nobody took what is wanted in time; and
//! the look for the next such moment.

use weevil_model::{JobId, ProjectId, RunId, Timestamp};
use weevil_queue::batch::{Change, JobNews, Settled};
use weevil_queue::decide::due::{Due, due};
use weevil_queue::decide::wait::wait;
use weevil_queue::{Batch, Copies, Delivery, Ended, Outcome, Outcomes};
use weevil_records::StoreError;

use super::apply::Work;
use super::changes::{self, JobRow, JobRows};
use crate::paused::Paused;
use crate::words::{DELAYED, code};
use crate::{Columns, Fault, Sql, Tx, both};

/// By the index of moments. What another server works on just now waits for the next look. The delivery is a
/// parameter for once: SQLite's index has all jobs with a moment, whatever they wait for.
const DUE: Sql = both!(
    "looking for jobs that are due",
    "
select id, project, run, path, delivery, wanted, open_attempts, max_wait_ms, trust from jobs{BY_DUE}
where delivery = ? and due_at <= ? order by due_at limit ?{SKIP}"
);

/// The first entry of the index of moments. For delayed jobs alone, since a delay is to end on time; a longest wait
/// is looked after once a second (ADR 0016).
const NEXT: Sql = both!(
    "looking for the next moment",
    "
select min(due_at) as due_at from jobs{BY_DUE} where delivery = {DELAYED}{DATED}"
);

/// Both kinds are read before either is moved: a job that wakes is not overdue in the same look.
pub(crate) async fn look<T: Tx>(tx: &mut T, work: &mut Work<'_>) -> Result<(), Fault> {
    let Work { ref paused, now, ref mut outcomes, ref mut usage, ref mut sealed, .. } = *work;
    let mut due = Vec::new();
    for delivery in [Delivery::Delayed, Delivery::Ready] {
        let delivery = i64::from(code(delivery));
        for row in tx.found(&DUE, &[delivery.into(), now.into(), MAX_LOOK.into()]).await? {
            due.extend(DueJob::read(&row, paused)?);
        }
    }
    let mut rows = JobRows::default();
    for job in &due {
        rows.enter(&mut None, job.row(paused, now));
        if job.ends() {
            usage.end(job.project, 1);
            sealed.extend((job.is_judged && job.run.is_none()).then_some(job.id));
        }
    }
    changes::jobs(tx, &rows, now).await?;
    outcomes.woken += due.iter().filter(|job| job.due == Due::Wake).count() as u64;
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
const MAX_LOOK: u32 = 4096;

/// A waiting job whose moment has come.
struct DueJob {
    id: JobId,
    project: ProjectId,
    run: Option<RunId>,
    path: String,
    max_wait_ms: Option<u32>,
    copies: Copies,
    due: Due,
    is_judged: bool,
}

impl DueJob {
    fn read<R: Columns>(row: &R, paused: &Paused) -> Result<Option<Self>, StoreError> {
        let Some(due) = due(row.delivery()?, paused.queue) else { return Ok(None) };
        Ok(Some(Self {
            id: row.job_id("id")?,
            project: row.id("project", ProjectId::from_number)?,
            run: row.maybe_run_id("run")?,
            path: row.text("path")?,
            max_wait_ms: row.maybe_small("max_wait_ms")?,
            copies: row.copies()?,
            due,
            is_judged: row.trust()?.is_judged(),
        }))
    }

    /// Copies that are out go on where no more are wanted.
    fn row(&self, paused: &Paused, now: Timestamp) -> JobRow {
        match (self.due, self.copies.overdue()) {
            (Due::Overdue, None) => JobRow::ended(self.id, Outcome::Overdue, None, 0),
            (Due::Overdue, Some(stand)) => JobRow::new(self.id, stand, 0),
            (Due::Wake, _) => {
                let wait = wait(paused.patience(self.run, self.max_wait_ms), 0, now);
                JobRow::new(self.id, self.copies.waiting(wait), 0)
            }
        }
    }

    fn ends(&self) -> bool {
        self.due == Due::Overdue && self.copies.overdue().is_none()
    }

    /// Nobody waits to hear that a delay is over, or that a job wants no more copies.
    fn news(self) -> Option<JobNews> {
        let change = Change::Ended(Ended::Overdue);
        self.ends().then_some(JobNews { id: self.id, run: self.run, path: self.path, change })
    }
}

/// May the next delayed job be another one after this batch?
fn may_delay(batch: &Batch, outcomes: &Outcomes) -> bool {
    let requeued = |settled: &Settled| {
        let change = settled.job.as_ref().map(|job| &job.change);
        matches!(change, Some(Change::Requeued | Change::CopyReturned))
    };
    batch.look || batch.enqueue.iter().any(|job| job.delay_ms > 0) || outcomes.completed.iter().any(requeued)
}
