//! Handing jobs out: the first ready ones of each class that somebody meets, dealt out in their common order among the
//! workers that ask. How ready jobs are found differs: see `claim.rs` of each database.

use std::collections::{BTreeSet, HashMap};

use const_format::formatcp;
use serde::Serialize;
use weevil_model::{ContentHash, Encoded, JobId, Needs, RunId, Timestamp, WorkerId};
use weevil_queue::decide::claim::{Dealer, demand, within};
use weevil_queue::decide::company::Company;
use weevil_queue::{AttemptKey, Batch, Claim, Claimed};
use weevil_records::StoreError;

use crate::columns::Columns;
use crate::driver::Dialect;
use crate::fault::Fault;
use crate::json::corrupt;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::words::LEASED;

/// Apart from the jobs: joined to them, MySQL would lock, and skip, whole runs.
const RUNS: Sql = Sql {
    doing: "looking for the runs of ready jobs",
    sqlite: "
select r.id, r.workflow, r.name from json_each(?1) s join runs r on r.id = s.value",
    mysql: "
select straight_join r.id, r.workflow, r.name
from json_table(?, '$[*]' columns (id bigint path '$')) s join runs r on r.id = s.id",
};

/// By the attempts' primary key, only for the few jobs that have failed before.
const FAILED_BY: Sql = Sql {
    doing: "looking for who has failed",
    sqlite: "
select distinct a.job, a.worker
from json_each(?1) s join attempts a on a.job = s.value where a.ending in ('error', 'expired')",
    mysql: "
select straight_join distinct a.job, a.worker
from json_table(?, '$[*]' columns (id bigint path '$')) s join attempts a on a.job = s.id
where a.ending in ('error', 'expired')",
};

/// By the primary key. It takes the job out of the index of ready jobs.
const LEASE: Sql = Sql {
    doing: "claiming",
    sqlite: formatcp!(
    "
update jobs set delivery = {LEASED}, handed_out = handed_out + 1,
    lease_token = s.value ->> 1, lease_worker = s.value ->> 2, due_at = ?2
from json_each(?1) s where jobs.id = s.value ->> 0"
),
    mysql: formatcp!("
update json_table(?, '$[*]' columns (
    id bigint path '$[0]', token bigint path '$[1]', worker bigint path '$[2]')) s
straight_join jobs j on j.id = s.id
set j.delivery = {LEASED}, j.handed_out = j.handed_out + 1, j.lease_token = s.token, j.lease_worker = s.worker,
    j.due_at = ?"),
};

/// The attempts' numbers are the jobs' own, as the statement before left them.
const BEGIN_ATTEMPT: Sql = Sql {
    doing: "claiming",
    sqlite: "
insert into attempts (job, number, token, worker, started_at)
select j.id, j.handed_out, j.lease_token, j.lease_worker, ?2
from json_each(?1) s join jobs j on j.id = s.value ->> 0",
    mysql: "
insert into attempts (job, number, token, worker, started_at)
select straight_join j.id, j.handed_out, j.lease_token, j.lease_worker, m.started_at
from json_table(?, '$[*]' columns (id bigint path '$[0]')) s
join jobs j on j.id = s.id join (select ? as started_at) m",
};

/// Answers whether the claim was cut short.
pub(crate) async fn claim<T: Dialect>(
    tx: &mut T,
    batch: &Batch,
    now: Timestamp,
) -> Result<(Vec<Claimed>, bool), Fault> {
    let claim = &batch.claim;
    if claim.asks.is_empty() || claim.tokens.is_empty() {
        return Ok((Vec::new(), false));
    }
    let ready = tx.ready(claim).await?;
    let failed_by = failed_by(tx, &ready).await?;
    let (dealt, cut) = deal(ready, claim, &failed_by, &batch.company)?;
    let deadline = now.plus_ms(batch.lease_ms);
    let runs = runs(tx, &dealt).await?;
    let claimed = |dealt: Dealt<T::Row>| dealt.claimed(deadline, &runs);
    let mut handed: Vec<Claimed> = dealt.into_iter().map(claimed).collect::<Result<_, _>>()?;
    tx.fill_in(&mut handed, &batch.enqueue).await?;
    let leases: Vec<Lease> = handed.iter().map(Lease::of).collect();
    for (statement, moment) in [(&LEASE, deadline), (&BEGIN_ATTEMPT, now)] {
        tx.change(statement, &leases, &[moment.into()]).await?;
    }
    Ok((handed, cut))
}

async fn runs<T: Tx>(tx: &mut T, dealt: &[Dealt<T::Row>]) -> Result<Runs, Fault> {
    let mut runs = Runs::new();
    for row in tx.rows(&RUNS, &runs_of(dealt)?).await? {
        runs.insert(row.run_id("id")?, (row.hash("workflow")?, row.text("name")?));
    }
    Ok(runs)
}

async fn failed_by<T: Tx>(tx: &mut T, ready: &[Ready<T::Row>]) -> Result<FailedBy, Fault> {
    let mut by = FailedBy::new();
    for row in tx.rows(&FAILED_BY, &failed_before(ready)?).await? {
        by.entry(row.job_id("job")?).or_default().push(row.worker_id("worker")?);
    }
    Ok(by)
}

/// id, token, worker
#[derive(Serialize)]
pub(crate) struct Lease(i64, i64, i64);

impl Lease {
    pub(crate) fn of(claimed: &Claimed) -> Self {
        Self(claimed.key.job.number(), claimed.key.token, claimed.worker.number())
    }
}

/// What jobs of a class need, and how many of them the workers could take, within the tokens that are there.
pub(crate) fn wanted(claim: &Claim, class: i64) -> Result<(Needs, u64), StoreError> {
    let needs = Needs::of_class(class).ok_or_else(|| corrupt("needs that are no class"))?;
    Ok((needs, demand(&claim.asks, needs).min(claim.tokens.len() as u64)))
}

/// A job that may be handed out.
pub(crate) struct Ready<R> {
    pub(crate) row: R,
    pub(crate) needs: Needs,
    /// Nothing, which no input is, where it has only been measured.
    pub(crate) input: Vec<u8>,
    /// Bytes of the input.
    pub(crate) bytes: u64,
}

/// A job, who gets it, and the token of the attempt.
pub(crate) struct Dealt<R> {
    pub(crate) ready: Ready<R>,
    pub(crate) worker: WorkerId,
    pub(crate) token: i64,
}

/// Workflow and name of each run.
pub(crate) type Runs = HashMap<RunId, (ContentHash, String)>;

/// The runs of these jobs, each once.
pub(crate) fn runs_of<R: Columns>(dealt: &[Dealt<R>]) -> Result<Vec<i64>, StoreError> {
    let mut runs = BTreeSet::new();
    for Dealt { ready, .. } in dealt {
        runs.extend(ready.row.maybe_number("run")?);
    }
    Ok(runs.into_iter().collect())
}

/// Who has failed each of these jobs.
pub(crate) type FailedBy = HashMap<JobId, Vec<WorkerId>>;

/// The jobs that have failed before: whose, their histories say.
pub(crate) fn failed_before<R: Columns>(jobs: &[Ready<R>]) -> Result<Vec<i64>, StoreError> {
    let mut failed = Vec::new();
    for Ready { row, .. } in jobs {
        if row.small("failures")? > 0 {
            failed.push(row.number("id")?);
        }
    }
    Ok(failed)
}

/// Jobs of several classes become one queue, and are dealt out until it is enough for one claim. Answers whether more
/// would have been dealt.
pub(crate) fn deal<R: Columns>(
    jobs: Vec<Ready<R>>,
    claim: &Claim,
    failed_by: &FailedBy,
    company: &Company,
) -> Result<(Vec<Dealt<R>>, bool), StoreError> {
    let mut queue = Vec::with_capacity(jobs.len());
    for job in jobs {
        queue.push(((job.row.number("order_key")?, job.row.job_id("id")?), job));
    }
    queue.sort_by_key(|(place, _)| *place);
    let mut dealer = Dealer::new(&claim.asks, company);
    let dealt = queue.into_iter().filter_map(|((_, id), job)| {
        let failed = failed_by.get(&id).map(Vec::as_slice).unwrap_or_default();
        let worker = dealer.deal(job.needs, job.bytes, &company.places(failed.iter().copied()))?;
        Some((job, worker))
    });
    let dealt = dealt.zip(&claim.tokens);
    let mut dealt: Vec<Dealt<R>> =
        dealt.map(|((ready, worker), token)| Dealt { ready, worker, token: *token }).collect();
    let enough = within(claim.bytes, dealt.iter().map(|dealt| dealt.ready.bytes));
    let cut = dealer.is_cut() || enough < dealt.len();
    dealt.truncate(enough);
    Ok((dealt, cut))
}

impl<R: Columns> Dealt<R> {
    pub(crate) fn claimed(self, deadline: Timestamp, runs: &Runs) -> Result<Claimed, StoreError> {
        let Self { ready: Ready { row, needs, input, .. }, worker, token } = self;
        let (run, code) = (row.maybe_run_id("run")?, row.hash("code")?);
        let (workflow, workflow_name) = match run {
            Some(run) => runs.get(&run).cloned().ok_or_else(|| corrupt("a job without a run"))?,
            None => (code, row.text("queue")?),
        };
        Ok(Claimed {
            key: AttemptKey { job: row.job_id("id")?, token },
            worker,
            run,
            path: row.text("path")?,
            workflow,
            workflow_name,
            code,
            source: row.text("source")?,
            input: Encoded::trusted(input),
            seed: row.unsigned("seed")?,
            needs,
            timeout_ms: row.small("timeout_ms")?,
            deadline,
        })
    }
}
