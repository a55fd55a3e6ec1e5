//! Workflows, their names and their files: each content once, however many workflows hold it.

use sqlx::{MySqlConnection, MySqlPool};
use weevil_model::{ContentHash, Timestamp};
use weevil_records::{NamedWorkflow, StoredWorkflow};

use super::retry::{Fault, failed, overtaken};
use super::rows::all;
use super::writer::Writer;
use crate::shared::columns::Columns;
use crate::shared::workflows::{file, named};

const VERSIONS: &str = "
select n.name, n.workflow, n.created_at, count(f.path) as files, cast(coalesce(sum(b.size), 0) as signed) as bytes
from (select * from workflow_names order by created_at desc, name, workflow limit ?) n
left join workflow_files f on f.workflow = n.workflow left join blobs b on b.hash = f.`blob`
group by n.name, n.workflow, n.created_at order by n.created_at desc, n.name, n.workflow";

pub(super) async fn keep_alone(
    writer: &mut Writer,
    workflow: &StoredWorkflow,
    now: Timestamp,
) -> Result<(), Fault> {
    let mut writing = writer.begin("beginning a workflow").await?;
    keep(&mut writing.tx, workflow, now).await?;
    writing.commit("committing a workflow", now).await
}

/// Within the caller's transaction.
pub(super) async fn keep(
    tx: &mut MySqlConnection,
    workflow: &StoredWorkflow,
    now: Timestamp,
) -> Result<(), Fault> {
    if keep_content(tx, workflow, now).await.map_err(overtaken("keeping a workflow"))? {
        keep_files(tx, workflow).await.map_err(overtaken("keeping a workflow's files"))?;
    }
    keep_name(tx, workflow, now).await.map_err(overtaken("keeping a workflow's name"))
}

/// Answers whether the content is new.
async fn keep_content(
    tx: &mut MySqlConnection,
    workflow: &StoredWorkflow,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let key = workflow.hash.as_bytes().as_slice();
    if is_there(tx, "select 1 from workflows where hash = ?", &[key]).await? {
        return Ok(false);
    }
    sqlx::query("insert into workflows (hash, name, created_at) values (?, ?, ?)")
        .bind(key)
        .bind(&workflow.name)
        .bind(now.0)
        .execute(tx)
        .await
        .map(|_| true)
}

async fn keep_files(tx: &mut MySqlConnection, workflow: &StoredWorkflow) -> Result<(), sqlx::Error> {
    for (path, bytes) in &workflow.files {
        let blob = keep_blob(tx, bytes).await?;
        sqlx::query("insert into workflow_files (workflow, path, `blob`) values (?, ?, ?)")
            .bind(workflow.hash.as_bytes().as_slice())
            .bind(path.as_bytes())
            .bind(blob.as_bytes().as_slice())
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

async fn keep_name(
    tx: &mut MySqlConnection,
    workflow: &StoredWorkflow,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let (name, key) = (ContentHash::of(workflow.name.as_bytes()), workflow.hash.as_bytes().as_slice());
    let name = name.as_bytes().as_slice();
    let known = "select 1 from workflow_names where identity = ? and workflow = ?";
    if is_there(tx, known, &[name, key]).await? {
        return Ok(());
    }
    sqlx::query("insert into workflow_names (name, identity, workflow, created_at) values (?, ?, ?, ?)")
        .bind(&workflow.name)
        .bind(name)
        .bind(key)
        .bind(now.0)
        .execute(tx)
        .await
        .map(drop)
}

async fn is_there(
    tx: &mut MySqlConnection,
    query: &'static str,
    keys: &[&[u8]],
) -> Result<bool, sqlx::Error> {
    let query = keys.iter().fold(sqlx::query(query), |query, key| query.bind(*key));
    query.fetch_optional(tx).await.map(|row| row.is_some())
}

pub(super) async fn listed(readers: &MySqlPool, limit: u32) -> Result<Vec<NamedWorkflow>, Fault> {
    let rows = sqlx::query(VERSIONS).bind(limit).fetch_all(readers).await;
    Ok(named(&rows.map_err(failed("listing workflows"))?)?)
}

pub(super) async fn one(readers: &MySqlPool, hash: ContentHash) -> Result<Option<StoredWorkflow>, Fault> {
    let key = hash.as_bytes().as_slice();
    let head =
        sqlx::query("select name from workflows where hash = ?").bind(key).fetch_optional(readers).await;
    let Some(head) = head.map_err(failed("reading a workflow"))? else { return Ok(None) };
    let rows = sqlx::query(
        "select convert(f.path using utf8mb4) as path, b.bytes from workflow_files f join blobs b on b.hash = f.`blob` where f.workflow = ? order by f.path",
    )
    .bind(key)
    .fetch_all(readers)
    .await;
    let files = all(&rows.map_err(failed("reading a workflow's files"))?, file)?;
    Ok(Some(StoredWorkflow { hash, name: head.text("name")?, files }))
}

/// Answers the hash of the code.
pub(super) async fn keep_code(
    writer: &mut Writer,
    code: &[u8],
    now: Timestamp,
) -> Result<ContentHash, Fault> {
    let mut writing = writer.begin("beginning to keep code").await?;
    let kept = keep_blob(&mut writing.tx, code).await.map_err(failed("keeping code"))?;
    writing.commit("committing code", now).await?;
    Ok(kept)
}

async fn keep_blob(tx: &mut MySqlConnection, bytes: &[u8]) -> Result<ContentHash, sqlx::Error> {
    let blob = ContentHash::of(bytes);
    let key = blob.as_bytes().as_slice();
    if !is_there(tx, "select 1 from blobs where hash = ?", &[key]).await? {
        let insert = sqlx::query("insert into blobs (hash, bytes) values (?, ?)");
        insert.bind(key).bind(bytes).execute(tx).await?;
    }
    Ok(blob)
}

pub(super) async fn blob(readers: &MySqlPool, hash: ContentHash) -> Result<Option<Vec<u8>>, Fault> {
    let row = sqlx::query("select bytes from blobs where hash = ?")
        .bind(hash.as_bytes().as_slice())
        .fetch_optional(readers)
        .await;
    Ok(row.map_err(failed("reading a blob"))?.as_ref().map(|row| row.bytes("bytes")).transpose()?)
}
