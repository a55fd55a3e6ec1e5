//! Bytes by their hash, each content once, and which of them are code. Never removes any.

use weevil_model::{ContentHash, ProjectId};
use weevil_records::Blob;

use super::project_files;
use super::usage::UsageChanges;
use crate::{Columns, Fault, Sql, Tx};

/// Without the bytes, which are up to 32 MiB.
const KNOWN: Sql = Sql::of("keeping code", "select hash from blobs where hash = ?");

/// Each content once, however many workflows and jobs have it.
const KEEP: Sql = Sql::of("keeping code", "insert into blobs (hash, bytes) values (?, ?)");

const IS_CODE: Sql = Sql::of("keeping code", "select hash from code_blobs where hash = ?");

const MARK: Sql = Sql::of("keeping code", "insert into code_blobs (hash) values (?)");

/// By the primary keys.
const ONE: Sql = Sql::of(
    "reading a blob",
    "
select b.bytes, c.hash is not null as code from blobs b left join code_blobs c on c.hash = b.hash where b.hash = ?",
);

/// Nothing is read of a blob that is no code.
const CODE: Sql = Sql {
    doing: "reading code",
    sqlite: "select b.bytes from code_blobs c cross join blobs b on b.hash = c.hash where c.hash = ?",
    mysql: "select straight_join b.bytes from code_blobs c join blobs b on b.hash = c.hash where c.hash = ?",
};

/// Answers the hash of the bytes.
pub(crate) async fn keep<T: Tx>(tx: &mut T, bytes: &[u8]) -> Result<ContentHash, Fault> {
    let blob = ContentHash::of(bytes);
    let key = blob.as_bytes().as_slice();
    if tx.one(&KNOWN, &[key.into()]).await?.is_none() {
        tx.run(&KEEP, &[key.into(), bytes.into()]).await?;
    }
    Ok(blob)
}

/// What is code stays it.
pub(crate) async fn mark<T: Tx>(tx: &mut T, blob: ContentHash) -> Result<(), Fault> {
    let key = blob.as_bytes().as_slice();
    if tx.one(&IS_CODE, &[key.into()]).await?.is_none() {
        tx.run(&MARK, &[key.into()]).await?;
    }
    Ok(())
}

pub(crate) async fn keep_code<T: Tx>(
    tx: &mut T,
    project: ProjectId,
    bytes: &[u8],
) -> Result<ContentHash, Fault> {
    let blob = keep(tx, bytes).await?;
    mark(tx, blob).await?;
    let mut usage = UsageChanges::default();
    usage.keep(project, project_files::own(tx, project, blob, bytes.len()).await?);
    usage.write(tx).await?;
    Ok(blob)
}

pub(crate) async fn one<T: Tx>(tx: &mut T, hash: ContentHash) -> Result<Option<Blob>, Fault> {
    let Some(row) = tx.one(&ONE, &[hash.as_bytes().as_slice().into()]).await? else { return Ok(None) };
    Ok(Some(Blob { bytes: row.bytes("bytes")?, code: row.number("code")? != 0 }))
}

pub(crate) async fn code<T: Tx>(tx: &mut T, hash: ContentHash) -> Result<Option<Vec<u8>>, Fault> {
    let row = tx.one(&CODE, &[hash.as_bytes().as_slice().into()]).await?;
    Ok(row.map(|row| row.bytes("bytes")).transpose()?)
}
