//! What the server itself knows: each secret is made once, and read at each start.

use weevil_model::Timestamp;

use crate::columns::Columns;
use crate::fault::Fault;
use crate::json::corrupt;
use crate::sql::Sql;
use crate::tx::Tx;

/// What sessions and networks are vouched for with.
pub(crate) const SERVER: &str = "server";
/// What certificates are signed with.
pub(crate) const CERTIFICATES: &str = "certificates";

/// By the primary key.
const READ: Sql = Sql::of("reading a secret of the server", "select bytes from secrets where name = ?");

/// Where another server was faster, MySQL refuses, and the next try finds it.
const KEEP: Sql =
    Sql::of("keeping a secret of the server", "insert into secrets (name, bytes, made_at) values (?, ?, ?)");

pub(crate) async fn one<T: Tx>(tx: &mut T, name: &'static str) -> Result<Option<[u8; 32]>, Fault> {
    let Some(row) = tx.one(&READ, &[name.into()]).await? else { return Ok(None) };
    let bytes: Result<[u8; 32], _> = row.bytes("bytes")?.try_into();
    Ok(Some(bytes.map_err(|_| corrupt("a secret that is not 32 bytes long"))?))
}

pub(crate) async fn keep<T: Tx>(
    tx: &mut T,
    name: &'static str,
    fresh: &[u8; 32],
    now: Timestamp,
) -> Result<[u8; 32], Fault> {
    if let Some(there) = one(tx, name).await? {
        return Ok(there);
    }
    tx.run(&KEEP, &[name.into(), fresh.as_slice().into(), now.into()]).await?;
    Ok(*fresh)
}
