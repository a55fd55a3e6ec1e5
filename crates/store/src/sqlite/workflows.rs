//! Workflows, their names and their files: each content once, however many workflows hold it.

use sqlx::{Connection, SqliteConnection, SqlitePool};
use weevil_model::{ContentHash, Timestamp};
use weevil_records::{NamedWorkflow, StoreError, StoredWorkflow};

use super::rows::failed;
use crate::shared::columns::Columns;
use crate::shared::workflows::{file, named};

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
        let blob = keep_blob(tx, bytes).await?;
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

pub(super) async fn listed(readers: &SqlitePool, limit: u32) -> Result<Vec<NamedWorkflow>, StoreError> {
    let rows = sqlx::query(VERSIONS).bind(limit).fetch_all(readers).await;
    named(&rows.map_err(failed("listing workflows"))?)
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
    let files = rows.map_err(failed("reading a workflow's files"))?;
    let files = files.iter().map(file).collect::<Result<_, _>>()?;
    Ok(Some(StoredWorkflow { hash, name: head.text("name")?, files }))
}

/// Answers the hash of the code.
pub(super) async fn keep_code(writer: &mut SqliteConnection, code: &[u8]) -> Result<ContentHash, StoreError> {
    let kept = keep_blob(writer, code).await;
    kept.map_err(failed("keeping code"))
}

async fn keep_blob(tx: &mut SqliteConnection, bytes: &[u8]) -> Result<ContentHash, sqlx::Error> {
    let blob = ContentHash::of(bytes);
    sqlx::query("insert into blobs (hash, bytes) values (?1, ?2) on conflict do nothing")
        .bind(blob.as_bytes().as_slice())
        .bind(bytes)
        .execute(tx)
        .await?;
    Ok(blob)
}

pub(super) async fn blob(readers: &SqlitePool, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
    let row = sqlx::query("select bytes from blobs where hash = ?1")
        .bind(hash.as_bytes().as_slice())
        .fetch_optional(readers)
        .await;
    row.map_err(failed("reading a blob"))?.as_ref().map(|row| row.bytes("bytes")).transpose()
}
