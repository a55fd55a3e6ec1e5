//! Which files a project has: those of its workflows, and code that it has put in itself (ADR 0051). Answers how many bytes came
//! and went.
//!
//! Never touches the bytes, which stay whoever names them: see `blobs.rs`.

use weevil_model::{ContentHash, ProjectId};

use crate::{Columns, Fault, Sql, Tx, both};

/// Those of a workflow that the project does not have yet.
const MISSING: Sql = both!(
    "keeping a project's files",
    "
select distinct f.`blob`, {SIZE} as bytes from workflow_files f join blobs b on b.hash = f.`blob`
left join project_blobs p on p.`blob` = f.`blob` and p.project = ? where f.workflow = ? and p.project is null"
);

const KEEP: Sql =
    Sql::of("keeping a project's files", "insert into project_blobs (`blob`, project, own) values (?, ?, ?)");

const HAS: Sql = Sql::of("keeping code", "select own from project_blobs where `blob` = ? and project = ?");

const OWN: Sql = Sql::of("keeping code", "update project_blobs set own = 1 where `blob` = ? and project = ?");

/// Those of a workflow that no other workflow of the project has, and that it has not put in itself. By the indexes of files by
/// their blob and of names by their workflow.
const LEFT: Sql = both!(
    "removing a workflow's files",
    "
select distinct f.`blob`, {SIZE} as bytes from workflow_files f join blobs b on b.hash = f.`blob`
join project_blobs p on p.`blob` = f.`blob` and p.project = ?
where f.workflow = ? and p.own = 0 and not exists (
    select 1 from workflow_files o join workflow_names n on n.workflow = o.workflow and n.project = p.project
    where o.`blob` = f.`blob`)"
);

const REMOVE: Sql =
    Sql::of("removing a workflow's files", "delete from project_blobs where `blob` = ? and project = ?");

/// By the primary key, which begins with the blob.
const PROJECTS: Sql = Sql::of(
    "reading a file's projects",
    "select project from project_blobs where `blob` = ? order by project",
);

/// All files of a stored workflow.
pub(crate) async fn take<T: Tx>(tx: &mut T, project: ProjectId, workflow: ContentHash) -> Result<u64, Fault> {
    let (project, key) = (project.number(), workflow.as_bytes().as_slice());
    let mut bytes = 0;
    for row in tx.found(&MISSING, &[project.into(), key.into()]).await? {
        let blob = row.hash("blob")?;
        tx.run(&KEEP, &[blob.as_bytes().as_slice().into(), project.into(), 0_i64.into()]).await?;
        bytes += row.unsigned("bytes")?;
    }
    Ok(bytes)
}

/// A stored file of so many bytes, which the project has from now on whatever becomes of its workflows.
pub(crate) async fn own<T: Tx>(
    tx: &mut T,
    project: ProjectId,
    blob: ContentHash,
    bytes: usize,
) -> Result<u64, Fault> {
    let (project, key) = (project.number(), blob.as_bytes().as_slice());
    match tx.one(&HAS, &[key.into(), project.into()]).await? {
        None => {
            tx.run(&KEEP, &[key.into(), project.into(), 1_i64.into()]).await?;
            return Ok(bytes as u64);
        }
        Some(row) if row.number("own")? == 0 => drop(tx.run(&OWN, &[key.into(), project.into()]).await?),
        Some(_) => {}
    }
    Ok(0)
}

/// What a workflow that the project has no more leaves behind.
pub(crate) async fn leave<T: Tx>(
    tx: &mut T,
    project: ProjectId,
    workflow: ContentHash,
) -> Result<u64, Fault> {
    let (project, key) = (project.number(), workflow.as_bytes().as_slice());
    let mut bytes = 0;
    for row in tx.found(&LEFT, &[project.into(), key.into()]).await? {
        let blob = row.hash("blob")?;
        tx.run(&REMOVE, &[blob.as_bytes().as_slice().into(), project.into()]).await?;
        bytes += row.unsigned("bytes")?;
    }
    Ok(bytes)
}

/// The projects that have a file, the oldest first.
pub(crate) async fn projects<T: Tx>(tx: &mut T, blob: ContentHash) -> Result<Vec<ProjectId>, Fault> {
    let rows = tx.found(&PROJECTS, &[blob.as_bytes().as_slice().into()]).await?;
    Ok(rows.iter().map(|row| row.id("project", ProjectId::from_number)).collect::<Result<_, _>>()?)
}
