//! Ready jobs on their way to workers: which classes are looked for, who gets what, and what is written of it.

use std::collections::HashMap;

use serde::Serialize;
use weevil_model::{ContentHash, Encoded, JobId, Needs, Timestamp, WorkerId};
use weevil_queue::decide::claim::{Dealer, demand, within};
use weevil_queue::decide::company::Company;
use weevil_queue::{AttemptKey, Claim, Claimed, StoreError};

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

/// How many jobs of a class the workers could take, within the tokens that are there.
pub(crate) fn wanted(claim: &Claim, class: i64) -> Result<u64, StoreError> {
    let needs = Needs::of_class(class).ok_or_else(|| corrupt("needs that are no class"))?;
    Ok(demand(&claim.asks, needs).min(claim.tokens.len() as u64))
}

/// A job's row, who gets the job, and the token of the attempt.
pub(crate) struct Dealt<R> {
    pub(crate) row: R,
    pub(crate) worker: WorkerId,
    pub(crate) token: i64,
}

/// Who has failed each of these jobs.
pub(crate) type FailedBy = HashMap<JobId, Vec<WorkerId>>;

/// The jobs that have failed before: whose, their histories say.
pub(crate) fn failed_before<R: Columns>(rows: &[R]) -> Result<Vec<i64>, StoreError> {
    let mut failed = Vec::new();
    for row in rows {
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

/// Rows of several classes become one queue, and are dealt out until it is enough for one claim. Answers whether more
/// would have been dealt.
pub(crate) fn deal<R: Columns>(
    rows: Vec<R>,
    claim: &Claim,
    failed_by: &FailedBy,
    company: &Company,
) -> Result<(Vec<Dealt<R>>, bool), StoreError> {
    let mut queue = Vec::with_capacity(rows.len());
    for row in rows {
        let job = row.job_id("id")?;
        queue.push(((row.number("order_key")?, job), row.needs()?, row.unsigned("bytes")?, row));
    }
    queue.sort_by_key(|(place, ..)| *place);
    let mut dealer = Dealer::new(&claim.asks, company);
    let dealt = queue.into_iter().filter_map(|((_, job), needs, bytes, row)| {
        let failed = failed_by.get(&job).map(Vec::as_slice).unwrap_or_default();
        Some((row, bytes, dealer.deal(needs, bytes, &company.places(failed.iter().copied()))?))
    });
    let dealt = dealt.zip(&claim.tokens);
    let (mut dealt, sizes): (Vec<Dealt<R>>, Vec<u64>) =
        dealt.map(|((row, bytes, worker), token)| (Dealt { row, worker, token: *token }, bytes)).unzip();
    let enough = within(claim.bytes, sizes);
    let cut = dealer.is_cut() || enough < dealt.len();
    dealt.truncate(enough);
    Ok((dealt, cut))
}

impl<R: Columns> Dealt<R> {
    /// `workflow` is that of the job's run, and its name; none of a stand-alone job.
    pub(crate) fn claimed(
        &self,
        deadline: Timestamp,
        workflow: Option<(ContentHash, String)>,
    ) -> Result<Claimed, StoreError> {
        let Self { row, worker, token } = self;
        let code = row.hash("code")?;
        let (workflow, workflow_name) = match workflow {
            Some(workflow) => workflow,
            None => (code, row.text("queue")?),
        };
        Ok(Claimed {
            key: AttemptKey { job: row.job_id("id")?, token: *token },
            worker: *worker,
            run: row.maybe_run_id("run")?,
            path: row.text("path")?,
            workflow,
            workflow_name,
            code,
            source: row.text("source")?,
            input: Encoded::trusted(row.bytes("input")?),
            seed: row.unsigned("seed")?,
            needs: row.needs()?,
            timeout_ms: row.small("timeout_ms")?,
            deadline,
        })
    }
}
