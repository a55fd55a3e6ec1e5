//! Names of workflows and what has had them, page by page, the newest first.

use const_format::formatcp;
use weevil_model::Timestamp;
use weevil_records::{NamedVersion, StoreError, VersionMark};

use crate::{Arg, Columns, Fault, Sql, Tx};

/// After everything.
const END: Timestamp = Timestamp(i64::MAX);

/// What a version is and what its files come to. SQLite reads the length of a blob alone.
const SQLITE: &str = "
select n.name, n.workflow, n.created_at, count(f.path) as files, coalesce(sum(length(b.bytes)), 0) as bytes
from (select name, workflow, created_at from workflow_names";
const SQLITE_FILES: &str = "
order by created_at desc, name desc, workflow desc limit ?6) n
left join workflow_files f on f.workflow = n.workflow left join blobs b on b.hash = f.blob
group by n.name, n.workflow, n.created_at order by n.created_at desc, n.name desc, n.workflow desc";

/// To measure a blob, MySQL reads it, and has its size in a column. Names are in the order of their hashes there, as in the
/// index, which takes no long text; left alone, it joins two indexes and sorts.
const MYSQL: &str = "
select n.name, n.workflow, n.created_at, count(f.path) as files, cast(coalesce(sum(b.size), 0) as signed) as bytes
from (select name, identity, workflow, created_at from workflow_names force index (workflow_names_by_age)";
const MYSQL_FILES: &str = "
order by created_at desc, identity desc, workflow desc limit ?) n
left join workflow_files f on f.workflow = n.workflow left join blobs b on b.hash = f.`blob`
group by n.name, n.identity, n.workflow, n.created_at
order by n.created_at desc, n.identity desc, n.workflow desc";

/// Along the index of ages, from the moment of the mark on; the others of that moment are compared. MySQL wants moment and
/// name twice. Versions are cut to the page before anything is joined.
const PAGE: Sql = Sql {
    doing: "listing workflows",
    sqlite: formatcp!("{SQLITE} where (created_at, name, workflow) < (?1, ?3, ?5) {SQLITE_FILES}"),
    mysql: formatcp!(
        "{MYSQL} where created_at <= ? and (created_at < ? or identity < unhex(sha2(?, 256))
    or identity = unhex(sha2(?, 256)) and workflow < ?) {MYSQL_FILES}"
    ),
};

pub(crate) async fn listed<T: Tx>(
    tx: &mut T,
    after: Option<&VersionMark>,
    most: u32,
) -> Result<Vec<NamedVersion>, Fault> {
    let hash = after.map_or([0; 32], |mark| *mark.hash.as_bytes());
    let (moment, name) = after.map_or((END, ""), |mark| (mark.created_at, mark.name.as_str()));
    let (hash, most) = (hash.as_slice().into(), most.into());
    let args: [Arg<'_>; 6] = [moment.into(), moment.into(), name.into(), name.into(), hash, most];
    let rows = tx.found(&PAGE, &args).await?;
    Ok(rows.iter().map(version).collect::<Result<_, _>>()?)
}

fn version<R: Columns>(row: &R) -> Result<NamedVersion, StoreError> {
    Ok(NamedVersion {
        name: row.text("name")?,
        hash: row.hash("workflow")?,
        created_at: row.moment("created_at")?,
        files: row.small("files")?,
        bytes: row.unsigned("bytes")?,
    })
}
