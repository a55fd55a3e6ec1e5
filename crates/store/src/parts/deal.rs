//! Dealing ready jobs out among the workers that ask: who gets which copy, as rows and as what an assignment needs.
//!
//! Reads nothing and writes nothing: see `claim.rs`.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;
use weevil_model::{ContentHash, Encoded, JobId, Needs, ProjectId, RunId, Timestamp, WorkerId};
use weevil_queue::decide::claim::{Dealer, Left, Offer, demand, within};
use weevil_queue::decide::company::Company;
use weevil_queue::decide::lane::Lane;
use weevil_queue::decide::server::may_compute;
use weevil_queue::{Appetite, AttemptKey, Claim, Claimed};
use weevil_records::StoreError;

use super::answers::AskedRow;
use super::barred::Barred;
use super::ranks::Ranks;
use crate::columns::Columns;
use crate::json::corrupt;
use crate::words::code;

/// What jobs of a class need, and how many of them to read: what the workers could take, within the tokens that are there,
/// and so many more. A claim with an appetite of the server is its alone. Who reports and asks for as much finds as many copies that
/// are not for it: one more tells whether there are others behind them.
pub(crate) fn wanted(claim: &Claim, class: i64, more: u64) -> Result<((Lane, Needs), u64), StoreError> {
    let class = Lane::of_class(class).ok_or_else(|| corrupt("needs that are no class"))?;
    let is_theirs = claim.server.is_none() || may_compute(class.0, class.1);
    let wanted = if is_theirs { demand(&claim.asks, class.1).min(claim.tokens.len() as u64) } else { 0 };
    let behind = u64::from(class.0.has_answers());
    Ok((class, if wanted == 0 { 0 } else { wanted + more + behind }))
}

/// A job that may be handed out.
pub(crate) struct Ready<R> {
    pub(crate) row: R,
    pub(crate) lane: Lane,
    pub(crate) needs: Needs,
    /// Nothing, which no input is, where it has only been measured.
    pub(crate) input: Vec<u8>,
    /// Bytes of the input.
    pub(crate) bytes: u64,
}

/// Who gets a copy, and the token of its attempt.
type Copy = (WorkerId, i64);

/// A job, and who gets its copies: one at least.
pub(crate) struct Dealt<R> {
    ready: Ready<R>,
    copies: Vec<Copy>,
}

/// id, delivery, wanted copies, copies that are out, hand-outs
#[derive(Serialize)]
pub(crate) struct JobRow(i64, u8, u32, u32, u32);

/// job, number, token, worker
#[derive(Serialize)]
pub(crate) struct AttemptRow(i64, u32, i64, i64);

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

/// Among whom jobs are dealt out, and what is known of that.
pub(crate) struct Deck<'d> {
    pub(crate) asks: &'d [Appetite],
    /// One for each copy.
    pub(crate) tokens: &'d [i64],
    pub(crate) failed_by: &'d FailedBy,
    pub(crate) barred: &'d Barred,
    pub(crate) company: &'d Company,
}

/// Jobs of several classes become one queue, and are dealt out until it is enough for one claim. Answers whether more
/// would have been dealt, and why it was not.
pub(crate) fn deal<R: Columns>(
    jobs: Vec<Ready<R>>,
    claim: &Claim,
    failed_by: &FailedBy,
    barred: &Barred,
    company: &Company,
) -> Result<(Vec<Dealt<R>>, Left), StoreError> {
    let mut queue = Vec::with_capacity(jobs.len());
    for job in jobs {
        queue.push(((job.row.number("order_key")?, job.row.job_id("id")?), job));
    }
    queue.sort_by_key(|(place, _)| *place);
    let deck = Deck { asks: &claim.asks, tokens: &claim.tokens, failed_by, barred, company };
    let (mut dealt, left) = deal_in_order(queue.into_iter().map(|(_, job)| job).collect(), &deck)?;
    let enough = within(claim.bytes, dealt.iter().map(Dealt::bytes));
    let left = Left { cut: left.cut || enough < dealt.len(), ..left };
    dealt.truncate(enough);
    Ok((dealt, left))
}

/// Deals the first job first, and no more copies than there are tokens.
pub(crate) fn deal_in_order<R: Columns>(
    queue: Vec<Ready<R>>,
    deck: &Deck<'_>,
) -> Result<(Vec<Dealt<R>>, Left), StoreError> {
    let Deck { asks, mut tokens, failed_by, barred, company } = *deck;
    let (mut dealer, mut dealt) = (Dealer::new(asks, company), Vec::new());
    for ready in queue {
        if tokens.is_empty() {
            break;
        }
        let id = ready.row.job_id("id")?;
        let failed = failed_by.get(&id).map(Vec::as_slice).unwrap_or_default();
        let offer = Offer {
            needs: ready.needs,
            bytes: ready.bytes,
            wanted: ready.row.small("wanted")?.min(u32::try_from(tokens.len()).unwrap_or(u32::MAX)),
            is_answered: ready.lane.has_answers(),
            failed: &company.places(failed.iter().copied()),
            barred: &barred.from(id),
        };
        let workers = dealer.deal_copies(&offer);
        let (mine, left) = tokens.split_at(workers.len());
        tokens = left;
        let copies: Vec<Copy> = workers.into_iter().zip(mine.iter().copied()).collect();
        if !copies.is_empty() {
            dealt.push(Dealt { ready, copies });
        }
    }
    Ok((dealt, dealer.left()))
}

/// What handing jobs out leaves of them, and the attempts that begin.
#[derive(Default)]
pub(crate) struct Rows {
    /// Ids of the jobs that wanted one copy.
    pub(crate) last: Vec<i64>,
    /// Those that wanted several.
    pub(crate) jobs: Vec<JobRow>,
    pub(crate) attempts: Vec<AttemptRow>,
    /// Those among them that are to give answers.
    pub(crate) asked: Vec<AskedRow>,
}

/// Numbers go on from the locked row's `handed_out`, so none is given twice.
pub(crate) fn rows<R: Columns>(
    dealt: &[Dealt<R>],
    barred: &Barred,
    ranks: &Ranks<'_>,
) -> Result<Rows, StoreError> {
    let mut rows = Rows::default();
    for Dealt { ready, copies } in dealt {
        let row = &ready.row;
        let (id, mut number) = (row.number("id")?, row.small("handed_out")?);
        let judged = row.trust()?.is_judged();
        for (worker, token) in copies {
            number += 1;
            if judged {
                rows.asked.extend(barred.row(ready, number, *worker, ranks)?);
            }
            rows.attempts.push(AttemptRow(id, number, *token, worker.number()));
        }
        let before = row.copies()?;
        let (delivery, left) = before.handed_out(u32::try_from(copies.len()).unwrap_or(u32::MAX));
        if before.wanted == 1 {
            rows.last.push(id);
        } else {
            rows.jobs.push(JobRow(id, code(delivery), left.wanted, left.open, number));
        }
    }
    Ok(rows)
}

/// The other copies of each job behind its first, which has its input by now.
pub(crate) fn each_copy(handed: Vec<Claimed>, others: Vec<Vec<Copy>>) -> Vec<Claimed> {
    let mut all = Vec::with_capacity(handed.len());
    for (first, others) in handed.into_iter().zip(others) {
        let copy = |(worker, token)| {
            let key = AttemptKey { token, ..first.key };
            Claimed { key, worker, ..first.clone() }
        };
        let others: Vec<Claimed> = others.into_iter().map(copy).collect();
        all.push(first);
        all.extend(others);
    }
    all
}

impl<R> Dealt<R> {
    /// Bytes of inputs that go out.
    pub(crate) const fn bytes(&self) -> u64 {
        self.ready.bytes.saturating_mul(self.copies.len() as u64)
    }

    /// How many go out.
    pub(crate) const fn copies(&self) -> usize {
        self.copies.len()
    }

    pub(crate) fn receivers(&self) -> impl Iterator<Item = WorkerId> {
        self.copies.iter().map(|(worker, _)| *worker)
    }
}

impl Rows {
    /// What others leave and begin as well.
    pub(crate) fn extend(&mut self, others: Self) {
        let Self { last, jobs, attempts, asked } = others;
        self.last.extend(last);
        self.jobs.extend(jobs);
        self.attempts.extend(attempts);
        self.asked.extend(asked);
    }
}

impl<R: Columns> Dealt<R> {
    /// As the first of its receivers gets it; and the others.
    pub(crate) fn claimed(
        self,
        deadline: Timestamp,
        runs: &Runs,
    ) -> Result<(Claimed, Vec<Copy>), StoreError> {
        let Self { ready: Ready { row, needs, input, .. }, mut copies } = self;
        let judged = row.trust()?.is_judged();
        let others = copies.split_off(1);
        let (worker, token) = copies.pop().ok_or_else(|| corrupt("a job that nobody gets"))?;
        let (run, code) = (row.maybe_run_id("run")?, row.hash("code")?);
        let (workflow, workflow_name) = match run {
            Some(run) => runs.get(&run).cloned().ok_or_else(|| corrupt("a job without a run"))?,
            None => (row.maybe_hash("kernels")?.unwrap_or(code), row.text("queue")?),
        };
        let claimed = Claimed {
            key: AttemptKey { job: row.job_id("id")?, token },
            worker,
            project: row.id("project", ProjectId::from_number)?,
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
            judged,
        };
        Ok((claimed, others))
    }
}
