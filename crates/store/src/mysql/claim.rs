//! Handing jobs out: of each class that somebody meets the first ready ones that no other server is handing out just now,
//! dealt out in their common order among the workers that ask.

use std::collections::HashMap;

use const_format::formatcp;
use sqlx::MySqlConnection;
use sqlx::mysql::MySqlRow;
use weevil_model::{Encoded, Timestamp};
use weevil_queue::decide::claim::MAX_CLAIM_BYTES;
use weevil_queue::{Batch, Claim, Claimed};

use super::retry::{Fault, failed};
use super::rows::{change, parts};
use crate::shared::claim::{
    Dealt, FailedBy, Lease, Ready, Runs, deal, failed_before, note_failed, note_runs, runs_of, wanted,
};
use crate::shared::columns::Columns;
use crate::shared::json::corrupt;
use crate::words::{LEASED, READY};

/// One statement for each class: in a recursive one MariaDB walks over every ready job (seen in 10.11).
const NEXT_CLASS: &str = formatcp!("
select min(needs) as needs from jobs force index (jobs_ready) where delivery = {READY} and shard = 0 and needs > ?");

/// Without a join: it would lock, and skip, whole runs. Each step goes on behind the last row of the one before; inputs
/// that are too large for it are only measured.
const OF_CLASS: &str = formatcp!(
    "
select id, run, path, code, source, if(length(input) <= ?, input, '') as input, length(input) as bytes, seed,
       timeout_ms, order_key, failures, convert(queue using utf8mb4) as queue
from jobs force index (jobs_ready)
where delivery = {READY} and shard = 0 and needs = ? and order_key >= ? and (order_key > ? or id > ?)
order by order_key, id limit ? for update skip locked"
);

/// Rows of each step, the last as many as are wanted: to measure inputs, the database reads them.
const STEPS: [u64; 3] = [16, 256, u64::MAX];

const INPUTS: &str = "
select straight_join j.id, j.input
from json_table(?, '$[*]' columns (id bigint path '$')) s join jobs j on j.id = s.id";

const RUNS: &str = "
select straight_join r.id, r.workflow, r.name
from json_table(?, '$[*]' columns (id bigint path '$')) s join runs r on r.id = s.id";

const FAILED_BY: &str = "
select straight_join distinct a.job, a.worker
from json_table(?, '$[*]' columns (id bigint path '$')) s join attempts a on a.job = s.id
where a.ending in ('error', 'expired')";

const LEASE: &str = formatcp!("
update json_table(?, '$[*]' columns (
    id bigint path '$[0]', token bigint path '$[1]', worker bigint path '$[2]')) s
straight_join jobs j on j.id = s.id
set j.delivery = {LEASED}, j.handed_out = j.handed_out + 1, j.lease_token = s.token, j.lease_worker = s.worker,
    j.due_at = ?");

const BEGIN_ATTEMPT: &str = "
insert into attempts (job, number, token, worker, started_at)
select straight_join j.id, j.handed_out, j.lease_token, j.lease_worker, m.started_at
from json_table(?, '$[*]' columns (id bigint path '$[0]')) s
join jobs j on j.id = s.id join (select ? as started_at) m";

/// Answers whether the claim was cut short.
pub(super) async fn claim(
    tx: &mut MySqlConnection,
    batch: &Batch,
    now: Timestamp,
) -> Result<(Vec<Claimed>, bool), Fault> {
    let claim = &batch.claim;
    if claim.asks.is_empty() || claim.tokens.is_empty() {
        return Ok((Vec::new(), false));
    }
    let ready = ready(tx, claim).await?;
    let failed_by = failed_by(tx, &ready).await?;
    let (dealt, cut) = deal(ready, claim, &failed_by, &batch.company)?;
    let runs = runs(tx, &dealt).await?;
    let deadline = now.plus_ms(batch.lease_ms);
    let claimed = |dealt: Dealt<MySqlRow>| dealt.claimed(deadline, &runs);
    let mut handed: Vec<Claimed> = dealt.into_iter().map(claimed).collect::<Result<_, _>>()?;
    fill_in(tx, &mut handed).await?;
    write_leases(tx, &handed, now, deadline).await?;
    Ok((handed, cut))
}

async fn ready(tx: &mut MySqlConnection, claim: &Claim) -> Result<Vec<Ready<MySqlRow>>, Fault> {
    let (mut ready, mut last) = (Vec::new(), -1);
    while let Some(class) = next_class(tx, last).await? {
        last = class;
        let (needs, wanted) = wanted(claim, class)?;
        if wanted == 0 {
            continue;
        }
        for row in ready_of(tx, class, wanted).await? {
            let (input, bytes) = (row.bytes("input")?, row.unsigned("bytes")?);
            ready.push(Ready { row, needs, input, bytes });
        }
    }
    Ok(ready)
}

/// The first jobs of a class, but not many more than one claim may hand out.
async fn ready_of(tx: &mut MySqlConnection, class: i64, wanted: u64) -> Result<Vec<MySqlRow>, Fault> {
    let (mut ready, mut left, mut bytes): (Vec<MySqlRow>, _, _) = (Vec::new(), wanted, 0);
    let mut last = (i64::MIN, -1);
    for step in STEPS {
        let limit = step.min(left);
        let query = sqlx::query(OF_CLASS).bind(MAX_CLAIM_BYTES / limit).bind(class);
        let rows = query.bind(last.0).bind(last.0).bind(last.1).bind(limit).fetch_all(&mut *tx).await;
        let rows = rows.map_err(failed("looking for ready jobs"))?;
        for row in &rows {
            last = (row.number("order_key")?, row.number("id")?);
            bytes += row.unsigned("bytes")?;
        }
        left -= rows.len() as u64;
        let all = (rows.len() as u64) < limit || left == 0;
        ready.extend(rows);
        if all || bytes >= MAX_CLAIM_BYTES {
            break;
        }
    }
    Ok(ready)
}

/// Gives the jobs the inputs that were only measured. No value is empty.
async fn fill_in(tx: &mut MySqlConnection, handed: &mut [Claimed]) -> Result<(), Fault> {
    let empty = |claimed: &&Claimed| claimed.input.as_bytes().is_empty();
    let ids: Vec<i64> = handed.iter().filter(empty).map(|claimed| claimed.key.job.number()).collect();
    let mut inputs = HashMap::new();
    for part in parts(&ids)? {
        let rows = sqlx::query(INPUTS).bind(part).fetch_all(&mut *tx).await;
        for row in rows.map_err(failed("reading large inputs"))? {
            inputs.insert(row.job_id("id")?, Encoded::trusted(row.bytes("input")?));
        }
    }
    for claimed in handed.iter_mut().filter(|claimed| claimed.input.as_bytes().is_empty()) {
        claimed.input = inputs.remove(&claimed.key.job).ok_or_else(|| corrupt("a job without its input"))?;
    }
    Ok(())
}

/// The class after this one; as fast with a million jobs in each.
async fn next_class(tx: &mut MySqlConnection, last: i64) -> Result<Option<i64>, Fault> {
    let next = sqlx::query(NEXT_CLASS).bind(last).fetch_one(tx).await;
    Ok(next.map_err(failed("looking for classes of jobs"))?.maybe_number("needs")?)
}

/// Of the few jobs that have failed before.
async fn failed_by(tx: &mut MySqlConnection, ready: &[Ready<MySqlRow>]) -> Result<FailedBy, Fault> {
    let mut by = FailedBy::new();
    for part in parts(&failed_before(ready)?)? {
        let rows = sqlx::query(FAILED_BY).bind(part).fetch_all(&mut *tx).await;
        note_failed(&rows.map_err(failed("looking for who has failed"))?, &mut by)?;
    }
    Ok(by)
}

async fn runs(tx: &mut MySqlConnection, dealt: &[Dealt<MySqlRow>]) -> Result<Runs, Fault> {
    let mut runs = Runs::new();
    for part in parts(&runs_of(dealt)?)? {
        let rows = sqlx::query(RUNS).bind(part).fetch_all(&mut *tx).await;
        note_runs(&rows.map_err(failed("looking for the runs of ready jobs"))?, &mut runs)?;
    }
    Ok(runs)
}

async fn write_leases(
    tx: &mut MySqlConnection,
    handed: &[Claimed],
    now: Timestamp,
    deadline: Timestamp,
) -> Result<(), Fault> {
    let leases: Vec<Lease> = handed.iter().map(Lease::of).collect();
    for (statement, moment) in [(LEASE, deadline), (BEGIN_ATTEMPT, now)] {
        change(tx, statement, &leases, moment.0, "claiming").await?;
    }
    Ok(())
}
