//! Runs: rare writes, plain reads.

use sqlx::{MySqlConnection, MySqlPool};
use weevil_model::limits::MAX_SLOTS;
use weevil_model::{Encoded, RunId};
use weevil_queue::decide::effort::MAX_COMPUTE_US;
use weevil_records::{JobTimes, RunEnd, RunInput, RunRecord, SlotTotals, StoredWorkflow};

use super::retry::{Fault, failed};
use super::rows::all;
use super::workflows;
use super::writer::Writer;
use crate::shared::runs::{MAX_FLOPS_PER_US, input, job_times, record, slot_totals};

const RUN: &str = "
select id, workflow, name, seed, state, created_at, paused_at, reuse, finished_at, result, `view` from runs";

/// Rows of earlier releases hold what workers claimed: each is bounded by its own span, as new ones are.
const TOTALS: &str = "
select worker, slot, count(*) as jobs, cast(least(sum(least(compute_us, most_us)), 9e18) as signed) as compute_us,
       sum(least(greatest(flops, 0e0), most_us * ?)) as flops, min(started_at) as first_claim,
       max(ended_at) as last_result
from (select a.worker, least(a.slot, ? - 1) as slot, a.compute_us, a.flops, a.started_at, a.ended_at,
             least((greatest(a.ended_at - a.started_at, 0) + 1) * 1000, ?) as most_us
      from jobs j join attempts a on a.job = j.id where j.run = ? and a.ending = 'completed') as seen
group by worker, slot order by worker, slot";

/// Jobs whose times have the same number of digits and begin with the same three.
const TIMES: &str = "
select char_length(us) as digits, cast(left(us, 3) as signed) as head, count(*) as jobs
from (select least(a.compute_us, (greatest(a.ended_at - a.started_at, 0) + 1) * 1000, ?) as us
      from jobs j join attempts a on a.job = j.id where j.run = ? and a.ending = 'completed') as seen
group by digits, head";

pub(super) async fn create(
    writer: &mut Writer,
    workflow: &StoredWorkflow,
    run: &RunRecord,
    inputs: &[RunInput],
) -> Result<(), Fault> {
    let mut writing = writer.begin("beginning a run").await?;
    let tx = &mut *writing.tx;
    workflows::keep(tx, workflow, run.created_at).await?;
    sqlx::query(
        "insert into runs (id, workflow, name, seed, state, created_at, reuse) values (?, ?, ?, ?, ?, ?, ?)",
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
    keep_inputs(tx, run.id, inputs).await.map_err(failed("keeping a run's inputs"))?;
    writing.commit("committing a run", run.created_at).await
}

async fn keep_inputs(tx: &mut MySqlConnection, run: RunId, inputs: &[RunInput]) -> Result<(), sqlx::Error> {
    for (node, value) in inputs {
        sqlx::query("insert into run_inputs (run, node, value) values (?, ?, ?)")
            .bind(run.number())
            .bind(node.as_bytes())
            .bind(value.as_bytes())
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

pub(super) async fn end(writer: &mut Writer, run: RunId, end: &RunEnd) -> Result<(), Fault> {
    let mut writing = writer.begin("beginning the end of a run").await?;
    sqlx::query("update runs set state = ?, finished_at = ?, result = ?, `view` = ? where id = ?")
        .bind(end.state.as_str())
        .bind(end.at.0)
        .bind(end.result.as_ref().map(Encoded::as_bytes))
        .bind(&end.view)
        .bind(run.number())
        .execute(&mut *writing.tx)
        .await
        .map_err(failed("ending a run"))?;
    writing.commit("committing the end of a run", end.at).await
}

pub(super) async fn one(readers: &MySqlPool, run: RunId) -> Result<Option<RunRecord>, Fault> {
    let row = sqlx::query(sqlx::AssertSqlSafe(format!("{RUN} where id = ?")))
        .bind(run.number())
        .fetch_optional(readers)
        .await;
    Ok(row.map_err(failed("reading a run"))?.as_ref().map(record).transpose()?)
}

pub(super) async fn newest(readers: &MySqlPool, limit: u32) -> Result<Vec<RunRecord>, Fault> {
    let rows = sqlx::query(sqlx::AssertSqlSafe(format!("{RUN} order by id desc limit ?")))
        .bind(limit)
        .fetch_all(readers)
        .await;
    all(&rows.map_err(failed("listing runs"))?, record)
}

pub(super) async fn open(readers: &MySqlPool) -> Result<Vec<RunRecord>, Fault> {
    let rows = sqlx::query(sqlx::AssertSqlSafe(format!("{RUN} where finished_at is null order by id")))
        .fetch_all(readers)
        .await;
    all(&rows.map_err(failed("listing open runs"))?, record)
}

pub(super) async fn inputs(readers: &MySqlPool, run: RunId) -> Result<Vec<RunInput>, Fault> {
    let rows = sqlx::query("select convert(node using utf8mb4) as node, value from run_inputs where run = ? order by run_inputs.node")
        .bind(run.number())
        .fetch_all(readers)
        .await;
    all(&rows.map_err(failed("reading a run's inputs"))?, input)
}

pub(super) async fn totals(readers: &MySqlPool, run: RunId) -> Result<Vec<SlotTotals>, Fault> {
    let rows = sqlx::query(TOTALS)
        .bind(MAX_FLOPS_PER_US)
        .bind(MAX_SLOTS)
        .bind(MAX_COMPUTE_US.cast_signed())
        .bind(run.number())
        .fetch_all(readers)
        .await;
    all(&rows.map_err(failed("adding up a run"))?, slot_totals)
}

pub(super) async fn times(readers: &MySqlPool, run: RunId) -> Result<Vec<JobTimes>, Fault> {
    let rows =
        sqlx::query(TIMES).bind(MAX_COMPUTE_US.cast_signed()).bind(run.number()).fetch_all(readers).await;
    all(&rows.map_err(failed("counting the times of a run"))?, job_times)
}
