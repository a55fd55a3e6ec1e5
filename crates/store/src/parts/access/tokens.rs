//! Tokens: made, found by their texts, listed, touched, revoked.

use std::collections::BTreeMap;

use const_format::formatcp;
use weevil_access::audit::AuditEntry;
use weevil_access::limits::MAX_LIVE_TOKENS;
use weevil_access::store::{Account, AccountState, Answer, Declined, NewToken, Token};
use weevil_access::{Scopes, SecretHash};
use weevil_model::{AccountId, ProjectId, StoreError, Timestamp, TokenId};

use super::accounts::{self, account, known};
use super::audit;
use crate::columns::Columns;
use crate::fault::Fault;
use crate::json::corrupt;
use crate::sql::{Arg, Sql};
use crate::tx::Tx;

/// All but its owner, who is a row's `account`.
const TOKEN: &str = "
t.id as token, t.name as label, t.scopes, t.project, t.made_at, t.expires_at, t.used_at, t.revoked_at";

const SQLITE: &str = accounts::SQLITE;
const MYSQL: &str = accounts::MYSQL;

/// By the index of texts.
const BY_TEXT: Sql = Sql {
    doing: "reading a token",
    sqlite: formatcp!(
        "select {TOKEN}, {SQLITE} from tokens t join accounts a on a.id = t.owner where t.hash = ?"
    ),
    mysql: formatcp!(
        "select {TOKEN}, {MYSQL} from tokens t join accounts a on a.id = t.owner where t.hash = ?"
    ),
};

/// By the primary key.
const PAGE: Sql = Sql::of(
    "listing tokens",
    formatcp!("select {TOKEN}, t.owner as account from tokens t where t.id > ? order by t.id limit ?"),
);

/// By the index of owners, whose entries end with the id.
const PAGE_OF_OWNER: Sql = Sql::of(
    "listing tokens",
    formatcp!(
        "
select {TOKEN}, t.owner as account from tokens t where t.owner = ? and t.id > ? order by t.id limit ?"
    ),
);

/// By the index of projects, whose entries end with the id, then by the primary key of accounts.
const PAGE_OF_PROJECT: Sql = Sql {
    doing: "listing tokens",
    sqlite: formatcp!(
        "
select {TOKEN}, {SQLITE} from tokens t cross join accounts a on a.id = t.owner
where t.project = ? and t.id > ? order by t.id limit ?"
    ),
    mysql: formatcp!(
        "
select straight_join {TOKEN}, {MYSQL} from tokens t force index (tokens_project) join accounts a on a.id = t.owner
where t.project = ? and t.id > ? order by t.id limit ?"
    ),
};

/// By the index of live tokens.
const LIVE: Sql = Sql::of(
    "counting tokens",
    "
select count(*) as there from tokens where owner = ? and expires_at > ? and revoked_at is null",
);

const MAKE: Sql = Sql::of(
    "making a token",
    "
insert into tokens (id, hash, name, owner, scopes, project, made_at, expires_at) values (?, ?, ?, ?, ?, ?, ?, ?)",
);

/// By the primary key, like the next one.
const OWNER: Sql = Sql::of("revoking a token", "select owner, project, revoked_at from tokens where id = ?");

const REVOKE: Sql = Sql::of("revoking a token", "update tokens set revoked_at = ? where id = ?");

/// By the index of owners, like the next one.
const REVOKE_ALL: Sql =
    Sql::of("revoking tokens", "update tokens set revoked_at = ? where owner = ? and revoked_at is null");

const FORGET: Sql = Sql::of("removing an account", "delete from tokens where owner = ?");

/// By the primary key.
const TOUCH: Sql = Sql {
    doing: "touching tokens",
    sqlite: "
update tokens set used_at = max(coalesce(used_at, 0), r.value ->> 1) from jsonb_each(?1) r
where tokens.id = r.value ->> 0",
    mysql: "
update json_table(?, '$[*]' columns (id bigint path '$[0]', used_at bigint path '$[1]')) r
straight_join tokens t on t.id = r.id set t.used_at = greatest(coalesce(t.used_at, 0), r.used_at)",
};

/// Milliseconds; when a token was last used is kept to the minute.
const MINUTE_MS: i64 = 60_000;

pub(crate) async fn make<T: Tx>(tx: &mut T, new: &NewToken, entry: &AuditEntry) -> Result<Answer<()>, Fault> {
    let last = audit::lock(tx).await?;
    let token = &new.token;
    let owner = token.owner.number();
    if known(tx, token.owner).await?.is_none_or(|account| account.state != AccountState::Active) {
        return Ok(Err(Declined::NoSuchAccount));
    }
    let live = tx.one(&LIVE, &[owner.into(), entry.at.into()]).await?;
    if live.is_some_and(|row| row.small("there").is_ok_and(|there| there >= MAX_LIVE_TOKENS)) {
        return Ok(Err(Declined::TooMany { what: "live tokens", most: MAX_LIVE_TOKENS }));
    }
    let scopes: Vec<&str> = token.scopes.rights().iter().map(|right| right.as_str()).collect();
    let scopes = scopes.join(" ");
    let row = [
        token.id.number().into(),
        new.hash.as_bytes().as_slice().into(),
        token.name.as_str().into(),
        owner.into(),
        scopes.as_str().into(),
        Arg::Number(token.project.map(ProjectId::number)),
        token.made_at.into(),
        token.expires_at.into(),
    ];
    tx.run(&MAKE, &row).await?;
    audit::tell(tx, &last, entry).await.map(Ok)
}

pub(crate) async fn by_hash<T: Tx>(tx: &mut T, hash: SecretHash) -> Result<Option<(Token, Account)>, Fault> {
    let Some(row) = tx.one(&BY_TEXT, &[hash.as_bytes().as_slice().into()]).await? else { return Ok(None) };
    Ok(Some((token(&row)?, account(&row)?)))
}

pub(crate) async fn page<T: Tx>(
    tx: &mut T,
    owner: Option<AccountId>,
    after: Option<TokenId>,
    most: u32,
) -> Result<Vec<Token>, Fault> {
    let (after, most) = (Arg::from(after.map_or(-1, TokenId::number)), Arg::from(most));
    let rows = match owner {
        None => tx.found(&PAGE, &[after, most]).await?,
        Some(owner) => tx.found(&PAGE_OF_OWNER, &[owner.number().into(), after, most]).await?,
    };
    Ok(rows.iter().map(token).collect::<Result<_, _>>()?)
}

pub(crate) async fn page_of_project<T: Tx>(
    tx: &mut T,
    project: ProjectId,
    after: Option<TokenId>,
    most: u32,
) -> Result<Vec<(Token, Account)>, Fault> {
    let after = after.map_or(-1, TokenId::number);
    let rows = tx.found(&PAGE_OF_PROJECT, &[project.number().into(), after.into(), most.into()]).await?;
    Ok(rows.iter().map(|row| Ok((token(row)?, account(row)?))).collect::<Result<_, StoreError>>()?)
}

pub(crate) async fn revoke<T: Tx>(
    tx: &mut T,
    id: TokenId,
    owner: Option<AccountId>,
    entry: &AuditEntry,
) -> Result<Answer<()>, Fault> {
    end(tx, id, entry, |whose, _| owner.is_none_or(|owner| owner == whose)).await
}

pub(crate) async fn revoke_of_project<T: Tx>(
    tx: &mut T,
    id: TokenId,
    project: ProjectId,
    entry: &AuditEntry,
) -> Result<Answer<()>, Fault> {
    end(tx, id, entry, |_, only| only == Some(project)).await
}

/// `fits`: whether a token of this owner, for this project alone or for all, is meant.
async fn end<T: Tx>(
    tx: &mut T,
    id: TokenId,
    entry: &AuditEntry,
    fits: impl FnOnce(AccountId, Option<ProjectId>) -> bool,
) -> Result<Answer<()>, Fault> {
    let last = audit::lock(tx).await?;
    let Some(row) = tx.one(&OWNER, &[id.number().into()]).await? else {
        return Ok(Err(Declined::NoSuchToken));
    };
    let whose = row.id("owner", AccountId::from_number)?;
    if !fits(whose, row.maybe_id("project", ProjectId::from_number)?) {
        return Ok(Err(Declined::NoSuchToken));
    }
    if row.maybe_moment("revoked_at")?.is_some() {
        return Ok(Ok(()));
    }
    tx.run(&REVOKE, &[entry.at.into(), id.number().into()]).await?;
    audit::tell(tx, &last, entry).await.map(Ok)
}

/// Within the caller's transaction, who tells of it; so does the next one.
pub(super) async fn revoke_all<T: Tx>(tx: &mut T, owner: AccountId, now: Timestamp) -> Result<(), Fault> {
    tx.run(&REVOKE_ALL, &[now.into(), owner.number().into()]).await.map(drop)
}

pub(super) async fn forget_all<T: Tx>(tx: &mut T, owner: AccountId) -> Result<(), Fault> {
    tx.run(&FORGET, &[owner.number().into()]).await.map(drop)
}

/// In the order of their ids, in which every server locks them.
pub(crate) async fn touch<T: Tx>(tx: &mut T, used: &[(TokenId, Timestamp)]) -> Result<(), Fault> {
    let mut last: BTreeMap<i64, i64> = BTreeMap::new();
    for (id, at) in used {
        let minute = at.0 - at.0.rem_euclid(MINUTE_MS);
        let latest = last.entry(id.number()).or_insert(minute);
        *latest = minute.max(*latest);
    }
    let rows: Vec<(i64, i64)> = last.into_iter().collect();
    tx.change(&TOUCH, &rows, &[]).await.map(drop)
}

fn token<R: Columns>(row: &R) -> Result<Token, StoreError> {
    let scopes = row.text("scopes")?;
    let scopes = Scopes::of_words(scopes.split_whitespace());
    Ok(Token {
        id: row.id("token", TokenId::from_number)?,
        name: row.text("label")?,
        owner: row.id("account", AccountId::from_number)?,
        scopes: scopes.map_err(|_| corrupt("a token of unknown scopes"))?,
        project: row.maybe_id("project", ProjectId::from_number)?,
        made_at: row.moment("made_at")?,
        expires_at: row.moment("expires_at")?,
        used_at: row.maybe_moment("used_at")?,
        revoked_at: row.maybe_moment("revoked_at")?,
    })
}
