//! Ends of leases without a report: given back, lost, expired, cancelled; and their renewal.

use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;
use weevil_model::{RunId, Timestamp, WorkerId};
use weevil_queue::batch::Returned;
use weevil_queue::decide::expire::Decision;
use weevil_queue::{AttemptEnd, AttemptKey, Release, StoreError};

use super::facts::history;
use super::rows::{failed, get, job_id, run_id, worker_id};
use crate::shared::json::json;
use crate::shared::release::Held;

const LEASED: &str =
    "select id, run, path, lease_token, lease_worker, handed_out, failures, max_attempts from jobs";

const END_LEASES: &str = "
update jobs set delivery = s.value ->> 1, outcome = s.value ->> 2, failures = failures + (s.value ->> 3),
    ended_at = iif(s.value ->> 1 = 2, ?2, null), lease_token = null, lease_worker = null, lease_deadline = null
from json_each(?1) s where jobs.id = s.value ->> 0";

const END_ATTEMPTS: &str = "
update attempts set ending = s.value ->> 4, ended_at = ?2
from json_each(?1) s where attempts.job = s.value ->> 0 and attempts.number = s.value ->> 5";

const RENEW: &str = "
update jobs set lease_deadline = ?2 from json_each(?1) s
where jobs.id = s.value ->> 0 and jobs.lease_token = s.value ->> 1 and jobs.delivery = 1";

const CANCEL: &str = "
update jobs set delivery = 2, outcome = 'cancelled', ended_at = ?2,
    lease_token = null, lease_worker = null, lease_deadline = null
where run in (select value from json_each(?1)) and delivery <> 2";

/// A crash between the end of a run and the end of its jobs leaves some behind.
const CANCEL_LEFT: &str = "
update jobs set delivery = 2, outcome = 'cancelled', ended_at = ?1
where delivery = 0 and run in (select id from runs where finished_at is not null)";

pub(super) async fn release(
    tx: &mut SqliteConnection,
    releases: &[Release],
    now: Timestamp,
) -> Result<Vec<Returned>, StoreError> {
    let mut all = Vec::new();
    for release in releases {
        let (condition, one, two, end) = match *release {
            Release::One { key, end } => ("id = ?1 and lease_token = ?2", key.job.number(), key.token, end),
            Release::Worker { worker, end } => ("lease_worker = ?1 and ?2 = ?2", worker.number(), 0, end),
        };
        let rows = sqlx::query(sqlx::AssertSqlSafe(format!("{LEASED} where delivery = 1 and {condition}")))
            .bind(one)
            .bind(two)
            .fetch_all(&mut *tx)
            .await;
        all.extend(give_back(tx, rows.map_err(failed("releasing"))?, end, now).await?);
    }
    Ok(all)
}

pub(super) async fn expire(tx: &mut SqliteConnection, now: Timestamp) -> Result<Vec<Returned>, StoreError> {
    let rows =
        sqlx::query(sqlx::AssertSqlSafe(format!("{LEASED} where delivery = 1 and lease_deadline <= ?1")))
            .bind(now.0)
            .fetch_all(&mut *tx)
            .await;
    give_back(tx, rows.map_err(failed("expiring"))?, AttemptEnd::Expired, now).await
}

pub(super) async fn tidy_up(writer: &mut SqliteConnection, now: Timestamp) -> Result<u64, StoreError> {
    use sqlx::Connection;
    let mut tx = writer.begin_with("begin immediate").await.map_err(failed("beginning a release"))?;
    let rows =
        sqlx::query(sqlx::AssertSqlSafe(format!("{LEASED} where delivery = 1"))).fetch_all(&mut *tx).await;
    let given = give_back(&mut tx, rows.map_err(failed("releasing"))?, AttemptEnd::Lost, now).await?;
    let left = sqlx::query(CANCEL_LEFT).bind(now.0).execute(&mut *tx).await;
    left.map_err(failed("cancelling what ended runs left"))?;
    tx.commit().await.map_err(failed("committing a release"))?;
    Ok(given.len() as u64)
}

async fn give_back(
    tx: &mut SqliteConnection,
    leased: Vec<SqliteRow>,
    end: AttemptEnd,
    now: Timestamp,
) -> Result<Vec<Returned>, StoreError> {
    let mut changes = Vec::with_capacity(leased.len());
    let mut all = Vec::with_capacity(leased.len());
    for row in &leased {
        let held = held(row)?;
        let decision = held.decide(end);
        let history = match decision {
            Decision::Fail => history(tx, held.job).await?,
            Decision::Requeue { .. } => Vec::new(),
        };
        changes.push(held.row(end, decision));
        all.push(held.news(end, decision, history));
    }
    if !changes.is_empty() {
        let changes = json(&changes)?;
        for statement in [END_LEASES, END_ATTEMPTS] {
            let done = sqlx::query(statement).bind(&changes).bind(now.0).execute(&mut *tx).await;
            done.map_err(failed("ending leases"))?;
        }
    }
    Ok(all)
}

fn held(row: &SqliteRow) -> Result<Held, StoreError> {
    Ok(Held {
        job: job_id(row, "id")?,
        run: run_id(row, "run")?,
        path: get(row, "path")?,
        token: get(row, "lease_token")?,
        worker: worker_id(row, "lease_worker")?,
        number: get(row, "handed_out")?,
        failures: get(row, "failures")?,
        max_attempts: get(row, "max_attempts")?,
    })
}

pub(super) async fn renew(
    tx: &mut SqliteConnection,
    keys: &[AttemptKey],
    deadline: Timestamp,
) -> Result<(), StoreError> {
    if keys.is_empty() {
        return Ok(());
    }
    let keys: Vec<(i64, i64)> = keys.iter().map(|key| (key.job.number(), key.token)).collect();
    let done = sqlx::query(RENEW).bind(json(&keys)?).bind(deadline.0).execute(tx).await;
    done.map(drop).map_err(failed("renewing leases"))
}

/// Ends what is left of these runs. Answers the attempts that were running.
pub(super) async fn cancel(
    tx: &mut SqliteConnection,
    runs: &[RunId],
    now: Timestamp,
) -> Result<Vec<(WorkerId, AttemptKey)>, StoreError> {
    let mut revoked = Vec::new();
    for run in runs {
        let query = sqlx::AssertSqlSafe(format!("{LEASED} where delivery = 1 and run = ?1"));
        let rows = sqlx::query(query).bind(run.number()).fetch_all(&mut *tx).await;
        for row in rows.map_err(failed("cancelling"))? {
            let held = held(&row)?;
            revoked.push((held.worker, held.key()));
        }
    }
    if !runs.is_empty() {
        let runs: Vec<i64> = runs.iter().map(|run| run.number()).collect();
        end_cancelled_attempts(tx, &revoked, now).await?;
        let done = sqlx::query(CANCEL).bind(json(&runs)?).bind(now.0).execute(tx).await;
        done.map_err(failed("cancelling"))?;
    }
    Ok(revoked)
}

async fn end_cancelled_attempts(
    tx: &mut SqliteConnection,
    revoked: &[(WorkerId, AttemptKey)],
    now: Timestamp,
) -> Result<(), StoreError> {
    let keys: Vec<(i64, i64)> = revoked.iter().map(|(_, key)| (key.job.number(), key.token)).collect();
    let done = sqlx::query(
        "update attempts set ending = 'cancelled', ended_at = ?2 from json_each(?1) s
         where attempts.job = s.value ->> 0 and attempts.token = s.value ->> 1",
    )
    .bind(json(&keys)?)
    .bind(now.0)
    .execute(tx)
    .await;
    done.map(drop).map_err(failed("ending cancelled attempts"))
}
