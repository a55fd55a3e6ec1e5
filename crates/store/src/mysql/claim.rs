//! Handing jobs out: the first ready ones in order that no other server is handing out just now, dealt out among the
//! workers that ask.

use std::collections::HashMap;

use serde::Serialize;
use sqlx::MySqlConnection;
use sqlx::mysql::MySqlRow;
use weevil_model::{ContentHash, Encoded, RunId, Timestamp, WorkerId};
use weevil_queue::decide::claim::deal;
use weevil_queue::{AttemptKey, Claim, Claimed};

use super::retry::{Fault, failed};
use super::rows::{change, get, hash, job_id, parts, run_id};
use crate::shared::json::corrupt;

/// Without a join: it would lock, and skip, whole runs.
const READY: &str = "
select id, run, path, code, source, input, seed, timeout_ms
from jobs force index (jobs_ready)
where delivery = 0 and shard = 0 order by order_key, id limit ? for update skip locked";

const RUNS: &str = "
select straight_join r.id, r.workflow, r.name
from json_table(?, '$[*]' columns (id bigint path '$')) s join runs r on r.id = s.id";

const LEASE: &str = "
update json_table(?, '$[*]' columns (
    id bigint path '$[0]', token bigint path '$[1]', worker bigint path '$[2]')) s
straight_join jobs j on j.id = s.id
set j.delivery = 1, j.handed_out = j.handed_out + 1, j.lease_token = s.token, j.lease_worker = s.worker,
    j.lease_deadline = ?";

const BEGIN_ATTEMPT: &str = "
insert into attempts (job, number, token, worker, started_at)
select straight_join j.id, j.handed_out, j.lease_token, j.lease_worker, m.started_at
from json_table(?, '$[*]' columns (id bigint path '$[0]')) s
join jobs j on j.id = s.id join (select ? as started_at) m";

/// id, token, worker
#[derive(Serialize)]
struct Lease(i64, i64, i64);

/// Workflow and name of each run.
type Runs = HashMap<RunId, (ContentHash, String)>;

pub(super) async fn claim(
    tx: &mut MySqlConnection,
    claim: &Claim,
    now: Timestamp,
    lease_ms: i64,
) -> Result<Vec<Claimed>, Fault> {
    let wanted: u64 = claim.asks.iter().map(|ask| u64::from(ask.1)).sum();
    let limit = wanted.min(claim.tokens.len() as u64);
    if limit == 0 {
        return Ok(Vec::new());
    }
    let ready = sqlx::query(READY).bind(limit).fetch_all(&mut *tx).await;
    let ready = ready.map_err(failed("looking for ready jobs"))?;
    let runs = runs(tx, &ready).await?;
    let workers = deal(&claim.asks, ready.len());
    let deadline = now.plus_ms(lease_ms);
    let handed: Vec<Claimed> = ready
        .iter()
        .zip(workers)
        .zip(&claim.tokens)
        .map(|((row, worker), token)| claimed(row, &runs, worker, *token, deadline))
        .collect::<Result<_, _>>()?;
    write_leases(tx, &handed, now, deadline).await?;
    Ok(handed)
}

async fn runs(tx: &mut MySqlConnection, ready: &[MySqlRow]) -> Result<Runs, Fault> {
    let mut ids: Vec<i64> = ready.iter().map(|row| get(row, "run")).collect::<Result<_, _>>()?;
    ids.sort_unstable();
    ids.dedup();
    let mut runs = Runs::new();
    for part in parts(&ids)? {
        let rows = sqlx::query(RUNS).bind(part).fetch_all(&mut *tx).await;
        for row in rows.map_err(failed("looking for the runs of ready jobs"))? {
            runs.insert(run_id(&row, "id")?, (hash(&row, "workflow")?, get(&row, "name")?));
        }
    }
    Ok(runs)
}

async fn write_leases(
    tx: &mut MySqlConnection,
    handed: &[Claimed],
    now: Timestamp,
    deadline: Timestamp,
) -> Result<(), Fault> {
    let lease = |c: &Claimed| Lease(c.key.job.number(), c.key.token, c.worker.number());
    let leases: Vec<Lease> = handed.iter().map(lease).collect();
    for (statement, moment) in [(LEASE, deadline), (BEGIN_ATTEMPT, now)] {
        change(tx, statement, &leases, moment.0, "claiming").await?;
    }
    Ok(())
}

fn claimed(
    row: &MySqlRow,
    runs: &Runs,
    worker: WorkerId,
    token: i64,
    deadline: Timestamp,
) -> Result<Claimed, Fault> {
    let run = run_id(row, "run")?;
    let (workflow, workflow_name) = runs.get(&run).ok_or_else(|| corrupt("a job without a run"))?;
    Ok(Claimed {
        key: AttemptKey { job: job_id(row, "id")?, token },
        worker,
        run,
        path: get(row, "path")?,
        workflow: *workflow,
        workflow_name: workflow_name.clone(),
        code: hash(row, "code")?,
        source: get(row, "source")?,
        input: Encoded::trusted(get(row, "input")?),
        seed: get::<i64>(row, "seed")?.cast_unsigned(),
        timeout_ms: get(row, "timeout_ms")?,
        deadline,
    })
}
