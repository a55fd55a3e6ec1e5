//! What is over by itself: sessions, links and tokens, some time after it. Rows of accounts and of the audit have ways of their own.

use weevil_model::Timestamp;

use crate::fault::Fault;
use crate::sql::Sql;
use crate::tx::Tx;

/// Each by the index of its ends. MySQL deletes in an order by itself; SQLite does so only where it was compiled with that
/// option.
const OLD: [Sql; 3] = [
    Sql {
        doing: "forgetting sessions",
        sqlite: "
delete from sessions where id in (select id from sessions where ends_at < ?1 order by ends_at limit ?2)",
        mysql: "delete from sessions where ends_at < ? order by ends_at limit ?",
    },
    Sql {
        doing: "forgetting links",
        sqlite: "
delete from links where hash in (select hash from links where expires_at < ?1 order by expires_at limit ?2)",
        mysql: "delete from links where expires_at < ? order by expires_at limit ?",
    },
    Sql {
        doing: "forgetting tokens",
        sqlite: "
delete from tokens where id in (select id from tokens where expires_at < ?1 order by expires_at limit ?2)",
        mysql: "delete from tokens where expires_at < ? order by expires_at limit ?",
    },
];

/// One piece of each.
pub(crate) async fn forget<T: Tx>(tx: &mut T, before: Timestamp, most: u32) -> Result<u64, Fault> {
    let mut gone = 0;
    for statement in &OLD {
        gone += tx.run(statement, &[before.into(), most.into()]).await?;
    }
    Ok(gone)
}
