//! Runs: rare writes, plain reads.

use sqlx::{Connection, SqliteConnection, SqlitePool};
use weevil_model::limits::MAX_SLOTS;
use weevil_model::{Encoded, RunId};
use weevil_queue::decide::effort::MAX_COMPUTE_US;
use weevil_records::{JobTimes, RunEnd, RunInput, RunRecord, SlotTotals, StoreError, StoredWorkflow};

use super::rows::failed;
use super::workflows;
use crate::shared::runs::{MAX_FLOPS_PER_US, input, job_times, record, slot_totals};

const RUN: &str = "select id, workflow, name, seed, state, created_at, paused_at, reuse, finished_at, result, view from runs";

/// Rows of earlier releases hold what workers claimed: each is bounded by its own span, as new ones are. `total` adds
/// floats, which cannot overflow.
const TOTALS: &str = "
select worker, slot, count(*) as jobs, cast(min(total(min(compute_us, most_us)), 9e18) as integer) as compute_us,
       total(min(max(flops, 0.0), most_us * ?4)) as flops, min(started_at) as first_claim,
       max(ended_at) as last_result
from (select a.worker, min(a.slot, ?2 - 1) as slot, a.compute_us, a.flops, a.started_at, a.ended_at,
             min((max(a.ended_at - a.started_at, 0) + 1) * 1000, ?3) as most_us
      from jobs j join attempts a on a.job = j.id where j.run = ?1 and a.ending = 'completed')
group by worker, slot";

/// Jobs whose times have the same number of digits and begin with the same three.
const TIMES: &str = "
select length(us) as digits, cast(substr(us, 1, 3) as integer) as head, count(*) as jobs
from (select min(a.compute_us, (max(a.ended_at - a.started_at, 0) + 1) * 1000, ?2) as us
      from jobs j join attempts a on a.job = j.id where j.run = ?1 and a.ending = 'completed')
group by digits, head";

pub(super) async fn create(
    writer: &mut SqliteConnection,
    workflow: &StoredWorkflow,
    run: &RunRecord,
    inputs: &[RunInput],
) -> Result<(), StoreError> {
    let mut tx = writer.begin_with("begin immediate").await.map_err(failed("beginning a run"))?;
    workflows::keep(&mut tx, workflow, run.created_at).await?;
    sqlx::query(
        "insert into runs (id, workflow, name, seed, state, created_at, reuse)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )
    .bind(run.id.number())
    .bind(run.workflow.as_bytes().as_slice())
    .bind(&run.name)
    .bind(run.seed.cast_signed())
    .bind(run.state.as_str())
    .bind(run.created_at.0)
    .bind(run.reuse.as_str())
    .execute(&mut *tx)
    .await
    .map_err(failed("creating a run"))?;
    keep_inputs(&mut tx, run.id, inputs).await.map_err(failed("keeping a run's inputs"))?;
    tx.commit().await.map_err(failed("committing a run"))
}

async fn keep_inputs(tx: &mut SqliteConnection, run: RunId, inputs: &[RunInput]) -> Result<(), sqlx::Error> {
    for (node, value) in inputs {
        sqlx::query("insert into run_inputs (run, node, value) values (?1, ?2, ?3)")
            .bind(run.number())
            .bind(node)
            .bind(value.as_bytes())
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

pub(super) async fn end(writer: &mut SqliteConnection, run: RunId, end: &RunEnd) -> Result<(), StoreError> {
    sqlx::query("update runs set state = ?2, finished_at = ?3, result = ?4, view = ?5 where id = ?1")
        .bind(run.number())
        .bind(end.state.as_str())
        .bind(end.at.0)
        .bind(end.result.as_ref().map(Encoded::as_bytes))
        .bind(&end.view)
        .execute(writer)
        .await
        .map(drop)
        .map_err(failed("ending a run"))
}

pub(super) async fn one(readers: &SqlitePool, run: RunId) -> Result<Option<RunRecord>, StoreError> {
    let row = sqlx::query(sqlx::AssertSqlSafe(format!("{RUN} where id = ?1")))
        .bind(run.number())
        .fetch_optional(readers)
        .await;
    row.map_err(failed("reading a run"))?.as_ref().map(record).transpose()
}

pub(super) async fn newest(readers: &SqlitePool, limit: u32) -> Result<Vec<RunRecord>, StoreError> {
    let rows = sqlx::query(sqlx::AssertSqlSafe(format!("{RUN} order by id desc limit ?1")))
        .bind(limit)
        .fetch_all(readers)
        .await;
    rows.map_err(failed("listing runs"))?.iter().map(record).collect()
}

pub(super) async fn open(readers: &SqlitePool) -> Result<Vec<RunRecord>, StoreError> {
    let rows = sqlx::query(sqlx::AssertSqlSafe(format!("{RUN} where finished_at is null order by id")))
        .fetch_all(readers)
        .await;
    rows.map_err(failed("listing open runs"))?.iter().map(record).collect()
}

pub(super) async fn inputs(readers: &SqlitePool, run: RunId) -> Result<Vec<RunInput>, StoreError> {
    let rows = sqlx::query("select node, value from run_inputs where run = ?1 order by node")
        .bind(run.number())
        .fetch_all(readers)
        .await;
    rows.map_err(failed("reading a run's inputs"))?.iter().map(input).collect()
}

pub(super) async fn totals(readers: &SqlitePool, run: RunId) -> Result<Vec<SlotTotals>, StoreError> {
    let rows = sqlx::query(TOTALS)
        .bind(run.number())
        .bind(MAX_SLOTS)
        .bind(MAX_COMPUTE_US.cast_signed())
        .bind(MAX_FLOPS_PER_US)
        .fetch_all(readers)
        .await;
    rows.map_err(failed("adding up a run"))?.iter().map(slot_totals).collect()
}

pub(super) async fn times(readers: &SqlitePool, run: RunId) -> Result<Vec<JobTimes>, StoreError> {
    let rows =
        sqlx::query(TIMES).bind(run.number()).bind(MAX_COMPUTE_US.cast_signed()).fetch_all(readers).await;
    rows.map_err(failed("counting the times of a run"))?.iter().map(job_times).collect()
}
