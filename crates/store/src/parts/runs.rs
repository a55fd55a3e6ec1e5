//! Runs, their inputs, and what their attempts add up to: rare writes, plain reads. Ends stand in `run_ends.rs`.

use const_format::formatcp;
use weevil_model::limits::MAX_SLOTS;
use weevil_model::trust::Policy;
use weevil_model::{Encoded, Pause, PauseWords, ProjectId, Reuse, RunId, RunPause, RunState};
use weevil_queue::RunJudgement;
use weevil_queue::decide::effort::{MAX_COMPUTE_US, MAX_FLOPS_PER_SECOND};
use weevil_records::{
    JobTimes, Retrace, RunEnd, RunInput, RunRecord, SlotTotals, StoreError, StoredWorkflow,
};

use super::run_ends::{facts, likely_state};
use super::usage::UsageChanges;
use super::{judgements, left_out, workflows};
use crate::words::RETRACE_DUE;
use crate::{Arg, Columns, Fault, Sql, Tx, both};

/// All of a row. The old view only where there are no facts yet: it may have hundreds of kilobytes.
const RUN: &str = "
select id, project, created_by, workflow, name, seed, state, created_at, paused_at, paused_why, paused_words, paused_by, paused_note, reuse, trust, assumed, retrace, finished_at, result, summary, error, nodes,
    node_count, case when summary is null then `view` end as `view`, (select count(*) from doubts d where d.run = runs.id) as doubts from runs";

/// By the primary key.
const ONE: Sql = Sql::of("reading a run", formatcp!("{RUN} where id = ?"));

/// By the index of ends. SQLite's has no other runs.
const OPEN: Sql = Sql::of("listing open runs", "select id from runs where finished_at is null order by id");

/// An id is given once, so nothing is in its way.
const CREATE: Sql = Sql::of(
    "creating a run",
    "
insert into runs (id, project, created_by, workflow, name, seed, state, created_at, reuse, trust, assumed)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
);

/// One by one: values may be as large as the wire allows, and few nodes are replaced.
const KEEP_INPUT: Sql =
    Sql::of("keeping a run's inputs", "insert into run_inputs (run, node, value) values (?, ?, ?)");

/// MySQL orders by the bytes that it keeps, not by the text that it answers.
const INPUTS: Sql = Sql {
    doing: "reading a run's inputs",
    sqlite: "select node, value from run_inputs where run = ? order by node",
    mysql: "
select convert(node using utf8mb4) as node, value from run_inputs where run = ? order by run_inputs.node",
};

/// Attempts `a` of jobs `j` of a run whose values are their jobs': of a judged job the newest answer that agreed, which was the one
/// that ended it. The answers are looked up by their key, one for each attempt.
pub(crate) const VALUED: &str =
    "jobs j join attempts a on a.job = j.id left join answers x on x.job = a.job and x.number = a.number
      where j.run = ? and a.ending = 'completed' and (x.job is null or (x.fate = 'agreed' and not exists (
          select 1 from answers y where y.job = x.job and y.number > x.number and y.fate = 'agreed')))";

/// Rows of earlier releases hold what workers claimed: each is bounded by its own span, as new ones are. `total`
/// adds floats, which cannot overflow. By the unique index, which has the ids of a run's jobs: no row of theirs is
/// read, whatever it holds.
const TOTALS: Sql = both!("adding up a run", "
select worker, slot, count(*) as jobs,
       cast({LEAST}({TOTAL}({LEAST}(compute_us, most_us)), 9e18) as {INTEGER}) as compute_us,
       {TOTAL}({LEAST}({GREATEST}(flops, 0e0), most_us * ?)) as flops, min(started_at) as first_claim,
       max(ended_at) as last_result
from (select a.worker, cast({LEAST}(a.slot, ? - 1) as {INTEGER}) as slot, a.compute_us, a.flops, a.started_at, a.ended_at,
             {LEAST}(({GREATEST}(a.ended_at - a.started_at, 0) + 1) * 1000, ?) as most_us
      from {VALUED}) as seen
group by worker, slot order by worker, slot");

/// Jobs whose times have the same number of digits and begin with the same three. So a run of any length answers at
/// most 900 rows for each number of digits.
const TIMES: Sql = both!(
    "counting the times of a run",
    "
select length(us) as digits, cast(substr(us, 1, 3) as {INTEGER}) as head, count(*) as jobs
from (select {LEAST}(a.compute_us, ({GREATEST}(a.ended_at - a.started_at, 0) + 1) * 1000, ?) as us
      from {VALUED}) as seen
group by digits, head"
);

/// Workflow, run and inputs in one transaction: after a crash there is a run that can be taken up, or nothing.
pub(crate) async fn create<T: Tx>(
    tx: &mut T,
    workflow: &StoredWorkflow,
    run: &RunRecord,
    inputs: &[RunInput],
) -> Result<(), Fault> {
    let mut usage = UsageChanges::default();
    usage.keep(run.project, workflows::put(tx, run.project, workflow, run.created_at).await?);
    let (id, hash) = (run.id.number(), run.workflow.as_bytes().as_slice());
    let seed = run.seed.cast_signed();
    let row: [Arg<'_>; 11] = [
        id.into(),
        run.project.number().into(),
        Arg::Text(run.created_by.as_deref()),
        hash.into(),
        run.name.as_str().into(),
        seed.into(),
        run.state.as_str().into(),
        run.created_at.into(),
        run.reuse.as_str().into(),
        Arg::Number(run.trust.map(|policy| policy.number().into())),
        Arg::Number(run.assumed.map(|share| share.millionths().into())),
    ];
    tx.run(&CREATE, &row).await?;
    for (node, value) in inputs {
        tx.run(&KEEP_INPUT, &[id.into(), Arg::Key(node), value.as_bytes().into()]).await?;
        usage.keep(run.project, value.as_bytes().len() as u64);
    }
    usage.write(tx).await
}

pub(crate) async fn one<T: Tx>(tx: &mut T, run: RunId) -> Result<Option<RunRecord>, Fault> {
    let Some(row) = tx.one(&ONE, &[run.number().into()]).await? else { return Ok(None) };
    let left_out = left_out::of_run(tx, run).await?;
    let judgement = judgements::of_run(tx, run).await?;
    Ok(Some(RunRecord { left_out, judgement, ..record_or_why(&row)? }))
}

pub(crate) async fn open<T: Tx>(tx: &mut T) -> Result<Vec<RunId>, Fault> {
    let rows = tx.found(&OPEN, &[]).await?;
    Ok(rows.iter().map(|row| row.run_id("id")).collect::<Result<_, _>>()?)
}

pub(crate) async fn inputs<T: Tx>(tx: &mut T, run: RunId) -> Result<Vec<RunInput>, Fault> {
    let rows = tx.found(&INPUTS, &[run.number().into()]).await?;
    Ok(rows.iter().map(input).collect::<Result<_, _>>()?)
}

pub(crate) async fn totals<T: Tx>(tx: &mut T, run: RunId) -> Result<Vec<SlotTotals>, Fault> {
    let most = MAX_COMPUTE_US.cast_signed();
    let slots = i64::from(MAX_SLOTS);
    let args = [Arg::Real(MAX_FLOPS_PER_US), slots.into(), most.into(), run.number().into()];
    let rows = tx.found(&TOTALS, &args).await?;
    Ok(rows.iter().map(slot_totals).collect::<Result<_, _>>()?)
}

pub(crate) async fn times<T: Tx>(tx: &mut T, run: RunId) -> Result<Vec<JobTimes>, Fault> {
    let rows = tx.found(&TIMES, &[MAX_COMPUTE_US.cast_signed().into(), run.number().into()]).await?;
    Ok(rows.iter().map(job_times).collect::<Result<_, _>>()?)
}

/// Where a row cannot be read, what stands in for it says so.
fn record_or_why<R: Columns>(row: &R) -> Result<RunRecord, StoreError> {
    record(row).or_else(|error| {
        let StoreError::Corrupt { what } = error else { return Err(error) };
        let (unread, end) = (RunRecord::unread(row.run_id("id")?, what), end_of(row)?);
        let project = row.id("project", ProjectId::from_number)?;
        Ok(RunRecord { project, state: end.as_ref().map_or(unread.state, |end| end.state), end, ..unread })
    })
}

fn end_of<R: Columns>(row: &R) -> Result<Option<RunEnd>, StoreError> {
    let Some(at) = row.maybe_moment("finished_at")? else { return Ok(None) };
    let result = row.maybe_bytes("result")?.map(Encoded::trusted);
    let state = RunState::parse(&row.text("state")?).unwrap_or(likely_state(true, result.is_some()));
    Ok(Some(RunEnd { state, at, result, facts: facts(row)? }))
}

fn record<R: Columns>(row: &R) -> Result<RunRecord, StoreError> {
    let (word, reuse) = (row.text("state")?, row.text("reuse")?);
    let (known, end) = (RunState::parse(&word), end_of(row)?);
    let state = end.as_ref().map_or_else(|| known.unwrap_or(likely_state(false, false)), |end| end.state);
    let number = row.maybe_small("trust")?;
    let trust = number.and_then(Policy::from_number);
    let told = number.map_or_else(String::new, |number| number.to_string());
    let unread = [
        (known.is_none(), "state", &word),
        (Reuse::parse(&reuse).is_none(), "reuse", &reuse),
        (number.is_some() && trust.is_none(), "trust", &told),
    ];
    let unread = unread.into_iter().find(|(unknown, ..)| *unknown);
    Ok(RunRecord {
        id: row.run_id("id")?,
        project: row.id("project", ProjectId::from_number)?,
        created_by: row.maybe_text("created_by")?,
        name: row.text("name")?,
        workflow: row.hash("workflow")?,
        seed: row.unsigned("seed")?,
        state,
        created_at: row.moment("created_at")?,
        paused: pause(row)?,
        reuse: Reuse::parse(&reuse).unwrap_or_default(),
        trust,
        assumed: row.assumed()?,
        left_out: Vec::new(),
        doubted: row.unsigned("doubts")?,
        retrace: retrace(row.small("retrace")?),
        judgement: RunJudgement::default(),
        end,
        unread: unread.map(|(_, column, word)| format!("the {column} `{word}`")),
    })
}

const fn retrace(number: u32) -> Retrace {
    match number {
        0 => Retrace::Never,
        RETRACE_DUE => Retrace::Due,
        _ => Retrace::Begun,
    }
}

/// `None` where it goes on.
pub(crate) fn pause<R: Columns>(row: &R) -> Result<Option<RunPause>, StoreError> {
    let Some(since) = row.maybe_moment("paused_at")? else { return Ok(None) };
    let (why, words) = (row.maybe_text("paused_why")?, row.maybe_text("paused_words")?);
    Ok(Some(RunPause { since, why: Pause::for_reason(why.as_deref(), words, person(row)?) }))
}

/// What the person says who has paused a run or the queue.
pub(crate) fn person<R: Columns>(row: &R) -> Result<PauseWords, StoreError> {
    let (by, note) = (row.maybe_text("paused_by")?, row.maybe_text("paused_note")?);
    Ok(PauseWords { by: by.map(Into::into), note: note.map(Into::into) })
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
