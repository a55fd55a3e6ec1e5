//! What the jobs of a run have logged, in the order in which their attempts ended. Looks only.

use weevil_model::{RunId, WorkerId};
use weevil_queue::AttemptEnd;
use weevil_records::{LogMark, LogStretch, LoggedAttempt, StoreError};

use crate::{Columns, Fault, Sql, Tx, both};

/// Along the index of attempts that have logged something. Their texts are not read: another run's may be between.
const MARKS: Sql = both!(
    "looking for logs",
    "
select {LEAD}t.job, t.number, t.ended_at, case when j.run = ? then 1 else 0 end as own
from (select job, number, ended_at from attempts{LOGGED}
      where {LOGGED_AT} >= ? and {LOGGED_AT} <= ? and ({LOGGED_AT} > ? or job > ? or (job = ? and number > ?))
      order by {LOGGED_BY}, job, number limit ?) t
    join jobs j on j.id = t.job
order by t.ended_at, t.job, t.number"
);

/// By the primary keys.
const LOGS: Sql = both!("reading logs", [job int, number int], "
select {LEAD}a.job, a.number, a.ended_at, a.worker, a.ending, a.log, j.path
from {ROWS} join attempts a on a.job = s.job and a.number = s.number join jobs j on j.id = a.job");

pub(crate) async fn marks<T: Tx>(
    tx: &mut T,
    run: RunId,
    stretch: &LogStretch,
    most: u32,
) -> Result<Vec<(LogMark, bool)>, Fault> {
    let after = stretch.after;
    let from = after.map_or(stretch.from, |mark| mark.ended_at.max(stretch.from));
    let (at, job, number) =
        after.map_or((-1, -1, 0), |mark| (mark.ended_at.0, mark.job.number(), mark.number));
    let args = [
        run.number().into(),
        from.into(),
        stretch.until.into(),
        at.into(),
        job.into(),
        job.into(),
        number.into(),
        most.into(),
    ];
    let rows = tx.found(&MARKS, &args).await?;
    Ok(rows.iter().map(marked).collect::<Result<_, _>>()?)
}

fn marked<R: Columns>(row: &R) -> Result<(LogMark, bool), StoreError> {
    Ok((mark(row)?, row.number("own")? != 0))
}

pub(crate) async fn logs<T: Tx>(tx: &mut T, attempts: &[LogMark]) -> Result<Vec<LoggedAttempt>, Fault> {
    let keys: Vec<(i64, u32)> = attempts.iter().map(|mark| (mark.job.number(), mark.number)).collect();
    let rows = tx.rows(&LOGS, &keys).await?;
    Ok(rows.iter().map(logged).collect::<Result<_, _>>()?)
}

fn mark<R: Columns>(row: &R) -> Result<LogMark, StoreError> {
    Ok(LogMark { ended_at: row.moment("ended_at")?, job: row.job_id("job")?, number: row.small("number")? })
}

fn logged<R: Columns>(row: &R) -> Result<LoggedAttempt, StoreError> {
    Ok(LoggedAttempt {
        mark: mark(row)?,
        path: row.text("path")?,
        worker: row.id("worker", WorkerId::from_number)?,
        end: row.word("ending", AttemptEnd::parse)?,
        log: row.text("log")?,
    })
}
