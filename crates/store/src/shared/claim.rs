//! Ready jobs on their way to workers: which classes are looked for, who gets what, and what is written of it.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;
use weevil_model::{ContentHash, Encoded, JobId, Needs, RunId, Timestamp, WorkerId};
use weevil_queue::decide::claim::{Dealer, demand, within};
use weevil_queue::decide::company::Company;
use weevil_queue::{AttemptKey, Claim, Claimed};
use weevil_records::StoreError;

use super::columns::Columns;
use super::json::corrupt;

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
    /// Of the input.
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

/// Notes rows of columns `id`, `workflow` and `name`.
pub(crate) fn note_runs<R: Columns>(rows: &[R], runs: &mut Runs) -> Result<(), StoreError> {
    for row in rows {
        runs.insert(row.run_id("id")?, (row.hash("workflow")?, row.text("name")?));
    }
    Ok(())
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

/// Notes rows of columns `job` and `worker`.
pub(crate) fn note_failed<R: Columns>(rows: &[R], by: &mut FailedBy) -> Result<(), StoreError> {
    for row in rows {
        by.entry(row.job_id("job")?).or_default().push(row.worker_id("worker")?);
    }
    Ok(())
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
