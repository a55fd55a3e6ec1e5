//! Retention: what runs that ended long ago have left, removed piece by piece.
//!
//! Never touches a run that has not ended, nor workflows and their files.

use sqlx::{Connection, SqliteConnection};
use weevil_model::{RunId, Timestamp};
use weevil_queue::{Forgotten, StoreError};

use super::rows::{failed, run_id};

const OLDEST: &str =
    "select id from runs where finished_at is not null and finished_at < ?1 order by finished_at limit 1";

const ATTEMPTS: &str =
    "delete from attempts where job in (select id from jobs where run = ?1 order by path limit ?2)";

const JOBS: &str = "delete from jobs where id in (select id from jobs where run = ?1 order by path limit ?2)";

const REST: [&str; 2] = ["delete from run_inputs where run = ?1", "delete from runs where id = ?1"];

pub(super) async fn forget(
    writer: &mut SqliteConnection,
    before: Timestamp,
    most: u32,
) -> Result<Forgotten, StoreError> {
    let mut tx = writer.begin_with("begin immediate").await.map_err(failed("beginning to forget"))?;
    let oldest = sqlx::query(OLDEST).bind(before.0).fetch_optional(&mut *tx).await;
    let Some(row) = oldest.map_err(failed("looking for an old run"))? else {
        return Ok(Forgotten::default());
    };
    let run = run_id(&row, "id")?;
    let jobs = forget_jobs(&mut tx, run, most).await.map_err(failed("forgetting jobs"))?;
    let whole = jobs < u64::from(most);
    if whole {
        for statement in REST {
            let done = sqlx::query(statement).bind(run.number()).execute(&mut *tx).await;
            done.map_err(failed("forgetting a run"))?;
        }
    }
    tx.commit().await.map_err(failed("committing what is forgotten"))?;
    Ok(Forgotten { jobs, run: whole.then_some(run) })
}

async fn forget_jobs(tx: &mut SqliteConnection, run: RunId, most: u32) -> Result<u64, sqlx::Error> {
    sqlx::query(ATTEMPTS).bind(run.number()).bind(most).execute(&mut *tx).await?;
    let jobs = sqlx::query(JOBS).bind(run.number()).bind(most).execute(tx).await?;
    Ok(jobs.rows_affected())
}
