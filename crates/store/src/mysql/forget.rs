//! Retention: what runs that ended long ago have left, removed piece by piece.
//!
//! Never touches a run that has not ended, nor workflows and their files.

use sqlx::{MySqlConnection, MySqlPool};
use weevil_model::{RunId, Timestamp};
use weevil_queue::Forgotten;

use super::retry::{Fault, failed};
use super::rows::run_id;
use super::writer::Writer;

const OLDEST: &str = "select id from runs where finished_at < ? order by finished_at limit 1";

/// The jobs of one piece, in the order in which `JOBS` takes them.
const ATTEMPTS: &str = "
delete a from (select id from jobs where run = ? order by identity limit ?) j
straight_join attempts a on a.job = j.id";

const JOBS: &str = "delete from jobs where run = ? order by identity limit ?";

const REST: [&str; 2] = ["delete from run_inputs where run = ?", "delete from runs where id = ?"];

pub(super) async fn forget(
    readers: &MySqlPool,
    writer: &mut Writer,
    before: Timestamp,
    most: u32,
    now: Timestamp,
) -> Result<Forgotten, Fault> {
    let oldest = sqlx::query(OLDEST).bind(before.0).fetch_optional(readers).await;
    let Some(row) = oldest.map_err(failed("looking for an old run"))? else {
        return Ok(Forgotten::default());
    };
    let run = run_id(&row, "id")?;
    let mut writing = writer.begin("beginning to forget").await?;
    let tx = &mut *writing.tx;
    let jobs = forget_jobs(tx, run, most).await.map_err(failed("forgetting jobs"))?;
    let whole = jobs < u64::from(most);
    if whole {
        for statement in REST {
            let done = sqlx::query(statement).bind(run.number()).execute(&mut *tx).await;
            done.map_err(failed("forgetting a run"))?;
        }
    }
    writing.commit("committing what is forgotten", now).await?;
    Ok(Forgotten { jobs, run: whole.then_some(run) })
}

async fn forget_jobs(tx: &mut MySqlConnection, run: RunId, most: u32) -> Result<u64, sqlx::Error> {
    sqlx::query(ATTEMPTS).bind(run.number()).bind(most).execute(&mut *tx).await?;
    let jobs = sqlx::query(JOBS).bind(run.number()).bind(most).execute(tx).await?;
    Ok(jobs.rows_affected())
}
