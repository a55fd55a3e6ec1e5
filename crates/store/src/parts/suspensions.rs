//! Devices that are given nothing: suspended and let go with what the audit says of it, and all of them at a server's start.

use const_format::formatcp;
use weevil_access::audit::AuditEntry;
use weevil_model::witness::device_number;
use weevil_model::{ContentHash, Timestamp};
use weevil_records::{StoreError, Suspension, Term};

use super::access::audit;
use crate::json::corrupt;
use crate::{Arg, Columns, Fault, Sql, Tx};

/// Where the columns of a suspension stand: nulls for a device that has none.
pub(crate) const SUSPENSION: &str = "d.held_until, d.banned_at, d.note";
/// Until when a ban lasts.
pub(crate) const FOR_EVER: i64 = i64::MAX;

/// Other devices that are suspended. By the index of what is held, as far as it goes on.
const OTHERS: Sql = Sql::of(
    "counting suspended devices",
    "select count(*) as many from devices where held_until > ? and fingerprint <> ?",
);

/// Known or not: somebody may be banned before anything of theirs was taken.
const SUSPEND: Sql = Sql {
    doing: "suspending a device",
    sqlite: "
insert into devices (fingerprint, first_seen, last_seen, accepted, number, held_until, banned_at, note)
values (?, ?, ?, 0, ?, ?, ?, ?)
on conflict (fingerprint) do update set held_until = excluded.held_until, banned_at = excluded.banned_at, note = excluded.note",
    mysql: "
insert into devices (fingerprint, first_seen, last_seen, accepted, number, held_until, banned_at, note)
values (?, ?, ?, 0, ?, ?, ?, ?)
on duplicate key update held_until = values(held_until), banned_at = values(banned_at), note = values(note)",
};

/// By the primary key.
const LIFT: Sql = Sql::of(
    "letting a device go on",
    "update devices set held_until = null, banned_at = null, note = null where fingerprint = ? and held_until is not null",
);

/// By the primary key.
const ONE: Sql =
    Sql::of("reading a suspension", formatcp!("select {SUSPENSION} from devices d where d.fingerprint = ?"));

/// Backwards along the index of what is held.
const ALL: Sql = Sql::of(
    "reading suspended devices",
    formatcp!(
        "select d.fingerprint, {SUSPENSION} from devices d where d.held_until > ? order by d.held_until desc limit ?"
    ),
);

/// Answers false, and changes nothing, where `most` others are suspended already.
pub(crate) async fn suspend<T: Tx>(
    tx: &mut T,
    device: ContentHash,
    suspension: &Suspension,
    most: u32,
    entry: &AuditEntry,
) -> Result<bool, Fault> {
    let last = audit::lock(tx).await?;
    let key: Arg<'_> = device.as_bytes().as_slice().into();
    let others = tx.one(&OTHERS, &[entry.at.into(), key]).await?;
    if others.map(|row| row.small("many")).transpose()?.unwrap_or_default() >= most {
        return Ok(false);
    }
    let (until, banned) = match suspension.term {
        Term::Paused { until } => (until.0, None),
        Term::Banned { since } => (FOR_EVER, Some(since.0)),
    };
    let (at, number) = (entry.at.into(), device_number(device).into());
    let note = suspension.note.as_str().into();
    tx.run(&SUSPEND, &[key, at, at, number, until.into(), Arg::Number(banned), note]).await?;
    audit::tell(tx, &last, entry).await?;
    Ok(true)
}

/// Answers false of a device that is not suspended, and writes nothing down then.
pub(crate) async fn lift<T: Tx>(tx: &mut T, device: ContentHash, entry: &AuditEntry) -> Result<bool, Fault> {
    let last = audit::lock(tx).await?;
    let was_suspended = tx.run(&LIFT, &[device.as_bytes().as_slice().into()]).await? > 0;
    if was_suspended {
        audit::tell(tx, &last, entry).await?;
    }
    Ok(was_suspended)
}

pub(crate) async fn one<T: Tx>(tx: &mut T, device: ContentHash) -> Result<Option<Suspension>, Fault> {
    let row = tx.one(&ONE, &[device.as_bytes().as_slice().into()]).await?;
    Ok(row.as_ref().map(suspension).transpose()?.flatten())
}

pub(crate) async fn all<T: Tx>(
    tx: &mut T,
    most: u32,
    now: Timestamp,
) -> Result<Vec<(ContentHash, Suspension)>, Fault> {
    let rows = tx.found(&ALL, &[now.into(), most.into()]).await?;
    let each = |row: &T::Row| {
        let suspension = suspension(row)?.ok_or_else(|| corrupt("a device that is held by nothing"))?;
        Ok((row.hash("fingerprint")?, suspension))
    };
    Ok(rows.iter().map(each).collect::<Result<_, StoreError>>()?)
}

/// From `SUSPENSION`.
pub(crate) fn suspension<R: Columns>(row: &R) -> Result<Option<Suspension>, StoreError> {
    let Some(until) = row.maybe_moment("held_until")? else { return Ok(None) };
    let since = row.maybe_moment("banned_at")?;
    let term = since.map_or(Term::Paused { until }, |since| Term::Banned { since });
    Ok(Some(Suspension { term, note: row.maybe_text("note")?.unwrap_or_default() }))
}
