//! The ends of runs, as facts: written, read and listed; and the views that earlier releases have left in their place, read
//! until they are facts too.
//!
//! Facts that cannot be read are told as such, and stop nobody who reads them.

use weevil_model::{Encoded, RunId, RunState};
use weevil_records::{
    ListedRun, Progress, RunEnd, RunFacts, RunHead, RunRecord, RunTotals, StoreError, Turned, of_column,
    old_view, to_column,
};

use crate::{Arg, Columns, Fault, Sql, Tx};

/// By the primary key. Its jobs are cancelled by the batch that follows. Whatever the row says before: the run
/// repeats this until it is durable, and twice is the same as once. What has ended is not paused.
const END: Sql = Sql::of(
    "ending a run",
    "
update runs set state = ?, finished_at = ?, paused_at = null, result = ?, summary = ?, error = ?, nodes = ?,
    node_count = ? where id = ?",
);

/// Ids grow: the end of the primary key. Neither results nor nodes are read; `view` is a word of MySQL's own, and both
/// databases take the quotes.
const NEWEST: Sql = Sql::of(
    "listing runs",
    "
select id, workflow, name, state, created_at, paused_at, finished_at, result is not null as valued, summary,
    case when summary is null then `view` end as `view`
from runs order by id desc limit ?",
);

/// Along the primary key from where the last step has ended: once for each start of a server.
const VIEWS: Sql = Sql::of(
    "looking for old views",
    "
select id, `view` from runs where id > ? and finished_at is not null and summary is null order by id limit ?",
);

/// By the primary key. A run that has been forgotten meanwhile is not met. A second turn, after a crash or by
/// another server, changes nothing.
const TURN: Sql = Sql::of(
    "turning old views into facts",
    "
update runs set summary = ?, error = ?, nodes = ?, node_count = ?, `view` = ? where id = ? and summary is null",
);

/// The columns of one run's facts.
struct Row {
    summary: Vec<u8>,
    error: Option<Vec<u8>>,
    nodes: Vec<u8>,
    node_count: u32,
}

impl Row {
    fn of(facts: &RunFacts) -> Self {
        Self {
            summary: to_column(&facts.summary),
            error: facts.error.as_ref().map(to_column),
            nodes: to_column(&facts.nodes),
            node_count: facts.node_count,
        }
    }

    fn args(&self) -> [Arg<'_>; 4] {
        let (summary, nodes) = (self.summary.as_slice(), self.nodes.as_slice());
        [summary.into(), Arg::Bytes(self.error.as_deref()), nodes.into(), self.node_count.into()]
    }
}

pub(crate) async fn end<T: Tx>(tx: &mut T, run: RunId, end: &RunEnd) -> Result<(), Fault> {
    let result = Arg::Bytes(end.result.as_ref().map(Encoded::as_bytes));
    let row = Row::of(&end.facts);
    let [summary, error, nodes, node_count] = row.args();
    let ended = [end.state.as_str().into(), end.at.into(), result];
    let args = [&ended[..], &[summary, error, nodes, node_count, run.number().into()]].concat();
    tx.run(&END, &args).await.map(drop)
}

pub(crate) async fn newest<T: Tx>(tx: &mut T, limit: u32) -> Result<Vec<ListedRun>, Fault> {
    let rows = tx.found(&NEWEST, &[limit.into()]).await?;
    Ok(rows.iter().map(listed_or_why).collect::<Result<_, _>>()?)
}

/// A view that has been read, or why it could not be.
pub(crate) struct OldView {
    run: RunId,
    text: String,
    read: Result<RunFacts, String>,
}

impl OldView {
    fn of<R: Columns>(row: &R) -> Result<Self, StoreError> {
        let (run, text) = (row.run_id("id")?, row.maybe_text("view")?.unwrap_or_default());
        let read = old_view::read(run, &text);
        Ok(Self { run, text, read })
    }
}

/// Outside of any transaction that writes: reading a view takes longer than writing its facts.
pub(crate) async fn old_views<T: Tx>(
    tx: &mut T,
    after: Option<RunId>,
    most: u32,
) -> Result<Vec<OldView>, Fault> {
    let after = after.map_or(-1, RunId::number);
    let rows = tx.found(&VIEWS, &[after.into(), most.into()]).await?;
    Ok(rows.iter().map(OldView::of).collect::<Result<_, _>>()?)
}

/// A view that cannot be read stays beside the facts that say so: a person may make something of it. Run by run:
/// facts are bytes, which travel best alone, and a piece has few.
pub(crate) async fn turn<T: Tx>(tx: &mut T, views: &[OldView]) -> Result<Turned, Fault> {
    let mut turned = Turned::default();
    for OldView { run, text, read } in views {
        let (row, left) = match read {
            Ok(facts) => (Row::of(facts), None),
            Err(why) => {
                turned.unreadable.push((*run, why.clone()));
                (Row::of(&RunFacts::unreadable(why)), Some(text.as_str()))
            }
        };
        let args = [&row.args()[..], &[Arg::Text(left), run.number().into()]].concat();
        tx.run(&TURN, &args).await?;
        (turned.last, turned.runs) = (Some(*run), turned.runs + 1);
    }
    Ok(turned)
}

/// The state of a run whose row holds another word than this release knows.
pub(crate) const fn likely_state(ended: bool, valued: bool) -> RunState {
    match (ended, valued) {
        (false, _) => RunState::Started,
        (true, true) => RunState::Finished,
        (true, false) => RunState::Failed,
    }
}

/// One row that cannot be read hides no other.
fn listed_or_why<R: Columns>(row: &R) -> Result<ListedRun, StoreError> {
    listed_run(row).or_else(|error| {
        let StoreError::Corrupt { what } = error else { return Err(error) };
        let (finished_at, state) = (row.maybe_moment("finished_at")?, state(row)?);
        let head = RunRecord::unread(row.run_id("id")?, what).head();
        Ok(ListedRun { head: RunHead { state, finished_at, ..head }, progress: Progress::default() })
    })
}

fn state<R: Columns>(row: &R) -> Result<RunState, StoreError> {
    let (ended, valued) = (row.maybe_moment("finished_at")?.is_some(), row.number("valued")? != 0);
    Ok(RunState::parse(&row.text("state")?).unwrap_or(likely_state(ended, valued)))
}

fn listed_run<R: Columns>(row: &R) -> Result<ListedRun, StoreError> {
    let finished_at = row.maybe_moment("finished_at")?;
    let ended = finished_at.is_some();
    let head = RunHead {
        id: row.run_id("id")?,
        name: row.text("name")?,
        workflow: row.hash("workflow")?,
        state: state(row)?,
        created_at: row.moment("created_at")?,
        finished_at,
        paused: row.maybe_number("paused_at")?.is_some() && !ended,
    };
    let progress = if ended { progress(row)? } else { Progress::default() };
    Ok(ListedRun { head, progress })
}

/// Totals that cannot be read tell of no progress, rather than keep the run out of a list.
fn progress<R: Columns>(row: &R) -> Result<Progress, StoreError> {
    let totals = match row.maybe_bytes("summary")? {
        Some(summary) => of_column::<RunTotals>(&summary).unwrap_or_default(),
        None => old_facts(row)?.unwrap_or_default().summary,
    };
    Ok(totals.progress)
}

/// What a run has come to.
pub(crate) fn facts<R: Columns>(row: &R) -> Result<RunFacts, StoreError> {
    let read = match row.maybe_bytes("summary")? {
        Some(summary) => {
            let (error, nodes) = (row.maybe_bytes("error")?, row.maybe_bytes("nodes")?);
            of_columns(&summary, error.as_deref(), nodes.as_deref(), row.small("node_count")?)
        }
        None => old_facts(row)?,
    };
    Ok(read.unwrap_or_else(|why| RunFacts::unreadable(&why)))
}

fn of_columns(
    summary: &[u8],
    error: Option<&[u8]>,
    nodes: Option<&[u8]>,
    node_count: u32,
) -> Result<RunFacts, String> {
    Ok(RunFacts {
        summary: of_column(summary)?,
        error: error.map(of_column).transpose()?,
        nodes: nodes.map(of_column).transpose()?.unwrap_or_default(),
        node_count,
    })
}

/// What an old view tells, or why it tells nothing.
fn old_facts<R: Columns>(row: &R) -> Result<Result<RunFacts, String>, StoreError> {
    let view = row.maybe_text("view")?.unwrap_or_default();
    Ok(old_view::read(row.run_id("id")?, &view))
}
