//! Pausing and resuming, of a run and of everything.

use const_format::formatcp;
use sqlx::{MySqlConnection, MySqlPool};
use weevil_model::{RunId, Timestamp};
use weevil_records::Scope;

use super::retry::{Fault, failed};
use super::writer::Writer;
use crate::words::{HELD, READY};

const OPEN: &str = "select 1 from runs where id = ? and finished_at is null for update";

const MARK: &str = "update runs set paused_at = ? where id = ?";

const HOLD: &str =
    formatcp!("update jobs set delivery = {HELD}, due_at = null where run = ? and delivery = {READY}");

/// The longest wait begins anew.
const LET_GO: &str = formatcp!(
    "update jobs set delivery = {READY}, due_at = ? + max_wait_ms where run = ? and delivery = {HELD}"
);

const STOP: &str =
    "insert into queue_pause (since) select ? from dual where not exists (select 1 from queue_pause)";

const WAIT_ANEW: &str = formatcp!(
    "
update jobs set due_at = ? + max_wait_ms
where delivery = {READY} and due_at is not null and exists (select 1 from queue_pause)"
);

const START: &str = "delete from queue_pause";

pub(super) async fn pause(
    writer: &mut Writer,
    scope: Scope,
    paused: bool,
    now: Timestamp,
) -> Result<bool, Fault> {
    let mut writing = writer.begin("beginning a pause").await?;
    let tx = &mut *writing.tx;
    let there = match scope {
        Scope::Run(run) => pause_run(tx, run, paused, now).await,
        Scope::Queue => pause_queue(tx, paused, now).await.map(|()| true),
    };
    let there = there.map_err(failed("pausing or resuming"))?;
    writing.commit("committing a pause", now).await?;
    Ok(there)
}

async fn pause_run(
    tx: &mut MySqlConnection,
    run: RunId,
    paused: bool,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let run = run.number();
    if sqlx::query(OPEN).bind(run).fetch_optional(&mut *tx).await?.is_none() {
        return Ok(false);
    }
    sqlx::query(MARK).bind(paused.then_some(now.0)).bind(run).execute(&mut *tx).await?;
    if paused {
        sqlx::query(HOLD).bind(run).execute(tx).await?;
    } else {
        sqlx::query(LET_GO).bind(now.0).bind(run).execute(tx).await?;
    }
    Ok(true)
}

async fn pause_queue(tx: &mut MySqlConnection, paused: bool, now: Timestamp) -> Result<(), sqlx::Error> {
    if paused {
        return sqlx::query(STOP).bind(now.0).execute(tx).await.map(drop);
    }
    sqlx::query(WAIT_ANEW).bind(now.0).execute(&mut *tx).await?;
    sqlx::query(START).execute(tx).await.map(drop)
}

pub(super) async fn since(readers: &MySqlPool) -> Result<Option<Timestamp>, Fault> {
    let since: Result<Option<i64>, _> =
        sqlx::query_scalar("select min(since) from queue_pause").fetch_one(readers).await;
    since.map(|since| since.map(Timestamp)).map_err(failed("asking for a pause"))
}
