//! Retention: what runs and stand-alone jobs that ended long ago have left, removed piece by piece.
//!
//! Never touches what has not ended, nor workflows and their files.

use sqlx::{Connection, SqliteConnection};
use weevil_model::{RunId, Timestamp};
use weevil_records::{Forgotten, StoreError};

use super::rows::failed;
use crate::shared::columns::Columns;

const OLDEST: &str =
    "select id from runs where finished_at is not null and finished_at < ?1 order by finished_at limit 1";

const ATTEMPTS: &str =
    "delete from attempts where job in (select id from jobs where run = ?1 order by path limit ?2)";

const JOBS: &str = "delete from jobs where id in (select id from jobs where run = ?1 order by path limit ?2)";

/// Stand-alone jobs, by the moment of their end.
const ALONE: [&str; 2] = [
    "delete from attempts where job in (
        select id from jobs where queue is not null and ended_at is not null and ended_at < ?1 order by ended_at, id limit ?2)",
    "delete from jobs where id in (
        select id from jobs where queue is not null and ended_at is not null and ended_at < ?1 order by ended_at, id limit ?2)",
];

const REST: [&str; 2] = ["delete from run_inputs where run = ?1", "delete from runs where id = ?1"];

pub(super) async fn forget(
    writer: &mut SqliteConnection,
    before: Timestamp,
    most: u32,
) -> Result<Forgotten, StoreError> {
    let mut tx = writer.begin_with("begin immediate").await.map_err(failed("beginning to forget"))?;
    let oldest = sqlx::query(OLDEST).bind(before.0).fetch_optional(&mut *tx).await;
    let forgotten = match oldest.map_err(failed("looking for an old run"))? {
        Some(row) => forget_run(&mut tx, row.run_id("id")?, most).await,
        None => forget_alone(&mut tx, before, most).await,
    };
    let forgotten = forgotten.map_err(failed("forgetting"))?;
    tx.commit().await.map_err(failed("committing what is forgotten"))?;
    Ok(forgotten)
}

async fn forget_run(tx: &mut SqliteConnection, run: RunId, most: u32) -> Result<Forgotten, sqlx::Error> {
    let jobs = forget_jobs(tx, run, most).await?;
    let whole = jobs < u64::from(most);
    if whole {
        for statement in REST {
            sqlx::query(statement).bind(run.number()).execute(&mut *tx).await?;
        }
    }
    Ok(Forgotten { jobs, run: whole.then_some(run) })
}

async fn forget_alone(
    tx: &mut SqliteConnection,
    before: Timestamp,
    most: u32,
) -> Result<Forgotten, sqlx::Error> {
    let mut jobs = 0;
    for statement in ALONE {
        jobs = sqlx::query(statement).bind(before.0).bind(most).execute(&mut *tx).await?.rows_affected();
    }
    Ok(Forgotten { jobs, run: None })
}

async fn forget_jobs(tx: &mut SqliteConnection, run: RunId, most: u32) -> Result<u64, sqlx::Error> {
    sqlx::query(ATTEMPTS).bind(run.number()).bind(most).execute(&mut *tx).await?;
    let jobs = sqlx::query(JOBS).bind(run.number()).bind(most).execute(tx).await?;
    Ok(jobs.rows_affected())
}
