//! Who belongs to which project, and as what.

use const_format::formatcp;
use weevil_access::audit::AuditEntry;
use weevil_access::limits::MAX_MEMBERS;
use weevil_access::store::{Answer, Declined, Member, Membership};
use weevil_model::{AccountId, ProjectId, Role, StoreError, Timestamp};

use super::accounts::{self, account, known};
use super::audit;
use super::projects::{PROJECT, project};
use crate::columns::Columns;
use crate::fault::Fault;
use crate::json::corrupt;
use crate::sql::Sql;
use crate::tx::Tx;

const SQLITE: &str = accounts::SQLITE;
const MYSQL: &str = accounts::MYSQL;

/// By the primary key of members, then by that of accounts.
const PAGE: Sql = Sql {
    doing: "listing members",
    sqlite: formatcp!(
        "
select m.role, m.since, {SQLITE} from members m cross join accounts a on a.id = m.account
where m.project = ? and m.account > ? order by m.account limit ?"
    ),
    mysql: formatcp!(
        "
select straight_join m.role, m.since, {MYSQL} from members m join accounts a on a.id = m.account
where m.project = ? and m.account > ? order by m.account limit ?"
    ),
};

/// By the index of accounts, then by the primary key of projects.
const OF_ACCOUNT: Sql = Sql {
    doing: "reading memberships",
    sqlite: formatcp!(
        "
select m.role, {PROJECT} from members m cross join projects p on p.id = m.project
where m.account = ? order by m.project"
    ),
    mysql: formatcp!(
        "
select straight_join m.role, {PROJECT} from members m force index (members_account) join projects p on p.id = m.project
where m.account = ? order by m.project"
    ),
};

/// Why there is no room for another.
pub(super) const FULL: Declined = Declined::TooMany { what: "members", most: MAX_MEMBERS };

/// By the primary keys, like the next four.
const PROJECT_THERE: Sql = Sql::of("setting a member", "select id from projects where id = ?");

const OTHERS: Sql =
    Sql::of("counting members", "select count(*) as there from members where project = ? and account <> ?");

const CHANGE: Sql =
    Sql::of("setting a member", "update members set role = ? where project = ? and account = ?");

const ADD: Sql =
    Sql::of("setting a member", "insert into members (project, account, role, since) values (?, ?, ?, ?)");

const REMOVE: Sql = Sql::of("removing a member", "delete from members where project = ? and account = ?");

/// By the index of accounts.
const FORGET: Sql = Sql::of("removing an account", "delete from members where account = ?");

pub(crate) async fn page<T: Tx>(
    tx: &mut T,
    project: ProjectId,
    after: Option<AccountId>,
    most: u32,
) -> Result<Vec<Member>, Fault> {
    let after = after.map_or(-1, AccountId::number);
    let rows = tx.found(&PAGE, &[project.number().into(), after.into(), most.into()]).await?;
    let member =
        |row| Ok(Member { account: account(row)?, role: role(row)?, since: Columns::moment(row, "since")? });
    Ok(rows.iter().map(member).collect::<Result<_, StoreError>>()?)
}

pub(crate) async fn of_account<T: Tx>(tx: &mut T, account: AccountId) -> Result<Vec<Membership>, Fault> {
    let rows = tx.found(&OF_ACCOUNT, &[account.number().into()]).await?;
    let membership = |row| Ok(Membership { project: project(row)?, role: role(row)? });
    Ok(rows.iter().map(membership).collect::<Result<_, StoreError>>()?)
}

pub(crate) async fn set<T: Tx>(
    tx: &mut T,
    project: ProjectId,
    account: AccountId,
    role: Role,
    entry: &AuditEntry,
) -> Result<Answer<()>, Fault> {
    let last = audit::lock(tx).await?;
    if !is_there(tx, project).await? {
        return Ok(Err(Declined::NoSuchProject));
    }
    if known(tx, account).await?.is_none() {
        return Ok(Err(Declined::NoSuchAccount));
    }
    if is_full(tx, project, account).await? {
        return Ok(Err(FULL));
    }
    put(tx, project, account, role, entry.at).await?;
    audit::tell(tx, &last, entry).await.map(Ok)
}

/// Whether there is such a project.
pub(super) async fn is_there<T: Tx>(tx: &mut T, project: ProjectId) -> Result<bool, Fault> {
    Ok(tx.one(&PROJECT_THERE, &[project.number().into()]).await?.is_some())
}

/// Whether others leave no room for this account.
pub(super) async fn is_full<T: Tx>(
    tx: &mut T,
    project: ProjectId,
    account: AccountId,
) -> Result<bool, Fault> {
    let others = tx.one(&OTHERS, &[project.number().into(), account.number().into()]).await?;
    Ok(others.map_or(Ok(0), |row| row.small("there"))? >= MAX_MEMBERS)
}

/// Within the caller's transaction, who has seen that both are there and the project is not full, and tells of it.
pub(super) async fn put<T: Tx>(
    tx: &mut T,
    project: ProjectId,
    account: AccountId,
    role: Role,
    now: Timestamp,
) -> Result<(), Fault> {
    let (project, account) = (project.number().into(), account.number().into());
    if tx.run(&CHANGE, &[role.as_str().into(), project, account]).await? == 0 {
        tx.run(&ADD, &[project, account, role.as_str().into(), now.into()]).await?;
    }
    Ok(())
}

pub(crate) async fn remove<T: Tx>(
    tx: &mut T,
    project: ProjectId,
    account: AccountId,
    entry: &AuditEntry,
) -> Result<Answer<()>, Fault> {
    let last = audit::lock(tx).await?;
    if tx.run(&REMOVE, &[project.number().into(), account.number().into()]).await? == 0 {
        return Ok(Err(Declined::NoSuchAccount));
    }
    audit::tell(tx, &last, entry).await.map(Ok)
}

/// Within the caller's transaction, who tells of it.
pub(super) async fn forget_all<T: Tx>(tx: &mut T, account: AccountId) -> Result<(), Fault> {
    tx.run(&FORGET, &[account.number().into()]).await.map(drop)
}

/// From a row that has one.
pub(super) fn role<R: Columns>(row: &R) -> Result<Role, StoreError> {
    row.word("role", Role::parse)?.ok_or_else(|| corrupt("a member without a role"))
}
