//! What takes something from an account, or gives it back. The last one that administers the server keeps all of it.

use const_format::formatcp;
use weevil_access::audit::AuditEntry;
use weevil_access::store::{Account, AccountState, Answer, Declined};
use weevil_model::{AccountId, Timestamp};

use super::accounts::known;
use super::{audit, links, members, sessions, tokens};
use crate::fault::Fault;
use crate::sql::{Arg, Sql};
use crate::tx::Tx;
use crate::words::{ACTIVE, DISABLED, REMOVED};

/// By the index of admins.
const ADMIN_BESIDE: Sql = Sql::of(
    "looking for admins",
    formatcp!("select id from accounts where admin = 1 and state = {ACTIVE} and id <> ? limit 1"),
);

/// By the primary key, like the next two.
const SET_STATE: Sql =
    Sql::of("changing an account", "update accounts set state = ?, state_at = ? where id = ?");

const SET_ADMIN: Sql = Sql::of("changing an account", "update accounts set admin = ? where id = ?");

const FORGET: Sql = Sql::of(
    "removing an account",
    formatcp!(
        "
update accounts set name = null, display = '', admin = 0, password = null, state = {REMOVED}, state_at = ?
where id = ?"
    ),
);

/// No id is negative.
pub(crate) async fn has_admin<T: Tx>(tx: &mut T) -> Result<bool, Fault> {
    Ok(tx.one(&ADMIN_BESIDE, &[(-1_i64).into()]).await?.is_some())
}

async fn is_last_admin<T: Tx>(tx: &mut T, account: &Account) -> Result<bool, Fault> {
    let is_admin = account.admin && account.state == AccountState::Active;
    Ok(is_admin && tx.one(&ADMIN_BESIDE, &[account.id.number().into()]).await?.is_none())
}

/// What is disabled already stays as it is, and the audit has told of it.
pub(crate) async fn disable<T: Tx>(
    tx: &mut T,
    id: AccountId,
    entry: &AuditEntry,
) -> Result<Answer<()>, Fault> {
    let last = audit::lock(tx).await?;
    let Some(account) = known(tx, id).await? else { return Ok(Err(Declined::NoSuchAccount)) };
    if account.state != AccountState::Active {
        return Ok(Ok(()));
    }
    if is_last_admin(tx, &account).await? {
        return Ok(Err(Declined::LastAdmin));
    }
    set_state(tx, id, DISABLED, Some(entry.at)).await?;
    sessions::end_all(tx, id, None).await?;
    tokens::revoke_all(tx, id, entry.at).await?;
    audit::tell(tx, &last, entry).await.map(Ok)
}

pub(crate) async fn enable<T: Tx>(
    tx: &mut T,
    id: AccountId,
    entry: &AuditEntry,
) -> Result<Answer<()>, Fault> {
    let last = audit::lock(tx).await?;
    let Some(account) = known(tx, id).await? else { return Ok(Err(Declined::NoSuchAccount)) };
    if account.state == AccountState::Active {
        return Ok(Ok(()));
    }
    set_state(tx, id, ACTIVE, None).await?;
    audit::tell(tx, &last, entry).await.map(Ok)
}

async fn set_state<T: Tx>(tx: &mut T, id: AccountId, state: u8, at: Option<Timestamp>) -> Result<(), Fault> {
    let at = Arg::Number(at.map(|at| at.0));
    tx.run(&SET_STATE, &[u32::from(state).into(), at, id.number().into()]).await.map(drop)
}

pub(crate) async fn set_admin<T: Tx>(
    tx: &mut T,
    id: AccountId,
    admin: bool,
    entry: &AuditEntry,
) -> Result<Answer<()>, Fault> {
    let last = audit::lock(tx).await?;
    let Some(account) = known(tx, id).await? else { return Ok(Err(Declined::NoSuchAccount)) };
    if account.admin == admin {
        return Ok(Ok(()));
    }
    if !admin && is_last_admin(tx, &account).await? {
        return Ok(Err(Declined::LastAdmin));
    }
    tx.run(&SET_ADMIN, &[i64::from(admin).into(), id.number().into()]).await?;
    audit::tell(tx, &last, entry).await.map(Ok)
}

pub(crate) async fn remove<T: Tx>(
    tx: &mut T,
    id: AccountId,
    entry: &AuditEntry,
) -> Result<Answer<()>, Fault> {
    let last = audit::lock(tx).await?;
    let Some(account) = known(tx, id).await? else { return Ok(Err(Declined::NoSuchAccount)) };
    if is_last_admin(tx, &account).await? {
        return Ok(Err(Declined::LastAdmin));
    }
    sessions::end_all(tx, id, None).await?;
    tokens::forget_all(tx, id).await?;
    links::forget_all(tx, id).await?;
    members::forget_all(tx, id).await?;
    tx.run(&FORGET, &[entry.at.into(), id.number().into()]).await?;
    audit::tell(tx, &last, entry).await.map(Ok)
}
