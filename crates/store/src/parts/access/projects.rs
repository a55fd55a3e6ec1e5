//! Projects: made, found, listed, changed. Who belongs to them stands in `members.rs`.

use const_format::formatcp;
use weevil_access::audit::AuditEntry;
use weevil_access::limits::MAX_PROJECTS;
use weevil_access::store::{Answer, Declined, NewProject, Project};
use weevil_access::{ProjectSlug, Quotas, Title};
use weevil_model::{ProjectId, StoreError};

use super::audit;
use crate::columns::Columns;
use crate::fault::Fault;
use crate::json::corrupt;
use crate::sql::{Arg, Sql};
use crate::tx::Tx;

pub(super) const PROJECT: &str = "
p.id as project, p.slug, p.name as title, p.created_at as made_at, p.archived_at, p.most_open_jobs, p.most_open_runs,
p.most_stored_bytes, p.most_jobs_a_minute";

/// By the index of slugs.
const NAMED: Sql =
    Sql::of("reading a project", formatcp!("select {PROJECT} from projects p where p.slug = ?"));

/// By the primary key, like the next six.
const ONE: Sql = Sql::of("reading a project", formatcp!("select {PROJECT} from projects p where p.id = ?"));

const RENAME: Sql = Sql::of("changing a project", "update projects set name = ? where id = ?");

const SET_QUOTAS: Sql = Sql::of(
    "changing a project",
    "
update projects set most_open_jobs = ?, most_open_runs = ?, most_stored_bytes = ?, most_jobs_a_minute = ? where id = ?",
);

const ARCHIVE: Sql = Sql::of("changing a project", "update projects set archived_at = ? where id = ?");

const PAGE: Sql = Sql::of(
    "listing projects",
    formatcp!("select {PROJECT} from projects p where p.id > ? order by p.id limit ?"),
);

const LAST: Sql = Sql::of("making a project", "select max(id) as id from projects");

const ADD: Sql = Sql::of(
    "making a project",
    "
insert into projects (id, slug, name, created_at, most_open_jobs, most_open_runs, most_stored_bytes, most_jobs_a_minute)
values (?, ?, ?, ?, ?, ?, ?, ?)",
);

/// There from the first moment on: what changes it only updates.
const ADD_USAGE: Sql =
    Sql::of("making a project", "insert into project_usage (project, replica) values (?, 0)");

/// Nothing is ever removed, so the last number says how many there are.
pub(crate) async fn add<T: Tx>(
    tx: &mut T,
    new: &NewProject,
    entry: &AuditEntry,
) -> Result<Answer<ProjectId>, Fault> {
    let last = audit::lock(tx).await?;
    if one(tx, &new.slug).await?.is_some() {
        return Ok(Err(Declined::NameTaken));
    }
    let there = tx.one(&LAST, &[]).await?.map_or(Ok(0), |row| row.number("id"))?;
    if there >= i64::from(MAX_PROJECTS) {
        return Ok(Err(Declined::TooMany { what: "projects", most: MAX_PROJECTS }));
    }
    let id = ProjectId::from_number(there + 1).ok_or_else(|| corrupt("a project with a negative number"))?;
    let [open_jobs, open_runs, stored_bytes, jobs] = bounds((new.quotas, new.jobs_a_minute));
    let (slug, name) = (new.slug.as_str().into(), new.name.as_str().into());
    let row = [id.number().into(), slug, name, entry.at.into(), open_jobs, open_runs, stored_bytes, jobs];
    tx.run(&ADD, &row).await?;
    tx.run(&ADD_USAGE, &[id.number().into()]).await?;
    let entry = AuditEntry { subject: Some(id.to_string()), project: Some(id), ..entry.clone() };
    audit::tell(tx, &last, &entry).await?;
    Ok(Ok(id))
}

/// What no database can count to bounds nothing.
fn bounds((quotas, jobs_a_minute): (Quotas, u64)) -> [Arg<'static>; 4] {
    let Quotas { open_jobs, open_runs, stored_bytes } = quotas;
    [open_jobs, open_runs, stored_bytes, jobs_a_minute]
        .map(|most| Arg::Number(Some(i64::try_from(most).unwrap_or_default())))
}

pub(crate) async fn rename<T: Tx>(
    tx: &mut T,
    id: ProjectId,
    name: &Title,
    entry: &AuditEntry,
) -> Result<Answer<()>, Fault> {
    let last = audit::lock(tx).await?;
    let Some(there) = numbered(tx, id).await? else { return Ok(Err(Declined::NoSuchProject)) };
    if there.name == name.as_str() {
        return Ok(Ok(()));
    }
    tx.run(&RENAME, &[name.as_str().into(), id.number().into()]).await?;
    audit::tell(tx, &last, entry).await.map(Ok)
}

pub(crate) async fn set_quotas<T: Tx>(
    tx: &mut T,
    id: ProjectId,
    new: (Quotas, u64),
    entry: &AuditEntry,
) -> Result<Answer<()>, Fault> {
    let last = audit::lock(tx).await?;
    let Some(there) = numbered(tx, id).await? else { return Ok(Err(Declined::NoSuchProject)) };
    if (there.quotas, there.jobs_a_minute) == new {
        return Ok(Ok(()));
    }
    let [open_jobs, open_runs, stored_bytes, jobs] = bounds(new);
    tx.run(&SET_QUOTAS, &[open_jobs, open_runs, stored_bytes, jobs, id.number().into()]).await?;
    audit::tell(tx, &last, entry).await.map(Ok)
}

/// What is archived already stays so since then.
pub(crate) async fn archive<T: Tx>(
    tx: &mut T,
    id: ProjectId,
    archived: bool,
    entry: &AuditEntry,
) -> Result<Answer<()>, Fault> {
    let last = audit::lock(tx).await?;
    let Some(there) = numbered(tx, id).await? else { return Ok(Err(Declined::NoSuchProject)) };
    if there.archived_at.is_some() == archived {
        return Ok(Ok(()));
    }
    let at = Arg::Number(archived.then_some(entry.at.0));
    tx.run(&ARCHIVE, &[at, id.number().into()]).await?;
    audit::tell(tx, &last, entry).await.map(Ok)
}

async fn numbered<T: Tx>(tx: &mut T, id: ProjectId) -> Result<Option<Project>, Fault> {
    let row = tx.one(&ONE, &[id.number().into()]).await?;
    Ok(row.as_ref().map(project).transpose()?)
}

pub(crate) async fn one<T: Tx>(tx: &mut T, slug: &ProjectSlug) -> Result<Option<Project>, Fault> {
    let row = tx.one(&NAMED, &[slug.as_str().into()]).await?;
    Ok(row.as_ref().map(project).transpose()?)
}

pub(crate) async fn page<T: Tx>(
    tx: &mut T,
    after: Option<ProjectId>,
    most: u32,
) -> Result<Vec<Project>, Fault> {
    let after = after.map_or(-1, ProjectId::number);
    let rows = tx.found(&PAGE, &[after.into(), most.into()]).await?;
    Ok(rows.iter().map(project).collect::<Result<_, _>>()?)
}

/// From a row with the columns of `PROJECT`.
pub(super) fn project<R: Columns>(row: &R) -> Result<Project, StoreError> {
    Ok(Project {
        id: row.id("project", ProjectId::from_number)?,
        slug: row.text("slug")?,
        name: row.text("title")?,
        created_at: row.moment("made_at")?,
        archived_at: row.maybe_moment("archived_at")?,
        quotas: Quotas {
            open_jobs: row.unsigned("most_open_jobs")?,
            open_runs: row.unsigned("most_open_runs")?,
            stored_bytes: row.unsigned("most_stored_bytes")?,
        },
        jobs_a_minute: row.unsigned("most_jobs_a_minute")?,
    })
}
