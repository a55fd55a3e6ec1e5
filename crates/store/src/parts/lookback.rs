//! Where a run comes from, what went wrong in it, and what a job needs to be computed again. Looks only.

use weevil_model::{ContentHash, DataType, JobId, Reuse, RunId, WorkerId};
use weevil_records::{
    JobCode, JobRecord, JobTrace, MAX_GIVEN_SHOWN, MAX_TOLD_CHARS, MAX_TROUBLED_SEEN, RunOrigin, StoreError,
};

use super::facts::each;
use super::history::{SEEN, job};
use crate::{Arg, Columns, Fault, Sql, Tx, both};

/// By the index of jobs that went wrong, which SQLite takes for this very condition alone. Ids grow, so that their order is that of
/// age.
const TROUBLED: Sql = both!(
    "listing jobs that went wrong",
    "
select {SEEN} from jobs{TROUBLED_JOBS} where {TROUBLED_OF_RUN} and id > ? order by id limit ?"
);

/// By the same index, then by the attempts' primary key.
const TROUBLED_WORKERS: Sql = both!(
    "looking for who had jobs that went wrong",
    "
select {LEAD}distinct a.worker
from (select id from jobs{TROUBLED_JOBS} where {TROUBLED_OF_RUN} order by id limit {MAX_TROUBLED_SEEN}) t
    join attempts a on a.job = t.id"
);

/// Backwards along the attempts' primary key, of which a job has few.
const TRACES: Sql = both!("reading what attempts say", [job int], "
select s.job, (select a.worker from attempts a where a.job = s.job order by a.number desc limit 1) as worker,
    (select coalesce(substr(a.error_message, 1, {MAX_TOLD_CHARS}), a.ending) from attempts a
     where a.job = s.job and a.ending in ('error', 'expired') order by a.number desc limit 1) as error
from {ROWS}");

/// By the primary keys.
const CODE: Sql = Sql::of(
    "reading what a job computes",
    "
select j.source, j.seed, j.`returns`, j.timeout_ms, coalesce(r.workflow, k.workflow) as workflow,
    (select a.started_at from attempts a where a.job = j.id order by a.number limit 1) as first_handed_out
from jobs j left join runs r on r.id = j.run left join kernel_sets k on k.id = j.kernels where j.id = ?",
);

/// By the primary key.
const ORIGIN: Sql =
    Sql::of("reading where a run comes from", "select seed, reuse, created_by from runs where id = ?");

/// Along the primary key. MySQL orders by the bytes that it keeps, not by the text that it answers.
const GIVEN: Sql = Sql {
    doing: "reading what a run was given",
    sqlite: "select node, length(value) as bytes from run_inputs where run = ? order by node limit ?",
    mysql: "
select convert(node using utf8mb4) as node, length(value) as bytes from run_inputs where run = ? order by run_inputs.node limit ?",
};

/// What an unknown release has kept of reuse is told as the usual.
pub(crate) async fn origin<T: Tx>(tx: &mut T, run: RunId) -> Result<Option<RunOrigin>, Fault> {
    let Some(row) = tx.one(&ORIGIN, &[run.number().into()]).await? else { return Ok(None) };
    let given = tx.found(&GIVEN, &[run.number().into(), MAX_GIVEN_SHOWN.into()]).await?;
    let given = given.iter().map(|row| Ok((row.text("node")?, row.unsigned("bytes")?)));
    Ok(Some(RunOrigin {
        seed: row.unsigned("seed")?,
        reuse: Reuse::parse(&row.text("reuse")?).unwrap_or_default(),
        created_by: row.maybe_text("created_by")?,
        given: given.collect::<Result<_, StoreError>>()?,
    }))
}

pub(crate) async fn troubled<T: Tx>(
    tx: &mut T,
    run: RunId,
    after: Option<JobId>,
    most: u32,
) -> Result<Vec<JobRecord>, Fault> {
    let after = after.map_or(-1, JobId::number);
    let rows = tx.found(&TROUBLED, &[run.number().into(), after.into(), most.into()]).await?;
    Ok(rows.iter().map(job).collect::<Result<_, _>>()?)
}

pub(crate) async fn troubled_workers<T: Tx>(tx: &mut T, run: RunId) -> Result<Vec<WorkerId>, Fault> {
    let rows = tx.found(&TROUBLED_WORKERS, &[run.number().into()]).await?;
    Ok(rows.iter().map(|row| row.worker_id("worker")).collect::<Result<_, _>>()?)
}

pub(crate) async fn traces<T: Tx>(tx: &mut T, jobs: &[JobId]) -> Result<Vec<JobTrace>, Fault> {
    let rows = tx.rows(&TRACES, &each(jobs)).await?;
    Ok(rows.iter().filter_map(|row| trace(row).transpose()).collect::<Result<_, _>>()?)
}

fn trace<R: Columns>(row: &R) -> Result<Option<JobTrace>, StoreError> {
    let Some(worker) = row.maybe_id("worker", WorkerId::from_number)? else { return Ok(None) };
    Ok(Some(JobTrace { job: row.job_id("job")?, worker, error: row.maybe_text("error")? }))
}

pub(crate) async fn code<T: Tx>(tx: &mut T, id: JobId) -> Result<Option<JobCode>, Fault> {
    let row = tx.one(&CODE, &[Arg::from(id.number())]).await?;
    Ok(row.as_ref().map(job_code).transpose()?)
}

fn job_code<R: Columns>(row: &R) -> Result<JobCode, StoreError> {
    let workflow: Option<ContentHash> = row.maybe_hash("workflow")?;
    Ok(JobCode {
        source: row.text("source")?,
        seed: row.unsigned("seed")?,
        returns: row.word("returns", DataType::parse)?,
        timeout_ms: row.small("timeout_ms")?,
        workflow,
        first_handed_out: row.maybe_moment("first_handed_out")?,
    })
}
