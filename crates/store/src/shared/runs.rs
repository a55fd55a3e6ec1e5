//! Runs, their inputs, and what their attempts add up to.

use weevil_model::{Encoded, Reuse, RunState};
use weevil_queue::decide::effort::MAX_FLOPS_PER_SECOND;
use weevil_records::{JobTimes, RunEnd, RunInput, RunRecord, SlotTotals, StoreError};

use super::columns::Columns;

pub(crate) fn record<R: Columns>(row: &R) -> Result<RunRecord, StoreError> {
    let (word, reuse) = (row.text("state")?, row.text("reuse")?);
    let known = RunState::parse(&word);
    let result = row.maybe_bytes("result")?.map(Encoded::trusted);
    let end = match row.maybe_moment("finished_at")? {
        Some(at) => {
            let ended = if result.is_some() { RunState::Finished } else { RunState::Failed };
            let view = row.maybe_text("view")?.unwrap_or_default();
            Some(RunEnd { state: known.unwrap_or(ended), at, result, view })
        }
        None => None,
    };
    let state = end.as_ref().map_or_else(|| known.unwrap_or(RunState::Started), |end| end.state);
    let unread = [(known.is_none(), "state", &word), (Reuse::parse(&reuse).is_none(), "reuse", &reuse)];
    let unread = unread.into_iter().find(|(unknown, ..)| *unknown);
    Ok(RunRecord {
        id: row.run_id("id")?,
        name: row.text("name")?,
        workflow: row.hash("workflow")?,
        seed: row.unsigned("seed")?,
        state,
        created_at: row.moment("created_at")?,
        paused: row.maybe_number("paused_at")?.is_some(),
        reuse: Reuse::parse(&reuse).unwrap_or_default(),
        end,
        unread: unread.map(|(_, column, word)| format!("the {column} `{word}`")),
    })
}

pub(crate) fn input<R: Columns>(row: &R) -> Result<RunInput, StoreError> {
    Ok((row.text("node")?, Encoded::trusted(row.bytes("value")?)))
}

/// Operations that a slot counts in a microsecond at most.
pub(crate) const MAX_FLOPS_PER_US: f64 = MAX_FLOPS_PER_SECOND / 1e6;

/// The middle of what has these three digits in front.
pub(crate) fn job_times<R: Columns>(row: &R) -> Result<JobTimes, StoreError> {
    let (head, below) = (row.unsigned("head")?, 10_u64.pow(row.small("digits")?.saturating_sub(3).min(16)));
    Ok(JobTimes {
        compute_us: head.saturating_mul(below).saturating_add(below / 2),
        jobs: row.small("jobs")?,
    })
}

pub(crate) fn slot_totals<R: Columns>(row: &R) -> Result<SlotTotals, StoreError> {
    Ok(SlotTotals {
        worker: row.worker_id("worker")?,
        slot: row.small("slot")?,
        jobs: row.small("jobs")?,
        compute_us: row.unsigned("compute_us")?,
        flops: row.real("flops")?,
        first_claim: row.moment("first_claim")?,
        last_result: row.moment("last_result")?,
    })
}
