//! The ends of runs, as facts: written and read; and the views that earlier releases have left in their place, read
//! until they are facts too.
//!
//! Facts that cannot be read are told as such, and stop nobody who reads them.

use const_format::formatcp;
use weevil_model::{Encoded, ProjectId, RunId, RunState};
use weevil_queue::profile::ProfileFacts;
use weevil_records::{
    RunCourse, RunEnd, RunFacts, RunTotals, StoreError, Turned, of_column, old_view, to_column,
};

use super::usage::UsageChanges;
use crate::words::{LOT_ENDED, RETRACE_DUE, RETRACED};
use crate::{Arg, Columns, Fault, Sql, Tx, both};

/// By the primary key: a run that has ended has a result already.
const BEFORE: Sql = both!(
    "ending a run",
    "select project, retrace, finished_at, coalesce(length(result), 0) as bytes from runs where id = ?{LOCK}"
);

/// By the primary key. Its jobs are cancelled by the batch that follows. Whatever the row says before: the run
/// repeats this until it is durable, and twice is the same as once. What has ended is not paused.
const END: Sql = Sql::of(
    "ending a run",
    "
update runs set state = ?, finished_at = ?, paused_at = null, paused_why = null, paused_words = null, paused_by = null, paused_note = null, result = ?, summary = ?, error = ?, nodes = ?,
    node_count = ?, states = ?, profile = ? where id = ?",
);

/// By the primary key.
const RETRACE: Sql = Sql::of(
    "retracing a run",
    formatcp!("update runs set retrace = {RETRACED} where id = ? and retrace = {RETRACE_DUE}"),
);

/// Whose networks were which, nobody can tell from then on.
const FORGET_SALT: Sql = Sql::of("ending a run", "delete from salts where run = ?");

/// By the index of undecided lots: what had not been decided never will be.
const END_LOTS: Sql =
    both!("ending a run", "update lots{UNDECIDED} set fate = '{LOT_ENDED}' where fate is null and run = ?");

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

pub(crate) async fn end<T: Tx>(
    tx: &mut T,
    run: RunId,
    end: &RunEnd,
    course: &RunCourse,
) -> Result<bool, Fault> {
    let Some(before) = tx.one(&BEFORE, &[run.number().into()]).await? else { return Ok(true) };
    if end.state != RunState::Cancelled && is_to_retrace(&before)? {
        return Ok(false);
    }
    let project = before.id("project", ProjectId::from_number)?;
    let result = end.result.as_ref().map(Encoded::as_bytes);
    let mut usage = UsageChanges::default();
    usage.give_back(project, before.unsigned("bytes")?);
    usage.keep(project, result.map_or(0, <[u8]>::len) as u64);
    let result = Arg::Bytes(result);
    let row = Row::of(&end.facts);
    let [summary, error, nodes, node_count] = row.args();
    let ended = [end.state.as_str().into(), end.at.into(), result];
    let states = to_column(&course.states);
    let profile = course.profile.as_ref().map(ProfileFacts::to_bytes);
    let course = [states.as_slice().into(), Arg::Bytes(profile.as_deref())];
    let kept = [&[summary, error, nodes, node_count][..], &course, &[run.number().into()]].concat();
    let args = [&ended[..], &kept].concat();
    tx.run(&END, &args).await?;
    tx.run(&FORGET_SALT, &[run.number().into()]).await?;
    tx.run(&END_LOTS, &[run.number().into()]).await?;
    usage.write(tx).await?;
    Ok(true)
}

fn is_to_retrace<R: Columns>(row: &R) -> Result<bool, StoreError> {
    Ok(row.maybe_moment("finished_at")?.is_none() && row.small("retrace")? == RETRACE_DUE)
}

/// What its executors are told from now on is what stands.
pub(crate) async fn retrace<T: Tx>(tx: &mut T, run: RunId) -> Result<(), Fault> {
    tx.run(&RETRACE, &[run.number().into()]).await.map(drop)
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
        summary: RunTotals::of_column(summary)?,
        error: error.map(of_column).transpose()?,
        nodes: nodes.map(of_column).transpose()?.unwrap_or_default(),
        node_count,
    })
}

/// What an old view tells, or why it tells nothing.
pub(super) fn old_facts<R: Columns>(row: &R) -> Result<Result<RunFacts, String>, StoreError> {
    let view = row.maybe_text("view")?.unwrap_or_default();
    Ok(old_view::read(row.run_id("id")?, &view))
}
