//! What workers did in a span of time, as bars in a picture. Looks only.

use weevil_model::{RunId, Timestamp, WorkerId};
use weevil_queue::AttemptEnd;
use weevil_records::{DoneAttempt, MAX_REACHING, StoreError};

use crate::{Columns, Fault, Sql, Tx, both};

const BAR: &str = "job, number, worker, slot, started_at, ended_at, ending, compute_us";

/// Twice along the index of workers' attempts: forwards through the span, and backwards from where it begins. A statement for each
/// worker: MySQL would pass all that a worker ever did where its span stands in another row.
const DONE: Sql = both!("reading what workers did", "
select {LEAD}t.*, j.run, j.path from (
    select * from (select {BAR} from attempts{OF_WORKERS} where worker = ? and started_at >= ? and started_at <= ? order by started_at limit ?) d
    union all
    select * from (select {BAR} from attempts{OF_WORKERS} where worker = ? and started_at < ? order by started_at desc limit {MAX_REACHING}) b
    where ended_at is null or ended_at >= ?
) t join jobs j on j.id = t.job");

pub(crate) async fn done<T: Tx>(
    tx: &mut T,
    workers: &[WorkerId],
    (from, to): (Timestamp, Timestamp),
    most: u32,
) -> Result<Vec<DoneAttempt>, Fault> {
    let mut all = Vec::new();
    let (mut began, most) = (0, most as usize);
    for worker in workers {
        let left = u32::try_from(most.saturating_sub(began)).unwrap_or(u32::MAX);
        if left == 0 {
            break;
        }
        let id = worker.number();
        let args = [id.into(), from.into(), to.into(), left.into(), id.into(), from.into(), from.into()];
        for row in &tx.found(&DONE, &args).await? {
            let attempt = attempt(row)?;
            began += usize::from(attempt.started_at >= from);
            all.push(attempt);
        }
    }
    Ok(all)
}

fn attempt<R: Columns>(row: &R) -> Result<DoneAttempt, StoreError> {
    Ok(DoneAttempt {
        job: row.job_id("job")?,
        number: row.small("number")?,
        run: row.maybe_id("run", RunId::from_number)?,
        path: row.text("path")?,
        worker: row.worker_id("worker")?,
        slot: row.maybe_small("slot")?,
        started_at: row.moment("started_at")?,
        ended_at: row.maybe_moment("ended_at")?,
        end: row.word("ending", AttemptEnd::parse)?,
        compute_us: row.unsigned("compute_us")?,
    })
}
