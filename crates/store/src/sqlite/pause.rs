//! Pausing and resuming, of a run and of everything.

use const_format::formatcp;
use sqlx::{Connection, SqliteConnection, SqlitePool};
use weevil_model::{RunId, Timestamp};
use weevil_records::{Scope, StoreError};

use super::rows::failed;
use crate::words::{HELD, READY};

const MARK: &str = "update runs set paused_at = ?2 where id = ?1 and finished_at is null";

const HOLD: &str =
    formatcp!("update jobs set delivery = {HELD}, due_at = null where run = ?1 and delivery = {READY}");

/// The longest wait begins anew.
const LET_GO: &str = formatcp!(
    "update jobs set delivery = {READY}, due_at = ?2 + max_wait_ms where run = ?1 and delivery = {HELD}"
);

const STOP: &str = "insert into queue_pause (since) select ?1 where not exists (select 1 from queue_pause)";

const WAIT_ANEW: &str = formatcp!(
    "
update jobs set due_at = ?1 + max_wait_ms
where delivery = {READY} and due_at is not null and exists (select 1 from queue_pause)"
);

const START: &str = "delete from queue_pause";

pub(super) async fn pause(
    writer: &mut SqliteConnection,
    scope: Scope,
    paused: bool,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let mut tx = writer.begin_with("begin immediate").await.map_err(failed("beginning a pause"))?;
    let there = match scope {
        Scope::Run(run) => pause_run(&mut tx, run, paused, now).await,
        Scope::Queue => pause_queue(&mut tx, paused, now).await.map(|()| true),
    };
    let there = there.map_err(failed("pausing or resuming"))?;
    tx.commit().await.map_err(failed("committing a pause"))?;
    Ok(there)
}

async fn pause_run(
    tx: &mut SqliteConnection,
    run: RunId,
    paused: bool,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let (run, since) = (run.number(), paused.then_some(now.0));
    let marked = sqlx::query(MARK).bind(run).bind(since).execute(&mut *tx).await?.rows_affected();
    if marked == 0 {
        return Ok(false);
    }
    if paused {
        sqlx::query(HOLD).bind(run).execute(tx).await?;
    } else {
        sqlx::query(LET_GO).bind(run).bind(now.0).execute(tx).await?;
    }
    Ok(true)
}

async fn pause_queue(tx: &mut SqliteConnection, paused: bool, now: Timestamp) -> Result<(), sqlx::Error> {
    if paused {
        return sqlx::query(STOP).bind(now.0).execute(tx).await.map(drop);
    }
    sqlx::query(WAIT_ANEW).bind(now.0).execute(&mut *tx).await?;
    sqlx::query(START).execute(tx).await.map(drop)
}

pub(super) async fn since(readers: &SqlitePool) -> Result<Option<Timestamp>, StoreError> {
    let since: Result<Option<i64>, _> =
        sqlx::query_scalar("select min(since) from queue_pause").fetch_one(readers).await;
    since.map(|since| since.map(Timestamp)).map_err(failed("asking for a pause"))
}
