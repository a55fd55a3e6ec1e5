//! Handing jobs out: of each class that somebody meets the first ready ones, dealt out in their common order among the
//! workers that ask.

use const_format::formatcp;
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;
use weevil_model::Timestamp;
use weevil_queue::{Batch, Claim, Claimed};
use weevil_records::StoreError;

use super::large;
use super::rows::{change, failed, found};
use crate::shared::claim::{
    Dealt, FailedBy, Lease, Ready, Runs, deal, failed_before, note_failed, note_runs, runs_of, wanted,
};
use crate::shared::columns::Columns;
use crate::words::{LEASED, READY};

/// Jumps from class to class; as fast with a million jobs in each.
const CLASSES: &str = formatcp!(
    "
with recursive classes (needs) as (
    select min(needs) from jobs where delivery = {READY} and shard = 0
    union all
    select (select min(needs) from jobs where delivery = {READY} and shard = 0 and needs > classes.needs)
    from classes where needs is not null
)
select needs from classes where needs is not null"
);

const OF_CLASS: &str = formatcp!(
    "
select id, run, path, code, source, input, seed, timeout_ms, order_key, failures, queue
from jobs where delivery = {READY} and shard = 0 and needs = ?1 order by order_key, id limit ?2"
);

const RUNS: &str = "
select r.id, r.workflow, r.name from json_each(?1) s join runs r on r.id = s.value";

const FAILED_BY: &str = "
select distinct a.job, a.worker
from json_each(?1) s join attempts a on a.job = s.value where a.ending in ('error', 'expired')";

const LEASE: &str = formatcp!(
    "
update jobs set delivery = {LEASED}, handed_out = handed_out + 1,
    lease_token = s.value ->> 1, lease_worker = s.value ->> 2, due_at = ?2
from json_each(?1) s where jobs.id = s.value ->> 0"
);

const BEGIN_ATTEMPT: &str = "
insert into attempts (job, number, token, worker, started_at)
select j.id, j.handed_out, j.lease_token, j.lease_worker, ?2
from json_each(?1) s join jobs j on j.id = s.value ->> 0";

/// Answers whether the claim was cut short.
pub(super) async fn claim(
    tx: &mut SqliteConnection,
    batch: &Batch,
    now: Timestamp,
) -> Result<(Vec<Claimed>, bool), StoreError> {
    let claim = &batch.claim;
    if claim.asks.is_empty() || claim.tokens.is_empty() {
        return Ok((Vec::new(), false));
    }
    let ready = ready(tx, claim).await?;
    let failed_by = failed_by(tx, &ready).await?;
    let (dealt, cut) = deal(ready, claim, &failed_by, &batch.company)?;
    let deadline = now.plus_ms(batch.lease_ms);
    let runs = runs(tx, &dealt).await?;
    let claimed = |dealt: Dealt<SqliteRow>| dealt.claimed(deadline, &runs);
    let mut handed: Vec<Claimed> = dealt.into_iter().map(claimed).collect::<Result<_, _>>()?;
    large::fill_in(tx, &mut handed, &batch.enqueue).await?;
    write_leases(tx, &handed, now, deadline).await?;
    Ok((handed, cut))
}

async fn ready(tx: &mut SqliteConnection, claim: &Claim) -> Result<Vec<Ready<SqliteRow>>, StoreError> {
    let classes = sqlx::query(CLASSES).fetch_all(&mut *tx).await;
    let mut ready = Vec::new();
    for class in classes.map_err(failed("looking for classes of jobs"))? {
        let class = class.number("needs")?;
        let (needs, wanted) = wanted(claim, class)?;
        if wanted == 0 {
            continue;
        }
        let rows = sqlx::query(OF_CLASS).bind(class).bind(wanted.cast_signed()).fetch_all(&mut *tx).await;
        for row in rows.map_err(failed("looking for ready jobs"))? {
            let input = row.bytes("input")?;
            ready.push(Ready { row, needs, bytes: input.len() as u64, input });
        }
    }
    large::measure(tx, &mut ready).await?;
    Ok(ready)
}

async fn runs(tx: &mut SqliteConnection, dealt: &[Dealt<SqliteRow>]) -> Result<Runs, StoreError> {
    let mut runs = Runs::new();
    note_runs(&found(tx, RUNS, &runs_of(dealt)?, "looking for the runs of ready jobs").await?, &mut runs)?;
    Ok(runs)
}

/// Of the few jobs that have failed before.
async fn failed_by(tx: &mut SqliteConnection, ready: &[Ready<SqliteRow>]) -> Result<FailedBy, StoreError> {
    let (jobs, mut by) = (failed_before(ready)?, FailedBy::new());
    note_failed(&found(tx, FAILED_BY, &jobs, "looking for who has failed").await?, &mut by)?;
    Ok(by)
}

async fn write_leases(
    tx: &mut SqliteConnection,
    handed: &[Claimed],
    now: Timestamp,
    deadline: Timestamp,
) -> Result<(), StoreError> {
    let leases: Vec<Lease> = handed.iter().map(Lease::of).collect();
    for (statement, moment) in [(LEASE, deadline), (BEGIN_ATTEMPT, now)] {
        change(tx, statement, &leases, moment.0, "claiming").await?;
    }
    Ok(())
}
