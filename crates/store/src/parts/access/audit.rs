//! Writing and trimming the audit. Never changes a row; `audit_pages.rs` reads them.

use weevil_access::audit::{AuditEntry, AuditRow, ChainEnds, ChainPoint};
use weevil_model::{ProjectId, StoreError, Timestamp};

use crate::columns::Columns;
use crate::fault::Fault;
use crate::json::corrupt;
use crate::sql::{Arg, Sql};
use crate::tx::Tx;

/// The one row. On MySQL it is locked until the commit; SQLite has one writer.
const LOCK: Sql = Sql {
    doing: "writing the audit",
    sqlite: "select last, last_at, last_hash from audit_ends where id = 1",
    mysql: "select last, last_at, last_hash from audit_ends where id = 1 for update",
};

const WRITE: Sql = Sql::of(
    "writing the audit",
    "
insert into audit (id, written_at, actor, action, subject, project, place, outcome, details, previous, hash)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
);

const MOVE_LAST: Sql =
    Sql::of("writing the audit", "update audit_ends set last = ?, last_at = ?, last_hash = ? where id = 1");

const ENDS: Sql = Sql::of(
    "reading the audit's ends",
    "select trimmed, trimmed_at, trimmed_hash, last, last_at, last_hash from audit_ends where id = 1",
);

/// The newest row of those to trim. Moments never turn back along the chain, so numbers bound how many rows are looked at.
const TRIM_TO: Sql = Sql::of(
    "trimming the audit",
    "
select id, written_at, hash from audit where id > ? and id <= ? and written_at < ? order by id desc limit 1",
);

/// By the primary key.
const TRIM: Sql = Sql::of("trimming the audit", "delete from audit where id <= ?");

const MOVE_TRIMMED: Sql = Sql::of(
    "trimming the audit",
    "update audit_ends set trimmed = ?, trimmed_at = ?, trimmed_hash = ? where id = 1",
);

/// The last row, behind which nobody else writes before this transaction is over.
pub(crate) async fn lock<T: Tx>(tx: &mut T) -> Result<ChainPoint, Fault> {
    let row = tx.one(&LOCK, &[]).await?.ok_or_else(no_ends)?;
    Ok(point(&row, ["last", "last_at", "last_hash"])?)
}

/// Tells of one thing behind the row that `lock` has answered.
pub(crate) async fn tell<T: Tx>(tx: &mut T, last: &ChainPoint, entry: &AuditEntry) -> Result<(), Fault> {
    append(tx, last, std::slice::from_ref(entry)).await
}

/// Tells of what changes nothing else.
pub(crate) async fn write_down<T: Tx>(tx: &mut T, entries: &[AuditEntry]) -> Result<(), Fault> {
    let last = lock(tx).await?;
    append(tx, &last, entries).await
}

async fn append<T: Tx>(tx: &mut T, last: &ChainPoint, entries: &[AuditEntry]) -> Result<(), Fault> {
    let mut last = *last;
    for entry in entries {
        let row = AuditRow::following(&last, entry).ok_or_else(|| corrupt("an audit without room"))?;
        write(tx, &row).await?;
        last = row.point();
    }
    tx.run(&MOVE_LAST, &columns(&last)).await.map(drop)
}

async fn write<T: Tx>(tx: &mut T, row: &AuditRow) -> Result<(), Fault> {
    let args: [Arg<'_>; 11] = [
        row.id.number().into(),
        row.at.into(),
        row.actor.as_str().into(),
        row.action.as_str().into(),
        Arg::Text(row.subject.as_deref()),
        Arg::Number(row.project.map(ProjectId::number)),
        Arg::Text(row.place.as_deref()),
        row.outcome.as_str().into(),
        Arg::Text(row.details.as_deref()),
        row.previous.as_bytes().as_slice().into(),
        row.hash.as_bytes().as_slice().into(),
    ];
    tx.run(&WRITE, &args).await.map(drop)
}

pub(crate) async fn ends<T: Tx>(tx: &mut T) -> Result<ChainEnds, Fault> {
    let row = tx.one(&ENDS, &[]).await?.ok_or_else(no_ends)?;
    Ok(ChainEnds {
        trimmed: point(&row, ["trimmed", "trimmed_at", "trimmed_hash"])?,
        last: point(&row, ["last", "last_at", "last_hash"])?,
    })
}

/// One piece. Rows that somebody has taken out by hand are passed over: a verification tells of them until then.
pub(crate) async fn trim<T: Tx>(tx: &mut T, before: Timestamp, most: u32) -> Result<u64, Fault> {
    lock(tx).await?;
    let from = ends(tx).await?.trimmed.number;
    let to = from.saturating_add(most.into());
    let Some(row) = tx.one(&TRIM_TO, &[from.into(), to.into(), before.into()]).await? else { return Ok(0) };
    let last = point(&row, ["id", "written_at", "hash"])?;
    let gone = tx.run(&TRIM, &[last.number.into()]).await?;
    tx.run(&MOVE_TRIMMED, &columns(&last)).await?;
    Ok(gone)
}

fn columns(point: &ChainPoint) -> [Arg<'_>; 3] {
    [point.number.into(), point.at.into(), point.hash.as_bytes().as_slice().into()]
}

fn point<R: Columns>(row: &R, [number, at, hash]: [&'static str; 3]) -> Result<ChainPoint, StoreError> {
    Ok(ChainPoint { number: row.number(number)?, at: row.moment(at)?, hash: row.hash(hash)? })
}

fn no_ends() -> StoreError {
    corrupt("an audit without ends")
}
