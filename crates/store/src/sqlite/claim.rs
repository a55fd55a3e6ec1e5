//! Handing jobs out: the first ready ones in order, dealt out among the workers that ask.

use serde::Serialize;
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;
use weevil_model::{Encoded, Timestamp, WorkerId};
use weevil_queue::decide::claim::deal;
use weevil_queue::{AttemptKey, Claim, Claimed, StoreError};

use super::rows::{failed, get, hash, job_id, run_id};
use crate::shared::json::json;

const READY: &str = "
select j.id, j.run, j.path, j.code, j.source, j.input, j.seed, j.timeout_ms, r.workflow, r.name
from jobs j join runs r on r.id = j.run
where j.delivery = 0 and j.shard = 0 order by j.order_key, j.id limit ?1";

const LEASE: &str = "
update jobs set delivery = 1, handed_out = handed_out + 1,
    lease_token = s.value ->> 1, lease_worker = s.value ->> 2, lease_deadline = ?2
from json_each(?1) s where jobs.id = s.value ->> 0";

const BEGIN_ATTEMPT: &str = "
insert into attempts (job, number, token, worker, started_at)
select j.id, j.handed_out, j.lease_token, j.lease_worker, ?2
from json_each(?1) s join jobs j on j.id = s.value ->> 0";

/// id, token, worker
#[derive(Serialize)]
struct Lease(i64, i64, i64);

pub(super) async fn claim(
    tx: &mut SqliteConnection,
    claim: &Claim,
    now: Timestamp,
    lease_ms: i64,
) -> Result<Vec<Claimed>, StoreError> {
    let wanted: u64 = claim.asks.iter().map(|ask| u64::from(ask.1)).sum();
    let limit = wanted.min(claim.tokens.len() as u64);
    if limit == 0 {
        return Ok(Vec::new());
    }
    let ready = sqlx::query(READY).bind(limit.cast_signed()).fetch_all(&mut *tx).await;
    let ready = ready.map_err(failed("looking for ready jobs"))?;
    let workers = deal(&claim.asks, ready.len());
    let deadline = now.plus_ms(lease_ms);
    let handed: Vec<Claimed> = ready
        .iter()
        .zip(workers)
        .zip(&claim.tokens)
        .map(|((row, worker), token)| claimed(row, worker, *token, deadline))
        .collect::<Result<_, _>>()?;
    write_leases(tx, &handed, now, deadline).await?;
    Ok(handed)
}

async fn write_leases(
    tx: &mut SqliteConnection,
    handed: &[Claimed],
    now: Timestamp,
    deadline: Timestamp,
) -> Result<(), StoreError> {
    if handed.is_empty() {
        return Ok(());
    }
    let leases: Vec<Lease> =
        handed.iter().map(|c| Lease(c.key.job.number(), c.key.token, c.worker.number())).collect();
    let leases = json(&leases)?;
    for (statement, moment) in [(LEASE, deadline), (BEGIN_ATTEMPT, now)] {
        let done = sqlx::query(statement).bind(&leases).bind(moment.0).execute(&mut *tx).await;
        done.map_err(failed("claiming"))?;
    }
    Ok(())
}

fn claimed(
    row: &SqliteRow,
    worker: WorkerId,
    token: i64,
    deadline: Timestamp,
) -> Result<Claimed, StoreError> {
    Ok(Claimed {
        key: AttemptKey { job: job_id(row, "id")?, token },
        worker,
        run: run_id(row, "run")?,
        path: get(row, "path")?,
        workflow: hash(row, "workflow")?,
        workflow_name: get(row, "name")?,
        code: hash(row, "code")?,
        source: get(row, "source")?,
        input: Encoded::trusted(get(row, "input")?),
        seed: get::<i64>(row, "seed")?.cast_unsigned(),
        timeout_ms: get(row, "timeout_ms")?,
        deadline,
    })
}
