//! Runs, their inputs, and what their attempts add up to.

use weevil_model::{Encoded, RunState};
use weevil_queue::{Reuse, RunEnd, RunInput, RunRecord, SlotTotals, StoreError};

use super::columns::Columns;
use super::json::corrupt;

pub(crate) fn record<R: Columns>(row: &R) -> Result<RunRecord, StoreError> {
    let state = row.word("state", RunState::parse)?.ok_or_else(|| corrupt("a run without a state"))?;
    let result = row.maybe_bytes("result")?.map(Encoded::trusted);
    let end = match row.maybe_moment("finished_at")? {
        Some(at) => Some(RunEnd { state, at, result, view: row.maybe_text("view")?.unwrap_or_default() }),
        None => None,
    };
    Ok(RunRecord {
        id: row.run_id("id")?,
        name: row.text("name")?,
        workflow: row.hash("workflow")?,
        seed: row.unsigned("seed")?,
        state,
        created_at: row.moment("created_at")?,
        paused: row.maybe_number("paused_at")?.is_some(),
        reuse: row.word("reuse", Reuse::parse)?.unwrap_or_default(),
        end,
    })
}

pub(crate) fn input<R: Columns>(row: &R) -> Result<RunInput, StoreError> {
    Ok((row.text("node")?, Encoded::trusted(row.bytes("value")?)))
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
