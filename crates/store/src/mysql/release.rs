//! Ends of leases without a report: given back, lost, expired, cancelled; and their renewal.

use sqlx::MySqlConnection;
use sqlx::mysql::MySqlRow;
use weevil_model::{RunId, Timestamp, WorkerId};
use weevil_queue::batch::Returned;
use weevil_queue::decide::expire::Decision;
use weevil_queue::{AttemptEnd, AttemptKey, Release};

use super::facts::history;
use super::retry::{Fault, failed};
use super::rows::{change, get, job_id, run_id, worker_id};
use super::writer::Writer;
use crate::shared::release::Held;

const LEASED: &str =
    "select id, run, path, lease_token, lease_worker, handed_out, failures, max_attempts from jobs";

const END_LEASES: &str = "
update json_table(?, '$[*]' columns (
    id bigint path '$[0]', delivery bigint path '$[1]', outcome varchar(16) path '$[2]', counted bigint path '$[3]')) s
straight_join jobs j on j.id = s.id
set j.delivery = s.delivery, j.outcome = s.outcome, j.failures = j.failures + s.counted,
    j.ended_at = if(s.delivery = 2, ?, null), j.lease_token = null, j.lease_worker = null, j.lease_deadline = null";

const END_ATTEMPTS: &str = "
update json_table(?, '$[*]' columns (
    job bigint path '$[0]', ending varchar(16) path '$[4]', number bigint path '$[5]')) s
straight_join attempts a on a.job = s.job and a.number = s.number
set a.ending = s.ending, a.ended_at = ?";

const RENEW: &str = "
update json_table(?, '$[*]' columns (id bigint path '$[0]', token bigint path '$[1]')) s
straight_join jobs j on j.id = s.id
set j.lease_deadline = ?
where j.lease_token = s.token and j.delivery = 1";

const CANCEL: &str = "
update json_table(?, '$[*]' columns (run bigint path '$')) s
straight_join jobs j on j.run = s.run
set j.delivery = 2, j.outcome = 'cancelled', j.ended_at = ?,
    j.lease_token = null, j.lease_worker = null, j.lease_deadline = null
where j.delivery <> 2";

const END_CANCELLED_ATTEMPTS: &str = "
update json_table(?, '$[*]' columns (job bigint path '$[0]', token bigint path '$[1]')) s
straight_join attempts a on a.job = s.job and a.token = s.token
set a.ending = 'cancelled', a.ended_at = ?";

/// A crash between the end of a run and the end of its jobs leaves some behind.
const CANCEL_LEFT: &str = "
update jobs j join runs r on r.id = j.run
set j.delivery = 2, j.outcome = 'cancelled', j.ended_at = ?
where j.delivery = 0 and r.finished_at is not null";

/// Servers that have written nothing for a day.
const FORGET_WRITERS: &str = "delete from writers where at < ?";
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

pub(super) async fn release(
    tx: &mut MySqlConnection,
    releases: &[Release],
    now: Timestamp,
) -> Result<Vec<Returned>, Fault> {
    let mut all = Vec::new();
    for release in releases {
        let (condition, one, two, end) = match *release {
            Release::One { key, end } => ("id = ? and lease_token = ?", key.job.number(), key.token, end),
            Release::Worker { worker, end } => ("lease_worker = ? and 0 = ?", worker.number(), 0, end),
        };
        let query = sqlx::AssertSqlSafe(format!("{LEASED} where delivery = 1 and {condition} for update"));
        let rows = sqlx::query(query).bind(one).bind(two).fetch_all(&mut *tx).await;
        all.extend(give_back(tx, rows.map_err(failed("releasing"))?, end, now).await?);
    }
    Ok(all)
}

/// What another server works on just now waits for the next look.
pub(super) async fn expire(tx: &mut MySqlConnection, now: Timestamp) -> Result<Vec<Returned>, Fault> {
    let due = format!("{LEASED} where delivery = 1 and lease_deadline <= ? for update skip locked");
    let rows = sqlx::query(sqlx::AssertSqlSafe(due)).bind(now.0).fetch_all(&mut *tx).await;
    give_back(tx, rows.map_err(failed("expiring"))?, AttemptEnd::Expired, now).await
}

pub(super) async fn tidy_up(writer: &mut Writer, now: Timestamp) -> Result<u64, Fault> {
    let mut writing = writer.begin("beginning a release").await?;
    let tx = &mut *writing.tx;
    let leased = sqlx::AssertSqlSafe(format!("{LEASED} where delivery = 1 for update"));
    let rows = sqlx::query(leased).fetch_all(&mut *tx).await;
    let given = give_back(tx, rows.map_err(failed("releasing"))?, AttemptEnd::Lost, now).await?;
    let left = sqlx::query(CANCEL_LEFT).bind(now.0).execute(&mut *tx).await;
    left.map_err(failed("cancelling what ended runs left"))?;
    let forgotten = sqlx::query(FORGET_WRITERS).bind(now.plus_ms(-DAY_MS).0).execute(&mut *tx).await;
    forgotten.map_err(failed("forgetting servers"))?;
    writing.commit("committing a release", now).await?;
    Ok(given.len() as u64)
}

async fn give_back(
    tx: &mut MySqlConnection,
    leased: Vec<MySqlRow>,
    end: AttemptEnd,
    now: Timestamp,
) -> Result<Vec<Returned>, Fault> {
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
    for statement in [END_LEASES, END_ATTEMPTS] {
        change(tx, statement, &changes, now.0, "ending leases").await?;
    }
    Ok(all)
}

fn held(row: &MySqlRow) -> Result<Held, Fault> {
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
    tx: &mut MySqlConnection,
    keys: &[AttemptKey],
    deadline: Timestamp,
) -> Result<(), Fault> {
    let mut keys: Vec<(i64, i64)> = keys.iter().map(|key| (key.job.number(), key.token)).collect();
    keys.sort_unstable();
    change(tx, RENEW, &keys, deadline.0, "renewing leases").await.map(drop)
}

/// Ends what is left of these runs. Answers the attempts that were running.
pub(super) async fn cancel(
    tx: &mut MySqlConnection,
    runs: &[RunId],
    now: Timestamp,
) -> Result<Vec<(WorkerId, AttemptKey)>, Fault> {
    let mut revoked = Vec::new();
    for run in runs {
        let query = sqlx::AssertSqlSafe(format!("{LEASED} where delivery = 1 and run = ? for update"));
        let rows = sqlx::query(query).bind(run.number()).fetch_all(&mut *tx).await;
        for row in rows.map_err(failed("cancelling"))? {
            let held = held(&row)?;
            revoked.push((held.worker, held.key()));
        }
    }
    let runs: Vec<i64> = runs.iter().map(|run| run.number()).collect();
    let keys: Vec<(i64, i64)> = revoked.iter().map(|(_, key)| (key.job.number(), key.token)).collect();
    change(tx, END_CANCELLED_ATTEMPTS, &keys, now.0, "ending cancelled attempts").await?;
    change(tx, CANCEL, &runs, now.0, "cancelling").await?;
    Ok(revoked)
}
