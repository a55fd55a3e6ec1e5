//! Workflows, their files, and runs: rare writes, plain reads.

use sqlx::sqlite::SqliteRow;
use sqlx::{Connection, SqliteConnection, SqlitePool};
use weevil_model::{ContentHash, Encoded, RunId, RunState, Timestamp};
use weevil_queue::{RunEnd, RunRecord, SlotTotals, StoreError, StoredWorkflow};

use super::rows::{failed, get, hash, run_id, word, worker_id};

const RUN: &str = "select id, workflow, name, seed, state, created_at, finished_at, result, coalesce(view, '') as view from runs";

const TOTALS: &str = "
select a.worker, a.slot, count(*) as jobs, sum(a.compute_us) as compute_us, sum(a.flops) as flops,
       min(a.started_at) as first_claim, max(a.ended_at) as last_result
from jobs j join attempts a on a.job = j.id where j.run = ?1 and a.ending = 'completed'
group by a.worker, a.slot";

pub(super) async fn create(
    writer: &mut SqliteConnection,
    workflow: &StoredWorkflow,
    run: &RunRecord,
) -> Result<(), StoreError> {
    let mut tx = writer.begin_with("begin immediate").await.map_err(failed("beginning a run"))?;
    keep_workflow(&mut tx, workflow, run.created_at).await.map_err(failed("keeping a workflow"))?;
    sqlx::query(
        "insert into runs (id, workflow, name, seed, state, created_at) values (?1, ?2, ?3, ?4, ?5, ?6)",
    )
    .bind(run.id.number())
    .bind(run.workflow.as_bytes().as_slice())
    .bind(&run.name)
    .bind(run.seed.cast_signed())
    .bind(run.state.as_str())
    .bind(run.created_at.0)
    .execute(&mut *tx)
    .await
    .map_err(failed("creating a run"))?;
    tx.commit().await.map_err(failed("committing a run"))
}

async fn keep_workflow(
    tx: &mut SqliteConnection,
    workflow: &StoredWorkflow,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let hash = workflow.hash.as_bytes().as_slice();
    let new = sqlx::query(
        "insert into workflows (hash, name, created_at) values (?1, ?2, ?3) on conflict do nothing",
    )
    .bind(hash)
    .bind(&workflow.name)
    .bind(now.0)
    .execute(&mut *tx)
    .await?;
    if new.rows_affected() == 0 {
        return Ok(());
    }
    for (path, bytes) in &workflow.files {
        let blob = ContentHash::of(bytes);
        sqlx::query("insert into blobs (hash, bytes) values (?1, ?2) on conflict do nothing")
            .bind(blob.as_bytes().as_slice())
            .bind(bytes)
            .execute(&mut *tx)
            .await?;
        sqlx::query("insert into workflow_files (workflow, path, blob) values (?1, ?2, ?3)")
            .bind(hash)
            .bind(path)
            .bind(blob.as_bytes().as_slice())
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

fn record(row: &SqliteRow) -> Result<RunRecord, StoreError> {
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
        end,
    })
}

pub(super) async fn totals(readers: &SqlitePool, run: RunId) -> Result<Vec<SlotTotals>, StoreError> {
    let rows = sqlx::query(TOTALS).bind(run.number()).fetch_all(readers).await;
    rows.map_err(failed("adding up a run"))?.iter().map(slot_totals).collect()
}

fn slot_totals(row: &SqliteRow) -> Result<SlotTotals, StoreError> {
    Ok(SlotTotals {
        worker: worker_id(row, "worker")?,
        slot: get(row, "slot")?,
        jobs: get(row, "jobs")?,
        compute_us: get::<i64>(row, "compute_us")?.cast_unsigned(),
        flops: get(row, "flops")?,
        first_claim: Timestamp(get(row, "first_claim")?),
        last_result: Timestamp(get(row, "last_result")?),
    })
}

pub(super) async fn workflow(
    readers: &SqlitePool,
    hash: ContentHash,
) -> Result<Option<StoredWorkflow>, StoreError> {
    let key = hash.as_bytes().as_slice();
    let head =
        sqlx::query("select name from workflows where hash = ?1").bind(key).fetch_optional(readers).await;
    let Some(head) = head.map_err(failed("reading a workflow"))? else { return Ok(None) };
    let rows = sqlx::query(
        "select f.path, b.bytes from workflow_files f join blobs b on b.hash = f.blob where f.workflow = ?1 order by f.path",
    )
    .bind(key)
    .fetch_all(readers)
    .await;
    let files = rows
        .map_err(failed("reading a workflow's files"))?
        .iter()
        .map(|row| Ok((get(row, "path")?, get(row, "bytes")?)))
        .collect::<Result<_, StoreError>>()?;
    Ok(Some(StoredWorkflow { hash, name: get(&head, "name")?, files }))
}

pub(super) async fn blob(readers: &SqlitePool, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
    let row = sqlx::query("select bytes from blobs where hash = ?1")
        .bind(hash.as_bytes().as_slice())
        .fetch_optional(readers)
        .await;
    row.map_err(failed("reading a blob"))?.as_ref().map(|row| get(row, "bytes")).transpose()
}
