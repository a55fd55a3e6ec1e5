//! By which hash a job that stands alone finds the kernels of a workflow. What is there never changes, and nothing is removed: a volunteer's
//! browser keeps what it was told.

use weevil_model::ContentHash;

use crate::{Columns, Fault, Sql, Tx};

/// Both by the primary key.
const KNOWN: Sql = Sql::of("reading a job's kernels", "select workflow from kernel_sets where id = ?");

const KEEP: Sql = Sql::of("keeping a job's kernels", "insert into kernel_sets (id, workflow) values (?, ?)");

/// Answers the hash of the two, which no workflow has: so jobs of the code share no job worker with others.
pub(crate) async fn keep<T: Tx>(
    tx: &mut T,
    code: ContentHash,
    workflow: ContentHash,
) -> Result<ContentHash, Fault> {
    let (code, workflow) = (code.as_bytes().as_slice(), workflow.as_bytes().as_slice());
    let set = ContentHash::of_parts([("code alone", code), ("kernels of", workflow)]);
    let id = set.as_bytes().as_slice();
    if tx.one(&KNOWN, &[id.into()]).await?.is_none() {
        tx.run(&KEEP, &[id.into(), workflow.into()]).await?;
    }
    Ok(set)
}

pub(crate) async fn workflow<T: Tx>(tx: &mut T, set: ContentHash) -> Result<Option<ContentHash>, Fault> {
    let row = tx.one(&KNOWN, &[set.as_bytes().as_slice().into()]).await?;
    Ok(row.map(|row| row.hash("workflow")).transpose()?)
}
