//! Looking back at the audit: pages for people, and the chain as a verification reads it.

use const_format::formatcp;
use weevil_access::audit::{Action, AuditRow};
use weevil_access::store::AuditQuery;
use weevil_model::{AuditId, ProjectId, StoreError, Timestamp};

use crate::columns::Columns;
use crate::fault::Fault;
use crate::sql::{Arg, Sql};
use crate::tx::Tx;

const ROW: &str =
    "id, written_at, actor, action, subject, project, place, outcome, details, previous, hash from audit";

/// Between two numbers, the upper one no more, backwards along an index whose entries end with the number.
const BETWEEN: &str = "id >= ? and id < ? order by id desc limit ?";

const ALL: Sql = Sql::of("listing the audit", formatcp!("select {ROW} where {BETWEEN}"));
const OF_ACTOR: Sql = Sql::of("listing the audit", formatcp!("select {ROW} where actor = ? and {BETWEEN}"));
const OF_ACTION: Sql = Sql::of("listing the audit", formatcp!("select {ROW} where action = ? and {BETWEEN}"));
const OF_BOTH: Sql =
    Sql::of("listing the audit", formatcp!("select {ROW} where actor = ? and action = ? and {BETWEEN}"));
/// A project's rows are few beside all; those of one actor or action are looked for among them.
const OF_PROJECT: Sql = Sql::of(
    "listing the audit",
    formatcp!(
        "
select {ROW} where project = ? and actor = coalesce(?, actor) and action = coalesce(?, action) and {BETWEEN}"
    ),
);

/// Moments never turn back along the chain, so a span of time is a span of numbers.
const FIRST_AT: Sql = Sql::of(
    "listing the audit",
    "select id from audit where written_at >= ? order by written_at, id limit 1",
);

/// By the primary key.
const CHAIN: Sql = Sql::of("reading the audit", formatcp!("select {ROW} where id > ? order by id limit ?"));

pub(crate) async fn page<T: Tx>(
    tx: &mut T,
    query: &AuditQuery,
    before: Option<AuditId>,
    most: u32,
) -> Result<Vec<AuditRow>, Fault> {
    let Some((from, to)) = numbers(tx, query, before).await? else { return Ok(Vec::new()) };
    let actor = query.actor.map(|actor| actor.to_string());
    let (actor, action) = (actor.as_deref(), query.action.map(Action::as_str));
    let (sql, mut args): (&Sql, Vec<Arg<'_>>) = match (query.project, actor, action) {
        (Some(project), ..) => {
            (&OF_PROJECT, vec![project.number().into(), Arg::Text(actor), Arg::Text(action)])
        }
        (None, Some(actor), Some(action)) => (&OF_BOTH, vec![actor.into(), action.into()]),
        (None, Some(actor), None) => (&OF_ACTOR, vec![actor.into()]),
        (None, None, Some(action)) => (&OF_ACTION, vec![action.into()]),
        (None, None, None) => (&ALL, vec![]),
    };
    args.extend([Arg::from(from), to.into(), most.into()]);
    let rows = tx.found(sql, &args).await?;
    Ok(rows.iter().map(row).collect::<Result<_, _>>()?)
}

/// The first number, and the first no more. `None` where there is no row in the span.
async fn numbers<T: Tx>(
    tx: &mut T,
    query: &AuditQuery,
    before: Option<AuditId>,
) -> Result<Option<(i64, i64)>, Fault> {
    let from = match query.from {
        Some(from) => first_at(tx, from).await?,
        None => Some(0),
    };
    let to = match query.to {
        Some(to) => first_at(tx, to).await?,
        None => None,
    };
    let to = to.unwrap_or(i64::MAX).min(before.map_or(i64::MAX, AuditId::number));
    Ok(from.map(|from| (from, to)))
}

async fn first_at<T: Tx>(tx: &mut T, at: Timestamp) -> Result<Option<i64>, Fault> {
    let row = tx.one(&FIRST_AT, &[at.into()]).await?;
    Ok(row.map(|row| row.number("id")).transpose()?)
}

pub(crate) async fn chain<T: Tx>(tx: &mut T, after: i64, most: u32) -> Result<Vec<AuditRow>, Fault> {
    let rows = tx.found(&CHAIN, &[after.into(), most.into()]).await?;
    Ok(rows.iter().map(row).collect::<Result<_, _>>()?)
}

fn row<R: Columns>(row: &R) -> Result<AuditRow, StoreError> {
    Ok(AuditRow {
        id: row.id("id", AuditId::from_number)?,
        at: row.moment("written_at")?,
        actor: row.text("actor")?,
        action: row.text("action")?,
        subject: row.maybe_text("subject")?,
        project: row.maybe_id("project", ProjectId::from_number)?,
        place: row.maybe_text("place")?,
        outcome: row.text("outcome")?,
        details: row.maybe_text("details")?,
        previous: row.hash("previous")?,
        hash: row.hash("hash")?,
    })
}
