//! Workflows, their names and their files: each content once, however many workflows hold it.

use sqlx::sqlite::SqliteRow;
use sqlx::{Connection, SqliteConnection, SqlitePool};
use weevil_model::{ContentHash, Timestamp};
use weevil_queue::{NamedWorkflow, StoreError, StoredWorkflow, WorkflowVersion};

use super::rows::{failed, get, hash};

const VERSIONS: &str = "
select n.name, n.workflow, n.created_at, count(f.path) as files, coalesce(sum(length(b.bytes)), 0) as bytes
from (select * from workflow_names order by created_at desc, name, workflow limit ?1) n
left join workflow_files f on f.workflow = n.workflow left join blobs b on b.hash = f.blob
group by n.name, n.workflow order by n.created_at desc, n.name, n.workflow";

pub(super) async fn keep_alone(
    writer: &mut SqliteConnection,
    workflow: &StoredWorkflow,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut tx = writer.begin_with("begin immediate").await.map_err(failed("beginning a workflow"))?;
    keep(&mut tx, workflow, now).await?;
    tx.commit().await.map_err(failed("committing a workflow"))
}

/// Within the caller's transaction.
pub(super) async fn keep(
    tx: &mut SqliteConnection,
    workflow: &StoredWorkflow,
    now: Timestamp,
) -> Result<(), StoreError> {
    if keep_content(tx, workflow, now).await.map_err(failed("keeping a workflow"))? {
        keep_files(tx, workflow).await.map_err(failed("keeping a workflow's files"))?;
    }
    keep_name(tx, workflow, now).await.map_err(failed("keeping a workflow's name"))
}

/// Answers whether the content is new.
async fn keep_content(
    tx: &mut SqliteConnection,
    workflow: &StoredWorkflow,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    sqlx::query("insert into workflows (hash, name, created_at) values (?1, ?2, ?3) on conflict do nothing")
        .bind(workflow.hash.as_bytes().as_slice())
        .bind(&workflow.name)
        .bind(now.0)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() > 0)
}

async fn keep_files(tx: &mut SqliteConnection, workflow: &StoredWorkflow) -> Result<(), sqlx::Error> {
    for (path, bytes) in &workflow.files {
        let blob = ContentHash::of(bytes);
        sqlx::query("insert into blobs (hash, bytes) values (?1, ?2) on conflict do nothing")
            .bind(blob.as_bytes().as_slice())
            .bind(bytes)
            .execute(&mut *tx)
            .await?;
        sqlx::query("insert into workflow_files (workflow, path, blob) values (?1, ?2, ?3)")
            .bind(workflow.hash.as_bytes().as_slice())
            .bind(path)
            .bind(blob.as_bytes().as_slice())
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

async fn keep_name(
    tx: &mut SqliteConnection,
    workflow: &StoredWorkflow,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into workflow_names (name, workflow, created_at) values (?1, ?2, ?3) on conflict do nothing",
    )
    .bind(&workflow.name)
    .bind(workflow.hash.as_bytes().as_slice())
    .bind(now.0)
    .execute(tx)
    .await
    .map(drop)
}

pub(super) async fn named(readers: &SqlitePool, limit: u32) -> Result<Vec<NamedWorkflow>, StoreError> {
    let rows = sqlx::query(VERSIONS).bind(limit).fetch_all(readers).await;
    let mut named: Vec<NamedWorkflow> = Vec::new();
    for row in rows.map_err(failed("listing workflows"))? {
        let (name, version) = (get(&row, "name")?, version(&row)?);
        match named.iter_mut().find(|known| known.name == name) {
            Some(known) => known.versions.push(version),
            None => named.push(NamedWorkflow { name, versions: vec![version] }),
        }
    }
    Ok(named)
}

fn version(row: &SqliteRow) -> Result<WorkflowVersion, StoreError> {
    Ok(WorkflowVersion {
        hash: hash(row, "workflow")?,
        created_at: Timestamp(get(row, "created_at")?),
        files: get(row, "files")?,
        bytes: get::<i64>(row, "bytes")?.cast_unsigned(),
    })
}

pub(super) async fn one(
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
