//! The list of runs of a project, or of all, page by page: all that are kept, or those in a state, of a workflow, of a time.
//!
//! From the store, which knows them all; how far those are that go on, the board knows.

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use weevil_api::RunPage;
use weevil_model::{ContentHash, ProjectId, RunId, RunState, Timestamp};
use weevil_records::{ListedRun, RunList};

use super::page::{Limit, id_behind};
use super::parameters::query;
use super::walls::Wall;
use super::{AppState, views};
use crate::refusal::Refusal;

/// Which runs, and which page of them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Asked {
    project: Option<String>,
    state: Option<RunState>,
    workflow: Option<String>,
    created_after: Option<i64>,
    created_before: Option<i64>,
    /// The last run of the page before.
    after: Option<String>,
    #[serde(default)]
    limit: Limit,
}

impl Asked {
    fn list(&self, project: Option<ProjectId>) -> Result<RunList, Refusal> {
        let workflow = self.workflow.as_deref().map(str::parse::<ContentHash>).transpose()?;
        let before: Option<RunId> = id_behind(self.after.as_deref())?;
        Ok(RunList {
            project,
            state: self.state,
            workflow,
            created_after: self.created_after.map(Timestamp),
            created_before: self.created_before.map(Timestamp),
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
    let mut runs = app.common.store.runs(&asked.list(project)?, asked.limit.and_one()).await?;
    let next = asked.limit.cut(&mut runs, |run| run.head.id.to_string());
    for run in &mut runs {
        go_on(&app, run);
    }
    Ok(web::Json(RunPage { runs: views::runs(&runs), next }))
}

/// The store hears of progress at the end alone.
fn go_on(app: &AppState, run: &mut ListedRun) {
    let live = app.common.board.run(run.head.id).filter(|_| run.head.finished_at.is_none());
    if let Some(live) = live {
        run.progress = live.borrow().facts.summary.progress;
    }
}
