//! Retention: what runs and stand-alone jobs that ended long ago have left, removed piece by piece.
//!
//! Never touches what has not ended, nor workflows and their files.

use sqlx::{MySqlConnection, MySqlPool};
use weevil_model::{RunId, Timestamp};
use weevil_records::Forgotten;

use super::retry::{Fault, failed};
use super::writer::Writer;
use crate::shared::columns::Columns;

const OLDEST: &str = "select id from runs where finished_at < ? order by finished_at limit 1";

/// The jobs of one piece, in the order in which `JOBS` takes them.
const ATTEMPTS: &str = "
delete a from (select id from jobs where run = ? order by identity limit ?) j
straight_join attempts a on a.job = j.id";

const JOBS: &str = "delete from jobs where run = ? order by identity limit ?";

/// Stand-alone jobs, by the moment of their end.
const ALONE: [&str; 2] = [
    "delete a from (select id from jobs where alone_at < ? order by alone_at, id limit ?) j
     straight_join attempts a on a.job = j.id",
    "delete from jobs where alone_at < ? order by alone_at, id limit ?",
];

const REST: [&str; 2] = ["delete from run_inputs where run = ?", "delete from runs where id = ?"];

pub(super) async fn forget(
    readers: &MySqlPool,
    writer: &mut Writer,
    before: Timestamp,
    most: u32,
    now: Timestamp,
) -> Result<Forgotten, Fault> {
    let oldest = sqlx::query(OLDEST).bind(before.0).fetch_optional(readers).await;
    let oldest = oldest.map_err(failed("looking for an old run"))?;
    let mut writing = writer.begin("beginning to forget").await?;
    let tx = &mut *writing.tx;
    let forgotten = match oldest {
        Some(row) => forget_run(tx, row.run_id("id")?, most).await,
        None => forget_alone(tx, before, most).await,
    };
    let forgotten = forgotten.map_err(failed("forgetting"))?;
    writing.commit("committing what is forgotten", now).await?;
    Ok(forgotten)
}

async fn forget_run(tx: &mut MySqlConnection, run: RunId, most: u32) -> Result<Forgotten, sqlx::Error> {
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
    tx: &mut MySqlConnection,
    before: Timestamp,
    most: u32,
) -> Result<Forgotten, sqlx::Error> {
    let mut jobs = 0;
    for statement in ALONE {
        jobs = sqlx::query(statement).bind(before.0).bind(most).execute(&mut *tx).await?.rows_affected();
    }
    Ok(Forgotten { jobs, run: None })
}

async fn forget_jobs(tx: &mut MySqlConnection, run: RunId, most: u32) -> Result<u64, sqlx::Error> {
    sqlx::query(ATTEMPTS).bind(run.number()).bind(most).execute(&mut *tx).await?;
    let jobs = sqlx::query(JOBS).bind(run.number()).bind(most).execute(tx).await?;
    Ok(jobs.rows_affected())
}
