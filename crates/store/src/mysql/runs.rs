//! Runs: rare writes, plain reads.

use sqlx::mysql::MySqlRow;
use sqlx::{MySqlConnection, MySqlPool};
use weevil_model::{Encoded, RunId, RunState, Timestamp};
use weevil_queue::{Reuse, RunEnd, RunInput, RunRecord, SlotTotals, StoredWorkflow};

use super::retry::{Fault, failed};
use super::rows::{count, get, hash, run_id, worker_id};
use super::workflows;
use super::writer::Writer;
use crate::shared::json::word;

const RUN: &str = "
select id, workflow, name, seed, state, created_at, reuse, finished_at, result, coalesce(`view`, '') as `view` from runs";

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
    row.map_err(failed("reading a run"))?.as_ref().map(record).transpose()
}

pub(super) async fn newest(readers: &MySqlPool, limit: u32) -> Result<Vec<RunRecord>, Fault> {
    let rows = sqlx::query(sqlx::AssertSqlSafe(format!("{RUN} order by id desc limit ?")))
        .bind(limit)
        .fetch_all(readers)
        .await;
    rows.map_err(failed("listing runs"))?.iter().map(record).collect()
}

pub(super) async fn open(readers: &MySqlPool) -> Result<Vec<RunRecord>, Fault> {
    let rows = sqlx::query(sqlx::AssertSqlSafe(format!("{RUN} where finished_at is null order by id")))
        .fetch_all(readers)
        .await;
    rows.map_err(failed("listing open runs"))?.iter().map(record).collect()
}

fn record(row: &MySqlRow) -> Result<RunRecord, Fault> {
    let state = word(get(row, "state")?, RunState::parse)?;
    let finished_at: Option<i64> = get(row, "finished_at")?;
    let result: Option<Vec<u8>> = get(row, "result")?;
    let view = get(row, "view")?;
    let end =
        finished_at.map(|at| RunEnd { state, at: Timestamp(at), result: result.map(Encoded::trusted), view });
    Ok(RunRecord {
        id: run_id(row, "id")?,
        name: get(row, "name")?,
        workflow: hash(row, "workflow")?,
        seed: get::<i64>(row, "seed")?.cast_unsigned(),
        state,
        created_at: Timestamp(get(row, "created_at")?),
        reuse: word(get(row, "reuse")?, Reuse::parse)?,
        end,
    })
}

pub(super) async fn inputs(readers: &MySqlPool, run: RunId) -> Result<Vec<RunInput>, Fault> {
    let rows = sqlx::query("select convert(node using utf8mb4) as node, value from run_inputs where run = ? order by run_inputs.node")
        .bind(run.number())
        .fetch_all(readers)
        .await;
    let input = |row: &MySqlRow| Ok((get(row, "node")?, Encoded::trusted(get(row, "value")?)));
    rows.map_err(failed("reading a run's inputs"))?.iter().map(input).collect()
}

pub(super) async fn totals(readers: &MySqlPool, run: RunId) -> Result<Vec<SlotTotals>, Fault> {
    let rows = sqlx::query(TOTALS).bind(run.number()).fetch_all(readers).await;
    rows.map_err(failed("adding up a run"))?.iter().map(slot_totals).collect()
}

fn slot_totals(row: &MySqlRow) -> Result<SlotTotals, Fault> {
    Ok(SlotTotals {
        worker: worker_id(row, "worker")?,
        slot: get(row, "slot")?,
        jobs: count(row, "jobs")?,
        compute_us: get::<i64>(row, "compute_us")?.cast_unsigned(),
        flops: get(row, "flops")?,
        first_claim: Timestamp(get(row, "first_claim")?),
        last_result: Timestamp(get(row, "last_result")?),
    })
}
