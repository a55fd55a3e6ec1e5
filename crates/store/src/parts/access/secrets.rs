//! The server's own secret: made once, read at each start.

use weevil_access::ServerSecret;
use weevil_model::Timestamp;

use crate::columns::Columns;
use crate::fault::Fault;
use crate::json::corrupt;
use crate::sql::Sql;
use crate::tx::Tx;

/// By the primary key.
const READ: Sql = Sql::of("reading the server's secret", "select bytes from secrets where name = 'server'");

/// Where another server was faster, MySQL refuses, and the next try finds it.
const KEEP: Sql = Sql::of(
    "keeping the server's secret",
    "insert into secrets (name, bytes, made_at) values ('server', ?, ?)",
);

pub(crate) async fn server<T: Tx>(tx: &mut T) -> Result<Option<ServerSecret>, Fault> {
    let Some(row) = tx.one(&READ, &[]).await? else { return Ok(None) };
    let bytes: Result<[u8; 32], _> = row.bytes("bytes")?.try_into();
    Ok(Some(ServerSecret::from_bytes(bytes.map_err(|_| corrupt("a secret that is not 32 bytes long"))?)))
}

pub(crate) async fn keep_server<T: Tx>(
    tx: &mut T,
    fresh: &ServerSecret,
    now: Timestamp,
) -> Result<ServerSecret, Fault> {
    if let Some(there) = server(tx).await? {
        return Ok(there);
    }
    tx.run(&KEEP, &[fresh.as_bytes().as_slice().into(), now.into()]).await?;
    Ok(fresh.clone())
}
