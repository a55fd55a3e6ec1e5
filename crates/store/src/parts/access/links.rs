//! Links: made, looked at, and used once, in the transaction of what they are used for.

use const_format::formatcp;
use weevil_access::SecretHash;
use weevil_access::audit::AuditEntry;
use weevil_access::limits::MAX_OPEN_INVITES;
use weevil_access::store::{
    Account, AccountState, Answer, Declined, Link, LinkFor, NewAccount, NewLink, PasswordText,
};
use weevil_failpoint::{Point, pass};
use weevil_model::{AccountId, ProjectId, Role, StoreError, Timestamp};

use super::accounts::{self, known};
use super::admins::has_admin;
use super::{audit, members, sessions};
use crate::columns::Columns;
use crate::fault::Fault;
use crate::json::corrupt;
use crate::sql::{Arg, Sql};
use crate::tx::Tx;
use crate::words::{FIRST_ADMIN, INVITE, RESET};

/// By the primary key.
const OPEN: Sql = Sql::of(
    "reading a link",
    "
select kind, made_by, account, admin, project, role, made_at, expires_at from links
where hash = ? and used_at is null and expires_at > ?",
);

const MAKE: Sql = Sql::of(
    "making a link",
    "
insert into links (hash, kind, made_by, account, admin, project, role, made_at, expires_at)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
);

/// By the primary key. The caller has read the link in this transaction.
const USE: Sql = Sql::of("using a link", "update links set used_at = ? where hash = ?");

/// By the index of kinds, like the next one.
const VOID_FIRST_ADMIN: Sql =
    Sql::of("making a link", formatcp!("delete from links where kind = '{FIRST_ADMIN}' and used_at is null"));

const OPEN_INVITES: Sql = Sql::of(
    "counting invitations",
    formatcp!(
        "select count(*) as there from links where kind = '{INVITE}' and used_at is null and expires_at > ?"
    ),
);

/// By the index of accounts, like the next one.
const VOID_RESETS: Sql = Sql::of(
    "making a link",
    formatcp!("delete from links where account = ? and kind = '{RESET}' and used_at is null"),
);

const FORGET: Sql = Sql::of("removing an account", "delete from links where account = ?");

pub(crate) async fn make<T: Tx>(tx: &mut T, new: &NewLink, entry: &AuditEntry) -> Result<Answer<()>, Fault> {
    let last = audit::lock(tx).await?;
    let link = &new.link;
    if let Some(declined) = make_room(tx, link, entry.at).await? {
        return Ok(Err(declined));
    }
    let (kind, account, admin, into) = columns(link.good_for);
    let made_by = link.made_by.to_string();
    let row = [
        new.hash.as_bytes().as_slice().into(),
        kind.into(),
        made_by.as_str().into(),
        Arg::Number(account.map(AccountId::number)),
        i64::from(admin).into(),
        Arg::Number(into.map(|(project, _)| project.number())),
        Arg::Text(into.map(|(_, role)| role.as_str())),
        link.made_at.into(),
        link.expires_at.into(),
    ];
    tx.run(&MAKE, &row).await?;
    audit::tell(tx, &last, entry).await.map(Ok)
}

/// Makes earlier links void whose place the new one takes. Answers why there may be no new one.
async fn make_room<T: Tx>(tx: &mut T, link: &Link, now: Timestamp) -> Result<Option<Declined>, Fault> {
    match link.good_for {
        LinkFor::FirstAdmin => {
            if has_admin(tx).await? {
                return Ok(Some(Declined::AdminThere));
            }
            tx.run(&VOID_FIRST_ADMIN, &[]).await?;
        }
        LinkFor::Invite { into, .. } => {
            if let Some((project, _)) = into
                && !members::is_there(tx, project).await?
            {
                return Ok(Some(Declined::NoSuchProject));
            }
            let there = tx.one(&OPEN_INVITES, &[now.into()]).await?;
            if there.is_some_and(|row| row.small("there").is_ok_and(|there| there >= MAX_OPEN_INVITES)) {
                return Ok(Some(Declined::TooMany { what: "open invitations", most: MAX_OPEN_INVITES }));
            }
        }
        LinkFor::Reset { account } => {
            if known(tx, account).await?.is_none() {
                return Ok(Some(Declined::NoSuchAccount));
            }
            tx.run(&VOID_RESETS, &[account.number().into()]).await?;
        }
    }
    Ok(None)
}

pub(crate) async fn open<T: Tx>(tx: &mut T, hash: SecretHash, now: Timestamp) -> Result<Option<Link>, Fault> {
    let row = tx.one(&OPEN, &[hash.as_bytes().as_slice().into(), now.into()]).await?;
    Ok(row.as_ref().map(link).transpose()?)
}

pub(crate) async fn accept<T: Tx>(
    tx: &mut T,
    hash: SecretHash,
    account: &NewAccount,
    entry: &AuditEntry,
) -> Result<Answer<Account>, Fault> {
    let last = audit::lock(tx).await?;
    let good_for = open(tx, hash, entry.at).await?.map(|link| link.good_for);
    let (admin, into) = match good_for {
        Some(LinkFor::FirstAdmin) if has_admin(tx).await? => return Ok(Err(Declined::AdminThere)),
        Some(LinkFor::FirstAdmin) => (true, None),
        Some(LinkFor::Invite { admin, into }) => (admin, into),
        Some(LinkFor::Reset { .. }) | None => return Ok(Err(Declined::BadLink)),
    };
    if accounts::named(tx, &account.name).await?.is_some() {
        return Ok(Err(Declined::NameTaken));
    }
    if let Some((project, _)) = into
        && members::is_full(tx, project, account.id).await?
    {
        return Ok(Err(members::FULL));
    }
    accounts::insert(tx, &NewAccount { admin, ..account.clone() }, entry.at).await?;
    if let Some((project, role)) = into {
        members::put(tx, project, account.id, role, entry.at).await?;
    }
    spend(tx, hash, entry.at).await?;
    audit::tell(tx, &last, entry).await?;
    Ok(Ok(Account {
        id: account.id,
        name: account.name.to_string(),
        display: account.display.to_string(),
        admin,
        created_at: entry.at,
        state: AccountState::Active,
    }))
}

pub(crate) async fn reset<T: Tx>(
    tx: &mut T,
    hash: SecretHash,
    password: &PasswordText,
    entry: &AuditEntry,
) -> Result<Answer<AccountId>, Fault> {
    let last = audit::lock(tx).await?;
    let good_for = open(tx, hash, entry.at).await?.map(|link| link.good_for);
    let Some(LinkFor::Reset { account }) = good_for else { return Ok(Err(Declined::BadLink)) };
    accounts::rehash(tx, account, password).await?;
    sessions::end_all(tx, account, None).await?;
    spend(tx, hash, entry.at).await?;
    audit::tell(tx, &last, entry).await?;
    Ok(Ok(account))
}

async fn spend<T: Tx>(tx: &mut T, hash: SecretHash, now: Timestamp) -> Result<(), Fault> {
    tx.run(&USE, &[now.into(), hash.as_bytes().as_slice().into()]).await?;
    pass(Point::LinkUsed);
    Ok(())
}

/// Within the caller's transaction, who tells of it.
pub(super) async fn forget_all<T: Tx>(tx: &mut T, account: AccountId) -> Result<(), Fault> {
    tx.run(&FORGET, &[account.number().into()]).await.map(drop)
}

type Good = (&'static str, Option<AccountId>, bool, Option<(ProjectId, Role)>);

const fn columns(good_for: LinkFor) -> Good {
    match good_for {
        LinkFor::FirstAdmin => (FIRST_ADMIN, None, true, None),
        LinkFor::Invite { admin, into } => (INVITE, None, admin, into),
        LinkFor::Reset { account } => (RESET, Some(account), false, None),
    }
}

fn into<R: Columns>(row: &R) -> Result<Option<(ProjectId, Role)>, StoreError> {
    let Some(project) = row.maybe_id("project", ProjectId::from_number)? else { return Ok(None) };
    Ok(Some((project, members::role(row)?)))
}

fn link<R: Columns>(row: &R) -> Result<Link, StoreError> {
    let account = row.maybe_id("account", AccountId::from_number)?;
    let good_for = match (row.text("kind")?.as_str(), account) {
        (FIRST_ADMIN, None) => LinkFor::FirstAdmin,
        (INVITE, None) => LinkFor::Invite { admin: row.number("admin")? != 0, into: into(row)? },
        (RESET, Some(account)) => LinkFor::Reset { account },
        _ => return Err(corrupt("a link of an unknown kind")),
    };
    Ok(Link {
        made_by: row.text("made_by")?.parse().map_err(|_| corrupt("a link of an unknown maker"))?,
        good_for,
        made_at: row.moment("made_at")?,
        expires_at: row.moment("expires_at")?,
    })
}
