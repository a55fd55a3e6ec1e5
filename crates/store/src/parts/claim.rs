//! Handing jobs out: the first ready ones of each class that somebody meets, dealt out (`deal.rs`) among the workers that
//! ask. How ready jobs are found differs: see `claim.rs` of each database.

use std::collections::{BTreeMap, BTreeSet};

use weevil_model::{JobId, RunId, Timestamp};
use weevil_queue::decide::claim::Left;
use weevil_queue::{Batch, Claim, Claimed};
use weevil_records::StoreError;

use super::barred::{Barred, MAX_PASSED_OVER};
use super::deal::{
    Dealt, FailedBy, Ready, Rows, Runs, deal, each_copy, failed_before, rows, runs_of, wanted,
};
use super::ranks::Ranks;
use super::{answers, left_out, refereed, spare, stopped};
use crate::driver::Dialect;
use crate::paused::Paused;
use crate::words::LEASED;
use crate::{Columns, Fault, Sql, Tx, both};

/// Apart from the jobs: joined to them, MySQL would lock, and skip, whole runs.
const RUNS: Sql = both!("looking for the runs of ready jobs", [id int], "
select {LEAD}r.id, r.workflow, r.name from {ROWS} join runs r on r.id = s.id");

/// By the attempts' primary key, only for the few jobs that have failed before.
const FAILED_BY: Sql = both!("looking for who has failed", [job int], "
select {LEAD}distinct a.job, a.worker from {ROWS} join attempts a on a.job = s.job
where a.ending in ('error', 'expired')");

/// By the primary key. These jobs wanted one copy: they leave the index of ready jobs, and wait no longer. Apart
/// from the others, since nearly all are so and ids alone are read in half the time. Their counts grow in place,
/// since they are locked from the moment they were found.
const LAST_COPY: Sql = both!("claiming", jobs by id, [id int], "
update {TARGET}
set delivery = {LEASED}, due_at = null, wanted = 0, open_attempts = open_attempts + 1, handed_out = handed_out + 1{SOURCE}");

/// The same for jobs that wanted several. While more copies are wanted the longest wait runs on, so only a job that
/// is leased now loses its moment.
const HAND_OUT: Sql = both!("claiming", jobs by id, [id int, state int, wants int, copies int, handed int], "
update {TARGET}
set delivery = s.state, wanted = s.wants, open_attempts = s.copies, handed_out = s.handed,
    due_at = case when s.state = {LEASED} then null else due_at end{SOURCE}");

/// The jobs are locked: their numbers are read already.
const BEGIN_ATTEMPTS: Sql = both!("claiming", [job int, number int, token int, worker int], "
insert into attempts (job, number, token, worker, started_at, due_at)
select {LEAD}s.job, s.number, s.token, s.worker, {M2}, {M3} from {ROWS}{JOIN_M3}");

/// Turns in which one claim puts jobs apart that stand in somebody's way. The next claim goes on.
const TURNS_APART: u32 = 4;

/// What a claim has come to.
#[derive(Default)]
pub(crate) struct Handed {
    pub(crate) claimed: Vec<Claimed>,
    /// Why what is left went to nobody.
    pub(crate) left: Left,
    /// Runs in which it was met for the first time that an engine gets no more of a code.
    pub(crate) left_out: BTreeSet<RunId>,
}

/// Jobs that may be handed out, and what was met on the way to them.
struct Found<R> {
    ready: Vec<Ready<R>>,
    barred: Barred,
    left_out: BTreeSet<RunId>,
    /// There may be more behind those that were put apart.
    goes_on: bool,
}

impl<R> Default for Found<R> {
    fn default() -> Self {
        let (ready, barred, left_out, goes_on) = Default::default();
        Self { ready, barred, left_out, goes_on }
    }
}

/// Tokens are durable with the batch, before any worker hears of one.
pub(crate) async fn claim<T: Dialect>(
    tx: &mut T,
    batch: &Batch,
    paused: &Paused,
    ranks: &mut Ranks<'_>,
    now: Timestamp,
) -> Result<Handed, Fault> {
    let claim = &batch.claim;
    if claim.is_empty() || claim.tokens.is_empty() {
        return Ok(Handed::default());
    }
    let Some(ask) = &claim.server else { return volunteers(tx, (batch, claim), paused, ranks, now).await };
    let (dealt, barred) = refereed::deal(tx, (batch, paused), ask, ranks).await?;
    let changed = rows(&dealt, &barred, ranks)?;
    let claimed = hand_out(tx, batch, dealt, changed, now).await?;
    let tokens = claim.tokens.get(claimed.len()..).unwrap_or_default().to_vec();
    let rest = Claim { tokens, server: None, ..claim.clone() };
    let mut handed = volunteers(tx, (batch, &rest), paused, ranks, now).await?;
    handed.claimed.splice(0..0, claimed);
    Ok(handed)
}

/// What the server has not taken.
async fn volunteers<T: Dialect>(
    tx: &mut T,
    (batch, claim): (&Batch, &Claim),
    paused: &Paused,
    ranks: &mut Ranks<'_>,
    now: Timestamp,
) -> Result<Handed, Fault> {
    let Found { ready, barred, mut left_out, goes_on } = ready(tx, (batch, claim), paused, ranks).await?;
    let failed_by = failed_by(tx, &ready).await?;
    let (mut dealt, mut left) = deal(ready, claim, &failed_by, &barred, &batch.company)?;
    left.cut |= goes_on;
    let mut changed = rows(&dealt, &barred, ranks)?;
    if let Some(spares) = spare::deal(tx, (batch, claim), paused, ranks, &dealt).await? {
        changed.extend(rows(&spares.dealt, &spares.barred, ranks)?);
        dealt.extend(spares.dealt);
        left_out.extend(spares.left_out);
    }
    let claimed = hand_out(tx, batch, dealt, changed, now).await?;
    Ok(Handed { claimed, left, left_out })
}

/// Writes what was dealt. Answers what each of its receivers is sent.
async fn hand_out<T: Dialect>(
    tx: &mut T,
    batch: &Batch,
    dealt: Vec<Dealt<T::Row>>,
    changed: Rows,
    now: Timestamp,
) -> Result<Vec<Claimed>, Fault> {
    let Rows { last, jobs, attempts, asked } = changed;
    let deadline = now.plus_ms(batch.lease_ms);
    let runs = runs(tx, &dealt).await?;
    let (mut handed, mut others) = (Vec::with_capacity(dealt.len()), Vec::with_capacity(dealt.len()));
    for job in dealt {
        let (first, more) = job.claimed(deadline, &runs)?;
        handed.push(first);
        others.push(more);
    }
    tx.fill_in(&mut handed, &batch.enqueue).await?;
    tx.change(&LAST_COPY, &last, &[]).await?;
    tx.change(&HAND_OUT, &jobs, &[]).await?;
    tx.change(&BEGIN_ATTEMPTS, &attempts, &[now.into(), deadline.into()]).await?;
    answers::ask(tx, &asked).await?;
    Ok(each_copy(handed, others))
}

/// The jobs that may be handed out, and who may not have them. What an asker may not have is nothing for it: so many jobs more
/// are read, where there may be more. One turn is enough unless jobs want several copies, or answers of somebody else than who
/// asks.
async fn ready<T: Dialect>(
    tx: &mut T,
    (batch, claim): (&Batch, &Claim),
    paused: &Paused,
    ranks: &mut Ranks<'_>,
) -> Result<Found<T::Row>, Fault> {
    if claim.asks.is_empty() {
        return Ok(Found::default());
    }
    let (mut more, mut turns, mut left_out) = (0, 0, BTreeSet::new());
    loop {
        let mut ready = tx.ready(claim, more).await?;
        let of_long_lines = of_long_lines(&ready, claim, more)?;
        let mut goes_on = stopped::hold(tx, &mut ready, paused).await?;
        if any_judged(&ready)? {
            ranks.learn(tx).await?;
            let apart = left_out::put_apart(tx, &mut ready, &claim.asks).await?;
            goes_on |= apart.moved > 0;
            left_out.extend(apart.runs);
        }
        if goes_on && turns < TURNS_APART {
            (more, turns) = (MAX_PASSED_OVER, turns + 1);
            continue;
        }
        let barred = Barred::of(tx, &ready, &claim.asks, batch, ranks).await?;
        let passed_over = barred.passed_over(&claim.asks, &of_long_lines);
        if passed_over <= more {
            return Ok(Found { ready, barred, left_out, goes_on });
        }
        more = passed_over;
    }
}

/// Those whose line was read as far as was asked: it may go on behind them.
fn of_long_lines<R: Columns>(ready: &[Ready<R>], claim: &Claim, more: u64) -> Result<Vec<JobId>, StoreError> {
    let mut lines: BTreeMap<i64, Vec<&Ready<R>>> = BTreeMap::new();
    for job in ready {
        lines.entry(job.lane.class(job.needs)).or_default().push(job);
    }
    let mut long = Vec::new();
    for (class, line) in lines {
        let (_, wanted) = wanted(claim, class, more)?;
        if line.len() as u64 >= wanted {
            long.extend(line);
        }
    }
    long.into_iter().map(|job| job.row.job_id("id")).collect()
}

/// Who is trusted, and who rests, counts for a quorum as well.
pub(crate) fn any_judged<R: Columns>(ready: &[Ready<R>]) -> Result<bool, StoreError> {
    for job in ready {
        if job.row.trust()?.is_judged() {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn runs<T: Tx>(tx: &mut T, dealt: &[Dealt<T::Row>]) -> Result<Runs, Fault> {
    let mut runs = Runs::new();
    for row in tx.rows(&RUNS, &runs_of(dealt)?).await? {
        runs.insert(row.run_id("id")?, (row.hash("workflow")?, row.text("name")?));
    }
    Ok(runs)
}

pub(crate) async fn failed_by<T: Tx>(tx: &mut T, ready: &[Ready<T::Row>]) -> Result<FailedBy, Fault> {
    let mut by = FailedBy::new();
    for row in tx.rows(&FAILED_BY, &failed_before(ready)?).await? {
        by.entry(row.job_id("job")?).or_default().push(row.worker_id("worker")?);
    }
    Ok(by)
}
