//! Spares: second copies of jobs that are out for long, dealt out among workers that the claim gave nothing else.
//!
//! Which jobs these are, whoever brings the batch knows; here it is seen whether they are out still, and who may have one.

use std::collections::BTreeSet;

use weevil_model::RunId;
use weevil_queue::decide::claim::within;
use weevil_queue::{Appetite, Batch, Claim};
use weevil_records::StoreError;

use super::barred::Barred;
use super::claim::{any_judged, failed_by};
use super::deal::{Dealt, Deck, Ready, deal_in_order};
use super::left_out;
use super::ranks::Ranks;
use crate::driver::Dialect;
use crate::paused::Paused;
use crate::{Columns, Fault};

/// What has become of the spares of a claim.
pub(crate) struct SparesDealt<R> {
    pub(crate) dealt: Vec<Dealt<R>>,
    pub(crate) barred: Barred,
    /// Runs in which it was met for the first time that an engine gets no more of a code.
    pub(crate) left_out: BTreeSet<RunId>,
}

/// `taken`: what the claim hands out besides, which comes first. Asks the database nothing where no spare is due.
pub(crate) async fn deal<T: Dialect>(
    tx: &mut T,
    (batch, claim): (&Batch, &Claim),
    paused: &Paused,
    ranks: &mut Ranks<'_>,
    taken: &[Dealt<T::Row>],
) -> Result<Option<SparesDealt<T::Row>>, Fault> {
    let asks = empty_handed(&claim.spares.asks, taken);
    let tokens = claim.tokens.get(taken.iter().map(Dealt::copies).sum()..).unwrap_or_default();
    if claim.spares.jobs.is_empty() || asks.is_empty() || tokens.is_empty() {
        return Ok(None);
    }
    let jobs: Vec<i64> = claim.spares.jobs.iter().map(|job| job.number()).collect();
    let mut out = unpaused(tx.lone(&jobs).await?, paused)?;
    let mut left_out = BTreeSet::new();
    if any_judged(&out)? {
        ranks.learn(tx).await?;
        left_out = left_out::put_apart(tx, &mut out, &asks).await?.runs;
    }
    let mut barred = Barred::of(tx, &out, &asks, batch, ranks).await?;
    barred.all_but_elsewhere(&asks, &batch.company);
    let failed_by = failed_by(tx, &out).await?;
    let deck = Deck { asks: &asks, tokens, failed_by: &failed_by, barred: &barred, company: &batch.company };
    let (mut dealt, _) = deal_in_order(longest_first(out, &jobs)?, &deck)?;
    let bytes = taken.iter().chain(&dealt).map(Dealt::bytes);
    dealt.truncate(within(claim.bytes, bytes).saturating_sub(taken.len()));
    Ok(Some(SparesDealt { dealt, barred, left_out }))
}

/// Who was dealt nothing.
fn empty_handed<R>(asks: &[Appetite], taken: &[Dealt<R>]) -> Vec<Appetite> {
    let receivers: BTreeSet<_> = taken.iter().flat_map(Dealt::receivers).collect();
    asks.iter().filter(|ask| !receivers.contains(&ask.worker)).copied().collect()
}

/// Nothing of a paused run is handed out.
fn unpaused<R: Columns>(out: Vec<Ready<R>>, paused: &Paused) -> Result<Vec<Ready<R>>, StoreError> {
    let mut going = Vec::with_capacity(out.len());
    for job in out {
        if !job.row.maybe_run_id("run")?.is_some_and(|run| paused.has(run)) {
            going.push(job);
        }
    }
    Ok(going)
}

/// In the order in which they were asked for.
fn longest_first<R: Columns>(out: Vec<Ready<R>>, jobs: &[i64]) -> Result<Vec<Ready<R>>, StoreError> {
    let mut placed = Vec::with_capacity(out.len());
    for job in out {
        let id = job.row.number("id")?;
        placed.push((jobs.iter().position(|job| *job == id), job));
    }
    placed.sort_by_key(|(place, _)| *place);
    Ok(placed.into_iter().map(|(_, job)| job).collect())
}
