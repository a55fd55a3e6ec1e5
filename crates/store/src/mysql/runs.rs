//! Runs: rare writes, plain reads.

use sqlx::{MySqlConnection, MySqlPool};
use weevil_model::{Encoded, RunId};
use weevil_queue::{RunEnd, RunInput, RunRecord, SlotTotals, StoredWorkflow};

use super::retry::{Fault, failed};
use super::rows::all;
use super::workflows;
use super::writer::Writer;
use crate::shared::runs::{input, record, slot_totals};

const RUN: &str = "
select id, workflow, name, seed, state, created_at, paused_at, reuse, finished_at, result, `view` from runs";

const TOTALS: &str = "
select a.worker, a.slot, count(*) as jobs, cast(sum(a.compute_us) as signed) as compute_us, sum(a.flops) as flops,
       min(a.started_at) as first_claim, max(a.ended_at) as last_result
from jobs j join attempts a on a.job = j.id where j.run = ? and a.ending = 'completed'
group by a.worker, a.slot order by a.worker, a.slot";

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
    let rows = sqlx::query(TOTALS).bind(run.number()).fetch_all(readers).await;
    all(&rows.map_err(failed("adding up a run"))?, slot_totals)
}
