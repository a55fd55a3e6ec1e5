//! Workflows and their files: each content once, however many workflows hold it. Their names are `workflow_names.rs`'s.

use std::collections::BTreeSet;

use weevil_model::{ContentHash, ProjectId, Timestamp};
use weevil_records::{FinalNode, ListedFile, ListedWorkflow, StoreError, StoredWorkflow};

use super::usage::UsageChanges;
use super::{blobs, workflow_names};
use crate::{Arg, Columns, Fault, Sql, Tx, both};

/// Looked for first: an insert that gives way would hide other refusals on MySQL, and take a lock.
const KNOWN: Sql = Sql::of("keeping a workflow", "select checked_by from workflows where hash = ?");

/// By the primary key, where a newer checker has accepted it again.
const CHECKED: Sql = Sql::of("keeping a workflow", "update workflows set checked_by = ? where hash = ?");

/// Where another server was faster, MySQL refuses, and the next try finds it.
const KEEP: Sql = Sql::of(
    "keeping a workflow",
    "insert into workflows (hash, name, created_at, checked_by, final_node) values (?, ?, ?, ?, ?)",
);

/// Workflows are immutable: files come with their workflow, and only then. A blob goes in before the row that names
/// it, as the foreign key asks.
const KEEP_FILE: Sql = Sql::of(
    "keeping a workflow's files",
    "insert into workflow_files (workflow, path, `blob`) values (?, ?, ?)",
);

/// By the primary key.
const ONE: Sql =
    Sql::of("reading a workflow", "select name, checked_by, final_node from workflows where hash = ?");

/// MySQL keeps paths as bytes.
const FILES: Sql = both!(
    "reading a workflow's files",
    "
select {FILE} as path, b.bytes, f.`blob`, c.hash is not null as code
from workflow_files f join blobs b on b.hash = f.`blob` left join code_blobs c on c.hash = f.`blob` where f.workflow = ? order by f.path"
);

const SIZES: Sql = both!(
    "reading a workflow's files",
    "
select {FILE} as path, f.`blob`, {SIZE} as bytes
from workflow_files f join blobs b on b.hash = f.`blob` where f.workflow = ? order by f.path"
);

/// By the primary key. What is there stays. A document never changes, so a second server would write the same.
const KEEP_FINAL_NODE: Sql = Sql::of(
    "keeping a workflow's final node",
    "update workflows set final_node = ? where hash = ? and final_node is null",
);

/// What came with it is counted last.
pub(crate) async fn keep<T: Tx>(
    tx: &mut T,
    project: ProjectId,
    workflow: &StoredWorkflow,
    now: Timestamp,
) -> Result<(), Fault> {
    let mut usage = UsageChanges::default();
    usage.keep(project, put(tx, project, workflow, now).await?);
    usage.write(tx).await
}

/// Within the caller's transaction. So no workflow is there without its files, nor a run without its workflow. Answers how many
/// bytes of files the project did not have.
pub(crate) async fn put<T: Tx>(
    tx: &mut T,
    project: ProjectId,
    workflow: &StoredWorkflow,
    now: Timestamp,
) -> Result<u64, Fault> {
    let (key, name) = (workflow.hash.as_bytes().as_slice(), workflow.name.as_str());
    let (checker, final_node) = (workflow.checked_by, final_node_column(&workflow.final_node));
    if let Some(known) = tx.one(&KNOWN, &[key.into()]).await? {
        if known.small("checked_by")? < checker {
            tx.run(&CHECKED, &[checker.into(), key.into()]).await?;
        }
    } else {
        tx.run(&KEEP, &[key.into(), name.into(), now.into(), checker.into(), final_node]).await?;
        for (path, bytes) in &workflow.files {
            let blob = blobs::keep(tx, bytes).await?;
            let blob = blob.as_bytes().as_slice();
            tx.run(&KEEP_FILE, &[key.into(), Arg::Key(path), blob.into()]).await?;
        }
    }
    for code in &workflow.code {
        blobs::mark(tx, *code).await?;
    }
    workflow_names::keep(tx, project, (name, workflow.hash), now).await
}

pub(crate) async fn one<T: Tx>(tx: &mut T, hash: ContentHash) -> Result<Option<StoredWorkflow>, Fault> {
    let key = hash.as_bytes().as_slice();
    let Some(head) = tx.one(&ONE, &[key.into()]).await? else { return Ok(None) };
    let files = tx.found(&FILES, &[key.into()]).await?;
    let mut code = BTreeSet::new();
    for file in &files {
        if file.number("code")? != 0 {
            code.insert(file.hash("blob")?);
        }
    }
    let files = files.iter().map(file).collect::<Result<_, _>>()?;
    let (name, checked_by) = (head.text("name")?, head.small("checked_by")?);
    Ok(Some(StoredWorkflow { hash, name, files, code, checked_by, final_node: final_node_of(&head)? }))
}

pub(crate) async fn files<T: Tx>(tx: &mut T, hash: ContentHash) -> Result<Option<ListedWorkflow>, Fault> {
    let key = hash.as_bytes().as_slice();
    let Some(head) = tx.one(&ONE, &[key.into()]).await? else { return Ok(None) };
    let files = tx.found(&SIZES, &[key.into()]).await?;
    let files = files.iter().map(listed_file).collect::<Result<_, _>>()?;
    Ok(Some(ListedWorkflow { name: head.text("name")?, files, final_node: final_node_of(&head)? }))
}

pub(crate) async fn keep_final_node<T: Tx>(
    tx: &mut T,
    hash: ContentHash,
    node: &FinalNode,
) -> Result<(), Fault> {
    let key = hash.as_bytes().as_slice();
    tx.run(&KEEP_FINAL_NODE, &[final_node_column(node), key.into()]).await.map(drop)
}

/// No node has an empty id: that stands for a document that is refused.
fn final_node_column(node: &FinalNode) -> Arg<'_> {
    match node {
        FinalNode::Untold => Arg::Text(None),
        FinalNode::Refused => "".into(),
        FinalNode::Id(id) => id.as_str().into(),
    }
}

fn final_node_of<R: Columns>(row: &R) -> Result<FinalNode, StoreError> {
    Ok(match row.maybe_text("final_node")? {
        None => FinalNode::Untold,
        Some(none) if none.is_empty() => FinalNode::Refused,
        Some(id) => FinalNode::Id(id),
    })
}

fn listed_file<R: Columns>(row: &R) -> Result<ListedFile, StoreError> {
    Ok(ListedFile { path: row.text("path")?, hash: row.hash("blob")?, bytes: row.unsigned("bytes")? })
}

/// Path and bytes.
pub(crate) fn file<R: Columns>(row: &R) -> Result<(String, Vec<u8>), StoreError> {
    Ok((row.text("path")?, row.bytes("bytes")?))
}
