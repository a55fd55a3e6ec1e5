//! The list of runs of a project, or of all, page by page: all that are kept, or those in a state, of a workflow, of a time, by how their
//! ids or names begin; by age or by name.
//!
//! From the store, which knows them all; how far those are that go on, the board knows.

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use weevil_api::RunPage;
use weevil_model::{ContentHash, ProjectId, RunId, RunState, Timestamp, beginning};
use weevil_records::{ListedRun, NameSearch, Order, RunList};

use super::page::{Limit, id_behind, no_mark};
use super::parameters::query;
use super::sort::{BY_AGE, aged_behind, aged_mark, sort_among};
use super::walls::Wall;
use super::{AppState, views};
use crate::refusal::Refusal;

/// Characters of what is looked for, as many as a name has.
const MAX_SOUGHT_CHARS: usize = 100;
/// What stands in front of marks of a list by name, which no id does.
const BY_NAME: &str = "n.";

/// In which order they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Age(Order),
    Name,
}

const SORTS: [(&str, Sort); 3] =
    [(BY_AGE[0].0, Sort::Age(BY_AGE[0].1)), (BY_AGE[1].0, Sort::Age(BY_AGE[1].1)), ("name", Sort::Name)];

/// Which runs, and which page of them.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Asked {
    project: Option<String>,
    q: Option<String>,
    state: Option<RunState>,
    workflow: Option<String>,
    created_after: Option<i64>,
    created_before: Option<i64>,
    sort: Option<String>,
    after: Option<String>,
    #[serde(default)]
    limit: Limit,
}

impl Asked {
    /// What names or ids begin with.
    fn sought(&self) -> Result<Option<&str>, Refusal> {
        let sought = self.q.as_deref().filter(|sought| !sought.is_empty());
        let length = sought.unwrap_or_default().chars().count();
        if length > MAX_SOUGHT_CHARS {
            let told = format!("`q` has {length} characters; {MAX_SOUGHT_CHARS} are allowed");
            return Err(Refusal::BadQuery(told));
        }
        Ok(sought)
    }

    /// The first and the last of the ids that begin so. Behind a page of names come names.
    fn ids(&self, sought: &str) -> Option<(RunId, RunId)> {
        let is_by_name = self.after.as_deref().is_some_and(|mark| mark.starts_with(BY_NAME));
        beginning(sought).ok().filter(|_| !is_by_name)
    }

    fn search(&self, begins: &str) -> Result<NameSearch, Refusal> {
        let after = self.after.as_deref().map(name_behind).transpose()?;
        Ok(NameSearch { begins: begins.to_owned(), after })
    }

    /// All that fit, whichever page.
    fn fitting(&self, project: Option<ProjectId>) -> Result<RunList, Refusal> {
        Ok(RunList {
            project,
            state: self.state,
            workflow: self.workflow.as_deref().map(str::parse::<ContentHash>).transpose()?,
            created_after: self.created_after.map(Timestamp),
            created_before: self.created_before.map(Timestamp),
            ..RunList::default()
        })
    }

    /// A page by age.
    fn aged(&self, project: Option<ProjectId>, order: Order) -> Result<RunList, Refusal> {
        let mark = self.after.as_deref().map(|mark| aged_behind(order, mark)).transpose()?;
        let behind: Option<RunId> = id_behind(mark)?;
        let list = RunList { order, ..self.fitting(project)? };
        Ok(match order {
            Order::Newest => RunList { before: behind, ..list },
            Order::Oldest => RunList { from: behind.and_then(next), ..list },
        })
    }
}

/// The smallest id behind one.
fn next(run: RunId) -> Option<RunId> {
    RunId::from_number(run.number().saturating_add(1))
}

pub(super) async fn get(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
) -> Result<web::Json<RunPage>, Refusal> {
    let asked: Asked = query(&request)?;
    let project = wall.list(asked.project.as_deref()).await?;
    let (mut runs, mark) = find(&app, &asked, project).await?;
    let next = asked.limit.cut(&mut runs, mark);
    for run in &mut runs {
        go_on(&app, run);
    }
    Ok(web::Json(RunPage { runs: views::runs(&runs), next }))
}

/// So many as a page has, and one more, with what marks an entry.
async fn find(
    app: &AppState,
    asked: &Asked,
    project: Option<ProjectId>,
) -> Result<(Vec<ListedRun>, Mark), Refusal> {
    let sought = asked.sought()?;
    if let Sort::Age(order) = sort_among(asked.sort.as_deref(), &SORTS)?
        && let Some(found) = by_age(app, asked, project, order, sought).await?
    {
        return Ok((found, if order == Order::Newest { id_mark } else { oldest_mark }));
    }
    let (list, search) = (asked.fitting(project)?, asked.search(sought.unwrap_or_default())?);
    Ok((app.common.store.runs_named(&list, &search, asked.limit.and_one()).await?, name_mark))
}

/// `None` where what is sought is how no id begins, and so is a name.
async fn by_age(
    app: &AppState,
    asked: &Asked,
    project: Option<ProjectId>,
    order: Order,
    sought: Option<&str>,
) -> Result<Option<Vec<ListedRun>>, Refusal> {
    let (store, most) = (&app.common.store, asked.limit.and_one());
    let Some(sought) = sought else {
        return Ok(Some(store.runs(&asked.aged(project, order)?, most).await?));
    };
    let Some((first, last)) = asked.ids(sought) else { return Ok(None) };
    // Ids are ordered: those that begin alike stand together.
    let page = asked.aged(project, order)?;
    let from = page.from.into_iter().chain([first]).max();
    let before = page.before.into_iter().chain(next(last)).min();
    let found = store.runs(&RunList { from, before, ..page }, most).await?;
    Ok(Some(found).filter(|found| asked.after.is_some() || !found.is_empty()))
}

type Mark = fn(&ListedRun) -> String;

fn id_mark(run: &ListedRun) -> String {
    aged_mark(Order::Newest, run.head.id)
}

fn oldest_mark(run: &ListedRun) -> String {
    aged_mark(Order::Oldest, run.head.id)
}

fn name_mark(run: &ListedRun) -> String {
    format!("{BY_NAME}{}.{}", run.head.id, run.head.name)
}

fn name_behind(mark: &str) -> Result<(String, RunId), Refusal> {
    let read = || {
        let (id, name) = mark.strip_prefix(BY_NAME)?.split_once('.')?;
        Some((name.to_owned(), id.parse().ok()?))
    };
    read().ok_or_else(no_mark)
}

/// The store hears of progress at the end alone.
fn go_on(app: &AppState, run: &mut ListedRun) {
    let live = app.common.board.run(run.head.id).filter(|_| run.head.finished_at.is_none());
    if let Some(live) = live {
        run.progress = live.borrow().facts.summary.progress;
    }
}
