//! The list of runs of a project, or of all, page by page: all that are kept, or those in a state, of a workflow, of a time, by how their
//! ids or names begin.
//!
//! From the store, which knows them all; how far those are that go on, the board knows.

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use weevil_api::RunPage;
use weevil_model::{ContentHash, ProjectId, RunId, RunState, Timestamp, beginning};
use weevil_records::{ListedRun, NameSearch, RunList};

use super::page::{Limit, id_behind, no_mark};
use super::parameters::query;
use super::walls::Wall;
use super::{AppState, views};
use crate::refusal::Refusal;

/// Characters of what is looked for, as many as a name has.
const MAX_SOUGHT_CHARS: usize = 100;
/// What stands in front of marks of a list by name, which no id does.
const BY_NAME: &str = "n.";

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

    fn list(&self, project: Option<ProjectId>) -> Result<RunList, Refusal> {
        let workflow = self.workflow.as_deref().map(str::parse::<ContentHash>).transpose()?;
        let before: Option<RunId> = id_behind(self.after.as_deref())?;
        Ok(RunList {
            project,
            state: self.state,
            workflow,
            created_after: self.created_after.map(Timestamp),
            created_before: self.created_before.map(Timestamp),
            from: None,
            before,
        })
    }
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
) -> Result<(Vec<ListedRun>, fn(&ListedRun) -> String), Refusal> {
    let (store, most) = (&app.common.store, asked.limit.and_one());
    let Some(sought) = asked.sought()? else {
        return Ok((store.runs(&asked.list(project)?, most).await?, id_mark));
    };
    if let Some((first, last)) = asked.ids(sought) {
        // Ids are ordered: those that begin alike stand together.
        let list = asked.list(project)?;
        let behind = RunId::from_number(last.number().saturating_add(1));
        let before = list.before.into_iter().chain(behind).min();
        let found = store.runs(&RunList { from: Some(first), before, ..list }, most).await?;
        if asked.after.is_some() || !found.is_empty() {
            return Ok((found, id_mark));
        }
    }
    let list = Asked { after: None, ..asked.clone() }.list(project)?;
    Ok((store.runs_named(&list, &asked.search(sought)?, most).await?, name_mark))
}

fn id_mark(run: &ListedRun) -> String {
    run.head.id.to_string()
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
