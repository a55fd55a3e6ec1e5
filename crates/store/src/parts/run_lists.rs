//! Lists of runs, page by page: heads and totals, by age or by name. Never reads a result or a node.
//!
//! A row that cannot be read hides no other.

use weevil_model::trust::Policy;
use weevil_model::{ContentHash, ProjectId, RunState};
use weevil_records::{
    ListedRun, NameSearch, Order, Progress, RunHead, RunList, RunRecord, RunTotals, StoreError,
};

use super::run_ends::{likely_state, old_facts};
use super::runs::pause;
use crate::{Arg, Columns, Fault, Sql, Tx, both};

/// `view` is a word of MySQL's own, and both databases take the quotes; it is read where there are no facts yet.
const LIST: &str = "
select id, project, workflow, name, state, created_at, paused_at, paused_why, paused_words, paused_by, paused_note, trust, finished_at, result is not null as valued, summary,
    case when summary is null then `view` end as `view`, (select count(*) from doubts d where d.run = runs.id) as doubts
from runs";
/// A list in both orders of age, which is that of ids.
struct Ordered {
    newest: Sql,
    oldest: Sql,
}

impl Ordered {
    const fn by(&self, order: Order) -> &Sql {
        match order {
            Order::Newest => &self.newest,
            Order::Oldest => &self.oldest,
        }
    }
}

/// `{PAGE}` stands for the end of the list's text.
macro_rules! ordered {
    ($text:tt) => {
        Ordered {
            newest: {
                const PAGE: &str = "id >= ? and id < ? order by id desc limit ?";
                both!("listing runs", $text)
            },
            oldest: {
                const PAGE: &str = "id >= ? and id < ? order by id limit ?";
                both!("listing runs", $text)
            },
        }
    };
}

/// Along the primary key.
const ALL: Ordered = ordered!("{LIST}{BY_KEY} where {PAGE}");
/// Along the index of states, whose entries end with the id. MySQL is told: left alone it reads from the newest on, past all
/// pages before.
const OF_STATE: Ordered = ordered!("{LIST}{BY_STATE} where state = ? and {PAGE}");
/// Along the index of workflows, like that of states.
const OF_WORKFLOW: Ordered = ordered!("{LIST}{BY_WORKFLOW} where workflow = ? and {PAGE}");
/// The state is compared.
const OF_BOTH: Ordered = ordered!("{LIST}{BY_WORKFLOW} where state = ? and workflow = ? and {PAGE}");

/// The same in a project: each index begins with it.
const IN_PROJECT: Ordered = ordered!("{LIST}{OF_PROJECT} where project = ? and {PAGE}");
const IN_PROJECT_OF_STATE: Ordered =
    ordered!("{LIST}{OF_PROJECT_BY_STATE} where project = ? and state = ? and {PAGE}");
const IN_PROJECT_OF_WORKFLOW: Ordered =
    ordered!("{LIST}{OF_PROJECT_BY_WORKFLOW} where project = ? and workflow = ? and {PAGE}");
const IN_PROJECT_OF_BOTH: Ordered =
    ordered!("{LIST}{OF_PROJECT_BY_WORKFLOW} where project = ? and state = ? and workflow = ? and {PAGE}");

/// Along the index of names, a few of which are passed where a state or a workflow is compared.
const NAMED: Sql = both!("looking for runs by name", "{LIST}{BY_NAME} where {BY_NAME_PAGE}");
const IN_PROJECT_NAMED: Sql =
    both!("looking for runs by name", "{LIST}{OF_PROJECT_BY_NAME} where project = ? and {BY_NAME_PAGE}");

/// Behind the text that a name begins with, no name that begins so comes after this.
const LAST: char = char::MAX;

/// By name, the newest of each name first.
pub(crate) async fn named<T: Tx>(
    tx: &mut T,
    list: &RunList,
    search: &NameSearch,
    most: u32,
) -> Result<Vec<ListedRun>, Fault> {
    let (from, until) = list.bounds();
    let (name, run) = match &search.after {
        Some((name, run)) => (name.as_str(), run.number()),
        None => (search.begins.as_str(), i64::MAX),
    };
    let highest = format!("{}{LAST}", search.begins);
    let state = Arg::Text(list.state.map(|state: RunState| state.as_str()));
    let workflow = Arg::Bytes(list.workflow.as_ref().map(|hash| hash.as_bytes().as_slice()));
    let page = [name.into(), highest.as_str().into(), name.into(), run.into(), from.into(), until.into()];
    let rest = [state, state, workflow, workflow, most.into()];
    let project = list.project.map(|project: ProjectId| Arg::from(project.number()));
    let sql = if project.is_some() { &IN_PROJECT_NAMED } else { &NAMED };
    let args: Vec<Arg<'_>> = project.into_iter().chain(page).chain(rest).collect();
    let rows = tx.found(sql, &args).await?;
    Ok(rows.iter().map(listed_or_why).collect::<Result<_, _>>()?)
}

pub(crate) async fn list<T: Tx>(tx: &mut T, list: &RunList, most: u32) -> Result<Vec<ListedRun>, Fault> {
    let (from, until) = list.bounds();
    let page: [Arg<'_>; 3] = [from.into(), until.into(), most.into()];
    let project = list.project.map(|project: ProjectId| Arg::from(project.number()));
    let state = list.state.map(|state: RunState| Arg::from(state.as_str()));
    let workflow = list.workflow.as_ref().map(|hash: &ContentHash| Arg::from(hash.as_bytes().as_slice()));
    let ways = match (project.is_some(), state.is_some(), workflow.is_some()) {
        (false, false, false) => &ALL,
        (false, true, false) => &OF_STATE,
        (false, false, true) => &OF_WORKFLOW,
        (false, true, true) => &OF_BOTH,
        (true, false, false) => &IN_PROJECT,
        (true, true, false) => &IN_PROJECT_OF_STATE,
        (true, false, true) => &IN_PROJECT_OF_WORKFLOW,
        (true, true, true) => &IN_PROJECT_OF_BOTH,
    };
    let args: Vec<Arg<'_>> = project.into_iter().chain(state).chain(workflow).chain(page).collect();
    let rows = tx.found(ways.by(list.order), &args).await?;
    Ok(rows.iter().map(listed_or_why).collect::<Result<_, _>>()?)
}

/// What stands in for a row that cannot be read says so.
fn listed_or_why<R: Columns>(row: &R) -> Result<ListedRun, StoreError> {
    listed_run(row).or_else(|error| {
        let StoreError::Corrupt { what } = error else { return Err(error) };
        let (finished_at, state) = (row.maybe_moment("finished_at")?, state(row)?);
        let project = row.id("project", ProjectId::from_number)?;
        let head = RunRecord::unread(row.run_id("id")?, what).head();
        Ok(ListedRun { head: RunHead { project, state, finished_at, ..head }, progress: Progress::default() })
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
        project: row.id("project", ProjectId::from_number)?,
        name: row.text("name")?,
        workflow: row.hash("workflow")?,
        state: state(row)?,
        created_at: row.moment("created_at")?,
        finished_at,
        paused: pause(row)?.filter(|_| !ended),
        trust: row.maybe_small("trust")?.and_then(Policy::from_number),
        doubted: row.unsigned("doubts")?,
    };
    let progress = if ended { progress(row)? } else { Progress::default() };
    Ok(ListedRun { head, progress })
}

/// Totals that cannot be read tell of no progress, rather than keep the run out of a list.
fn progress<R: Columns>(row: &R) -> Result<Progress, StoreError> {
    let totals = match row.maybe_bytes("summary")? {
        Some(summary) => RunTotals::of_column(&summary).unwrap_or_default(),
        None => old_facts(row)?.unwrap_or_default().summary,
    };
    Ok(totals.progress)
}
