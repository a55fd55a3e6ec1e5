//! Accounts one by one and page by page; the rows of others begin with an account's columns, too. What takes something
//! from somebody stands in `admins.rs`.

use const_format::formatcp;
use weevil_access::AccountName;
use weevil_access::audit::AuditEntry;
use weevil_access::store::{Account, AccountState, Answer, Credentials, Declined, NewAccount, PasswordText};
use weevil_model::{AccountId, SessionId, StoreError, Timestamp};

use super::{audit, sessions};
use crate::columns::Columns;
use crate::fault::Fault;
use crate::json::corrupt;
use crate::sql::{Arg, Sql};
use crate::tx::Tx;
use crate::words::{ACTIVE, DISABLED, REMOVED};

/// What people see of an account.
pub(super) const SQLITE: &str =
    "a.id as account, a.name, a.display, a.admin, a.created_at, a.state, a.state_at";
/// Names are bytes there.
pub(super) const MYSQL: &str = "
a.id as account, convert(a.name using utf8mb4) as name, a.display, a.admin, a.created_at, a.state, a.state_at";

/// By the primary key.
const ONE: Sql = Sql {
    doing: "reading an account",
    sqlite: formatcp!("select {SQLITE} from accounts a where a.id = ?"),
    mysql: formatcp!("select {MYSQL} from accounts a where a.id = ?"),
};

/// By the index of names.
const NAMED: Sql = Sql {
    doing: "reading an account",
    sqlite: formatcp!("select {SQLITE}, a.password from accounts a where a.name = ?"),
    mysql: formatcp!("select {MYSQL}, a.password from accounts a where a.name = ?"),
};

/// By the primary key; those that are removed are few.
const PAGE: Sql = Sql {
    doing: "listing accounts",
    sqlite: formatcp!(
        "select {SQLITE} from accounts a where a.id > ? and a.state <> {REMOVED} order by a.id limit ?"
    ),
    mysql: formatcp!(
        "select {MYSQL} from accounts a where a.id > ? and a.state <> {REMOVED} order by a.id limit ?"
    ),
};

/// By the index of states, whose entries end with the id.
const PAGE_OF_STATE: Sql = Sql {
    doing: "listing accounts",
    sqlite: formatcp!("select {SQLITE} from accounts a where a.state = ? and a.id > ? order by a.id limit ?"),
    mysql: formatcp!("select {MYSQL} from accounts a where a.state = ? and a.id > ? order by a.id limit ?"),
};

/// An id is given once, and names are looked for before.
const ADD: Sql = Sql::of(
    "adding an account",
    "insert into accounts (id, name, display, admin, password, created_at) values (?, ?, ?, ?, ?, ?)",
);

/// By the primary key.
const SET_PASSWORD: Sql = Sql::of("setting a password", "update accounts set password = ? where id = ?");

pub(crate) async fn add<T: Tx>(
    tx: &mut T,
    account: &NewAccount,
    entry: &AuditEntry,
) -> Result<Answer<()>, Fault> {
    let last = audit::lock(tx).await?;
    if named(tx, &account.name).await?.is_some() {
        return Ok(Err(Declined::NameTaken));
    }
    insert(tx, account, entry.at).await?;
    audit::tell(tx, &last, entry).await.map(Ok)
}

/// Within the caller's transaction, which has seen that the name is free.
pub(super) async fn insert<T: Tx>(tx: &mut T, account: &NewAccount, now: Timestamp) -> Result<(), Fault> {
    let row = [
        account.id.number().into(),
        Arg::Key(account.name.as_str()),
        account.display.as_str().into(),
        i64::from(account.admin).into(),
        Arg::Text(account.password.as_ref().map(|password| password.0.as_str())),
        now.into(),
    ];
    tx.run(&ADD, &row).await.map(drop)
}

pub(crate) async fn one<T: Tx>(tx: &mut T, id: AccountId) -> Result<Option<Account>, Fault> {
    let row = tx.one(&ONE, &[id.number().into()]).await?;
    Ok(row.as_ref().map(account).transpose()?)
}

/// The account unless it is removed.
pub(super) async fn known<T: Tx>(tx: &mut T, id: AccountId) -> Result<Option<Account>, Fault> {
    Ok(one(tx, id).await?.filter(|account| !matches!(account.state, AccountState::Removed { .. })))
}

pub(crate) async fn named<T: Tx>(tx: &mut T, name: &AccountName) -> Result<Option<Credentials>, Fault> {
    let Some(row) = tx.one(&NAMED, &[Arg::Key(name.as_str())]).await? else { return Ok(None) };
    let password = row.maybe_text("password")?.map(PasswordText);
    Ok(Some(Credentials { account: account(&row)?, password }))
}

pub(crate) async fn page<T: Tx>(
    tx: &mut T,
    disabled: Option<bool>,
    after: Option<AccountId>,
    most: u32,
) -> Result<Vec<Account>, Fault> {
    let (after, most) = (Arg::from(after.map_or(-1, AccountId::number)), Arg::from(most));
    let rows = match disabled {
        None => tx.found(&PAGE, &[after, most]).await?,
        Some(disabled) => {
            let state = u32::from(if disabled { DISABLED } else { ACTIVE });
            tx.found(&PAGE_OF_STATE, &[state.into(), after, most]).await?
        }
    };
    Ok(rows.iter().map(account).collect::<Result<_, _>>()?)
}

pub(crate) async fn set_password<T: Tx>(
    tx: &mut T,
    id: AccountId,
    password: &PasswordText,
    keep: Option<SessionId>,
    entry: &AuditEntry,
) -> Result<Answer<()>, Fault> {
    let last = audit::lock(tx).await?;
    if known(tx, id).await?.is_none() {
        return Ok(Err(Declined::NoSuchAccount));
    }
    rehash(tx, id, password).await?;
    sessions::end_all(tx, id, keep).await?;
    audit::tell(tx, &last, entry).await.map(Ok)
}

/// Nothing happens to an account that is removed meanwhile: the caller has read its password before.
pub(crate) async fn rehash<T: Tx>(tx: &mut T, id: AccountId, password: &PasswordText) -> Result<(), Fault> {
    tx.run(&SET_PASSWORD, &[password.0.as_str().into(), id.number().into()]).await.map(drop)
}

/// From a row with the columns of `SQLITE` or `MYSQL`.
pub(super) fn account<R: Columns>(row: &R) -> Result<Account, StoreError> {
    Ok(Account {
        id: row.id("account", AccountId::from_number)?,
        name: row.maybe_text("name")?.unwrap_or_default(),
        display: row.text("display")?,
        admin: row.number("admin")? != 0,
        created_at: row.moment("created_at")?,
        state: state(row.small("state")?, row.maybe_moment("state_at")?)?,
    })
}

fn state(number: u32, at: Option<Timestamp>) -> Result<AccountState, StoreError> {
    match (u8::try_from(number), at) {
        (Ok(ACTIVE), None) => Ok(AccountState::Active),
        (Ok(DISABLED), Some(at)) => Ok(AccountState::Disabled { at }),
        (Ok(REMOVED), Some(at)) => Ok(AccountState::Removed { at }),
        _ => Err(corrupt("an account in an unknown state")),
    }
}
