//! Names of workflows and what has had them, page by page, the newest first.

use const_format::{formatcp, str_replace};
use weevil_model::{ProjectId, RunState, Timestamp};
use weevil_records::{LastRun, MAX_COUNTED_RUNS, NamedVersion, StoreError, VersionMark};

use crate::{Arg, Columns, Fault, Sql, Tx};

/// After everything.
const END: Timestamp = Timestamp(i64::MAX);

/// What is told of a version's runs, which stand for `@`. Counted are as many as are told: whether there are more shows first, in the
/// place behind the last of these.
const RUNS: &str = formatcp!(
    "
    (select r.id from @ order by r.id desc limit 1) as run,
    (select r.state from @ order by r.id desc limit 1) as state,
    (select r.created_at from @ order by r.id desc limit 1) as run_at,
    case when (select r.id from @ order by r.id desc limit 1 offset {MAX_COUNTED_RUNS}) is null
        then (select count(*) from @) else {MAX_COUNTED_RUNS} end as runs"
);
const SQLITE_RUNS: &str =
    str_replace!(RUNS, "@", "runs r where r.project = n.project and r.workflow = n.workflow");
/// Left alone, MySQL takes the primary key for the sake of the order.
const MYSQL_RUNS: &str = str_replace!(
    RUNS,
    "@",
    "runs r force index (runs_of_project_by_workflow) where r.project = n.project and r.workflow = n.workflow"
);

/// What a version is and what its files come to. SQLite reads the length of a blob alone, but copies all of it where rows are
/// grouped: so nothing is.
const SQLITE: &str = formatcp!(
    "
select n.project, n.name, n.workflow, n.created_at,
    (select count(*) from workflow_files f where f.workflow = n.workflow) as files,
    (select coalesce(sum(length(b.bytes)), 0) from workflow_files f join blobs b on b.hash = f.blob where f.workflow = n.workflow) as bytes,
    {SQLITE_RUNS}
from (select project, name, workflow, created_at from workflow_names"
);
const SQLITE_FILES: &str = "
n
order by n.created_at desc, n.project desc, n.name desc, n.workflow desc";

/// Its bytes MySQL has in a column. Names are in the order of their hashes there, as in the index, which takes no long text. The page
/// is read along the index as it is: a name put aside, to be grouped or cut, would go through a table on the disk.
const MYSQL: &str = formatcp!(
    "
select n.project, n.name, n.workflow, n.created_at,
    (select count(*) from workflow_files f where f.workflow = n.workflow) as files,
    (select cast(coalesce(sum(b.size), 0) as signed) from workflow_files f join blobs b on b.hash = f.`blob` where f.workflow = n.workflow) as bytes,
    {MYSQL_RUNS}
from workflow_names n force index"
);

/// Along the index of ages, from the moment of the mark on; the others of that moment are compared. MySQL wants moment, project
/// and name twice.
const ALL: Sql = Sql {
    doing: "listing workflows",
    sqlite: formatcp!(
        "{SQLITE} where (created_at, project, name, workflow) < (?1, ?3, ?5, ?7)
order by created_at desc, project desc, name desc, workflow desc limit ?8) {SQLITE_FILES}"
    ),
    mysql: formatcp!(
        "{MYSQL} (workflow_names_by_age) where created_at <= ? and (created_at < ? or project < ? or project = ? and {BEHIND})
order by created_at desc, project desc, identity desc, workflow desc limit ?"
    ),
};

/// The same along the index of a project's names.
const OF_PROJECT: Sql = Sql {
    doing: "listing workflows",
    sqlite: formatcp!(
        "{SQLITE} where project = ?1 and (created_at, name, workflow) < (?2, ?4, ?6)
order by created_at desc, name desc, workflow desc limit ?7) {SQLITE_FILES}"
    ),
    mysql: formatcp!(
        "{MYSQL} (workflow_names_of_project) where project = ? and created_at <= ? and (created_at < ? or {BEHIND})
order by created_at desc, identity desc, workflow desc limit ?"
    ),
};

const BEHIND: &str = "(identity < unhex(sha2(?, 256)) or identity = unhex(sha2(?, 256)) and workflow < ?)";

pub(crate) async fn listed<T: Tx>(
    tx: &mut T,
    project: Option<ProjectId>,
    after: Option<&VersionMark>,
    most: u32,
) -> Result<Vec<NamedVersion>, Fault> {
    let hash = after.map_or([0; 32], |mark| *mark.hash.as_bytes());
    let (moment, name) = after.map_or((END, ""), |mark| (mark.created_at, mark.name.as_str()));
    let (hash, most) = (hash.as_slice().into(), most.into());
    let behind: [Arg<'_>; 4] = [name.into(), name.into(), hash, most];
    let (sql, bounds): (_, Vec<Arg<'_>>) = if let Some(project) = project {
        (&OF_PROJECT, vec![project.number().into(), moment.into(), moment.into()])
    } else {
        let before = after.map_or(0, |mark| mark.project.number());
        (&ALL, vec![moment.into(), moment.into(), before.into(), before.into()])
    };
    let args: Vec<Arg<'_>> = bounds.into_iter().chain(behind).collect();
    let rows = tx.found(sql, &args).await?;
    Ok(rows.iter().map(version).collect::<Result<_, _>>()?)
}

fn version<R: Columns>(row: &R) -> Result<NamedVersion, StoreError> {
    Ok(NamedVersion {
        project: row.id("project", ProjectId::from_number)?,
        name: row.text("name")?,
        hash: row.hash("workflow")?,
        created_at: row.moment("created_at")?,
        files: row.small("files")?,
        bytes: row.unsigned("bytes")?,
        last_run: last_run(row)?,
        runs: row.small("runs")?,
    })
}

/// A state that cannot be read keeps the version in the list, and its run out of it.
fn last_run<R: Columns>(row: &R) -> Result<Option<LastRun>, StoreError> {
    let (id, at) = (row.maybe_run_id("run")?, row.maybe_moment("run_at")?);
    let state = row.maybe_text("state")?.and_then(|state| RunState::parse(&state));
    Ok(id.zip(state).zip(at).map(|((id, state), created_at)| LastRun { id, state, created_at }))
}
