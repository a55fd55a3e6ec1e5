//! Sessions: opened, found by their cookies, touched, given new halves, ended.

use std::collections::BTreeMap;

use const_format::formatcp;
use weevil_access::audit::AuditEntry;
use weevil_access::store::{
    AccountState, Answer, Declined, FoundSession, NewSession, Rotation, SessionRecord,
};
use weevil_access::{Halves, SecretHash, Session, sessions_that_make_room};
use weevil_model::{AccountId, SessionId, StoreError, Timestamp};

use super::accounts::{self, account, known};
use super::audit;
use crate::columns::Columns;
use crate::fault::Fault;
use crate::json::corrupt;
use crate::sql::{Arg, Sql};
use crate::tx::Tx;
use crate::words;

/// All but its account, which the rows of others name as well.
const SESSION: &str = "
s.id as session, s.face, s.opened_at, s.proved_at, s.halves_at, s.used_at, s.ends_at, s.browser, s.place";

const SQLITE: &str = accounts::SQLITE;
const MYSQL: &str = accounts::MYSQL;

/// By the index of cookies.
const BY_COOKIE: Sql = Sql {
    doing: "reading a session",
    sqlite: formatcp!(
        "select {SESSION}, {SQLITE} from sessions s join accounts a on a.id = s.account where s.hash = ?"
    ),
    mysql: formatcp!(
        "select {SESSION}, {MYSQL} from sessions s join accounts a on a.id = s.account where s.hash = ?"
    ),
};

/// By the index of cookies before the last rotation.
const BY_FORMER: Sql = Sql {
    doing: "reading a session",
    sqlite: formatcp!(
        "
select {SESSION}, {SQLITE} from sessions s join accounts a on a.id = s.account where s.rotated_from = ?"
    ),
    mysql: formatcp!(
        "
select {SESSION}, {MYSQL} from sessions s join accounts a on a.id = s.account where s.rotated_from = ?"
    ),
};

/// By the index of accounts: at most as many as an account may have.
const OF_ACCOUNT: Sql = Sql::of(
    "listing sessions",
    formatcp!("select {SESSION}, s.account from sessions s where s.account = ? order by s.id"),
);

const OPEN: Sql = Sql::of(
    "opening a session",
    "
insert into sessions (id, hash, account, face, opened_at, proved_at, halves_at, used_at, ends_at, browser, place)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
);

/// By the primary key.
const TOUCH: Sql = Sql {
    doing: "touching sessions",
    sqlite: "
update sessions set used_at = max(used_at, r.value ->> 1) from jsonb_each(?1) r where sessions.id = r.value ->> 0",
    mysql: "
update json_table(?, '$[*]' columns (id bigint path '$[0]', used_at bigint path '$[1]')) r
straight_join sessions s on s.id = r.id set s.used_at = greatest(s.used_at, r.used_at)",
};

/// Only while the cookie is the one that was shown: of requests side by side, one is answered new halves.
const ROTATE: Sql = Sql::of(
    "giving a session new halves",
    "
update sessions set rotated_from = hash, hash = ?, halves_at = ?, proved_at = coalesce(?, proved_at)
where id = ? and hash = ?",
);

/// By the primary key.
const END: Sql = Sql::of("ending a session", "delete from sessions where id = ? and account = ?");

/// By the index of accounts.
const END_ALL: Sql = Sql::of("ending sessions", "delete from sessions where account = ? and id <> ?");

pub(crate) async fn open<T: Tx>(
    tx: &mut T,
    new: &NewSession,
    entry: &AuditEntry,
) -> Result<Answer<()>, Fault> {
    let last = audit::lock(tx).await?;
    let (record, owner) = (&new.record, new.record.account);
    if known(tx, owner).await?.is_none_or(|account| account.state != AccountState::Active) {
        return Ok(Err(Declined::NoSuchAccount));
    }
    let there = of_account(tx, owner).await?;
    let there: Vec<_> = there.iter().map(|record| (record.id, record.session.opened_at)).collect();
    for oldest in sessions_that_make_room(&there) {
        tx.run(&END, &[oldest.number().into(), owner.number().into()]).await?;
    }
    let session = &record.session;
    let row: [Arg<'_>; 11] = [
        record.id.number().into(),
        new.hash.as_bytes().as_slice().into(),
        owner.number().into(),
        session.face.as_str().into(),
        session.opened_at.into(),
        session.proved_at.into(),
        session.halves_at.into(),
        session.used_at.into(),
        record.ends_at.into(),
        record.browser.as_str().into(),
        record.place.as_str().into(),
    ];
    tx.run(&OPEN, &row).await?;
    audit::tell(tx, &last, entry).await.map(Ok)
}

pub(crate) async fn by_hash<T: Tx>(tx: &mut T, hash: SecretHash) -> Result<Option<FoundSession>, Fault> {
    let cookie = Arg::from(hash.as_bytes().as_slice());
    let (row, halves) = match tx.one(&BY_COOKIE, &[cookie]).await? {
        Some(row) => (Some(row), Halves::Current),
        None => (tx.one(&BY_FORMER, &[cookie]).await?, Halves::Replaced),
    };
    let Some(row) = row else { return Ok(None) };
    Ok(Some(FoundSession { record: record(&row)?, halves, account: account(&row)? }))
}

pub(crate) async fn of_account<T: Tx>(tx: &mut T, account: AccountId) -> Result<Vec<SessionRecord>, Fault> {
    let rows = tx.found(&OF_ACCOUNT, &[account.number().into()]).await?;
    Ok(rows.iter().map(record).collect::<Result<_, _>>()?)
}

/// In the order of their ids, in which every server locks them.
pub(crate) async fn touch<T: Tx>(tx: &mut T, used: &[(SessionId, Timestamp)]) -> Result<(), Fault> {
    let mut last: BTreeMap<i64, i64> = BTreeMap::new();
    for (id, at) in used {
        let latest = last.entry(id.number()).or_insert(at.0);
        *latest = at.0.max(*latest);
    }
    let rows: Vec<(i64, i64)> = last.into_iter().collect();
    tx.change(&TOUCH, &rows, &[]).await.map(drop)
}

pub(crate) async fn rotate<T: Tx>(
    tx: &mut T,
    rotation: &Rotation,
    entry: Option<&AuditEntry>,
) -> Result<bool, Fault> {
    let last = match entry {
        Some(_) => Some(audit::lock(tx).await?),
        None => None,
    };
    let args = [
        rotation.to.as_bytes().as_slice().into(),
        rotation.at.into(),
        Arg::Number(rotation.proved.then_some(rotation.at.0)),
        rotation.session.number().into(),
        rotation.from.as_bytes().as_slice().into(),
    ];
    if tx.run(&ROTATE, &args).await? == 0 {
        return Ok(false);
    }
    if let (Some(last), Some(entry)) = (last, entry) {
        audit::tell(tx, &last, entry).await?;
    }
    Ok(true)
}

pub(crate) async fn end<T: Tx>(
    tx: &mut T,
    account: AccountId,
    id: SessionId,
    entry: &AuditEntry,
) -> Result<Answer<()>, Fault> {
    let last = audit::lock(tx).await?;
    if tx.run(&END, &[id.number().into(), account.number().into()]).await? == 0 {
        return Ok(Err(Declined::NoSuchSession));
    }
    audit::tell(tx, &last, entry).await.map(Ok)
}

pub(crate) async fn end_others<T: Tx>(
    tx: &mut T,
    account: AccountId,
    keep: Option<SessionId>,
    entry: &AuditEntry,
) -> Result<u64, Fault> {
    let last = audit::lock(tx).await?;
    let ended = end_all(tx, account, keep).await?;
    audit::tell(tx, &last, entry).await?;
    Ok(ended)
}

/// Within the caller's transaction, who tells of it.
pub(super) async fn end_all<T: Tx>(
    tx: &mut T,
    account: AccountId,
    keep: Option<SessionId>,
) -> Result<u64, Fault> {
    let keep = keep.map_or(-1, SessionId::number);
    tx.run(&END_ALL, &[account.number().into(), keep.into()]).await
}

fn record<R: Columns>(row: &R) -> Result<SessionRecord, StoreError> {
    let face = row.word("face", words::face)?.ok_or_else(|| corrupt("a session without a face"))?;
    Ok(SessionRecord {
        id: row.id("session", SessionId::from_number)?,
        account: row.id("account", AccountId::from_number)?,
        session: Session {
            face,
            opened_at: row.moment("opened_at")?,
            proved_at: row.moment("proved_at")?,
            halves_at: row.moment("halves_at")?,
            used_at: row.moment("used_at")?,
        },
        ends_at: row.moment("ends_at")?,
        browser: row.text("browser")?,
        place: row.text("place")?,
    })
}
