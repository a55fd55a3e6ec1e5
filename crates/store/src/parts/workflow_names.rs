//! What projects call their workflows: a workflow is in a project where it has a name there (ADR 0051).
//!
//! The pages of a list are `versions.rs`'s.

use weevil_access::audit::AuditEntry;
use weevil_model::{ContentHash, ProjectId, Timestamp};
use weevil_records::Removal;

use super::access::audit;
use super::project_files;
use super::usage::UsageChanges;
use crate::{Columns, Fault, Sql, Tx};

/// MySQL knows names by their hash: an index takes no long text.
const NAMED: Sql = Sql {
    doing: "keeping a workflow's name",
    sqlite: "select workflow from workflow_names where project = ? and name = ? and workflow = ?",
    mysql: "
select workflow from workflow_names where project = ? and identity = unhex(sha2(?, 256)) and workflow = ?",
};

/// The name comes twice, for its hash.
const NAME: Sql = Sql {
    doing: "keeping a workflow's name",
    sqlite: "insert into workflow_names (project, name, workflow, created_at) values (?1, ?2, ?4, ?5)",
    mysql: "
insert into workflow_names (project, name, identity, workflow, created_at) values (?, ?, unhex(sha2(?, 256)), ?, ?)",
};

/// By the index of names by their workflow, like the next two, whose entries in a project have the order of age.
const PROJECTS: Sql = Sql::of(
    "reading a workflow's projects",
    "select distinct project from workflow_names where workflow = ? order by project",
);

/// Among names from one moment the one that the workflow had first of all goes first.
const OLDEST: Sql = Sql::of(
    "reading a workflow's name",
    "
select n.name from workflow_names n join workflows w on w.hash = n.workflow where n.workflow = ? and n.project = ?
order by n.created_at, n.name <> w.name limit 1",
);

const REMOVE: Sql =
    Sql::of("removing a workflow", "delete from workflow_names where workflow = ? and project = ?");

/// By the index of runs by project and workflow.
const IN_USE: Sql =
    Sql::of("removing a workflow", "select id from runs where project = ? and workflow = ? limit 1");

/// Names a stored workflow; its files are the project's from now on. Answers how many bytes came with them.
pub(crate) async fn keep<T: Tx>(
    tx: &mut T,
    project: ProjectId,
    (name, workflow): (&str, ContentHash),
    now: Timestamp,
) -> Result<u64, Fault> {
    let mut bytes = 0;
    if oldest(tx, project, workflow).await?.is_none() {
        bytes = project_files::take(tx, project, workflow).await?;
    }
    let (project, key) = (project.number(), workflow.as_bytes().as_slice());
    if tx.one(&NAMED, &[project.into(), name.into(), key.into()]).await?.is_none() {
        tx.run(&NAME, &[project.into(), name.into(), name.into(), key.into(), now.into()]).await?;
    }
    Ok(bytes)
}

/// The projects that have a workflow, the oldest first.
pub(crate) async fn projects<T: Tx>(tx: &mut T, workflow: ContentHash) -> Result<Vec<ProjectId>, Fault> {
    let rows = tx.found(&PROJECTS, &[workflow.as_bytes().as_slice().into()]).await?;
    Ok(rows.iter().map(|row| row.id("project", ProjectId::from_number)).collect::<Result<_, _>>()?)
}

/// The first name that a project gave a workflow.
pub(crate) async fn oldest<T: Tx>(
    tx: &mut T,
    project: ProjectId,
    workflow: ContentHash,
) -> Result<Option<String>, Fault> {
    let key = workflow.as_bytes().as_slice();
    let row = tx.one(&OLDEST, &[key.into(), project.number().into()]).await?;
    Ok(row.map(|row| row.text("name")).transpose()?)
}

/// Takes a workflow out of a project. The audit's end is locked first.
pub(crate) async fn remove<T: Tx>(
    tx: &mut T,
    project: ProjectId,
    workflow: ContentHash,
    entry: &AuditEntry,
) -> Result<Removal, Fault> {
    let last = audit::lock(tx).await?;
    let (number, key) = (project.number(), workflow.as_bytes().as_slice());
    if oldest(tx, project, workflow).await?.is_none() {
        return Ok(Removal::NotThere);
    }
    if tx.one(&IN_USE, &[number.into(), key.into()]).await?.is_some() {
        return Ok(Removal::InUse);
    }
    tx.run(&REMOVE, &[key.into(), number.into()]).await?;
    let mut usage = UsageChanges::default();
    usage.give_back(project, project_files::leave(tx, project, workflow).await?);
    audit::tell(tx, &last, entry).await?;
    usage.write(tx).await?;
    Ok(Removal::Removed)
}
