//! Lists of jobs that are of no run: those of a queue, page by page; and jobs of any kind by how their ids begin.

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use weevil_api::JobPage;
use weevil_model::{JobId, NodeState};

use super::AppState;
use super::job_look::{LOOKED_AT, Look, Meant, traced};
use super::job_search;
use super::jobs::view;
use super::page::{Limit, id_behind};
use super::parameters::{query, sought};
use super::sort::{BY_AGE, aged_behind, aged_mark, sort_among};
use super::walls::Wall;
use crate::refusal::Refusal;

/// Which page of a queue, or which jobs of any.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    project: Option<String>,
    queue: Option<String>,
    /// What a job of the queue says; without a queue, how ids begin.
    q: Option<String>,
    state: Option<NodeState>,
    failed: Option<bool>,
    sort: Option<String>,
    /// The mark of the last job of the page before.
    after: Option<String>,
    #[serde(default)]
    limit: Limit,
}

impl Asked {
    /// What is asked of a queue alone.
    fn of_queue(&self) -> Option<&'static str> {
        let given = [
            ("state", self.state.is_some()),
            ("failed", self.failed.is_some()),
            ("sort", self.sort.is_some()),
        ];
        given.into_iter().find_map(|(name, given)| given.then_some(name))
    }
}

pub(super) async fn list(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
) -> Result<web::Json<JobPage>, Refusal> {
    let asked: Asked = query(&request)?;
    let page = match (&asked.queue, &asked.q, asked.of_queue()) {
        (Some(queue), _, _) => of_queue(&app, &wall, queue, &asked).await?,
        (None, Some(_), Some(name)) => {
            return Err(Refusal::BadQuery(format!("`{name}` is for the jobs of a queue")));
        }
        (None, Some(begins), None) => beginning(&app, &wall, begins, &asked).await?,
        (None, None, _) => return Err(Refusal::BadQuery("either `queue` or `q` is to be given".to_owned())),
    };
    Ok(web::Json(page))
}

async fn of_queue(app: &AppState, wall: &Wall, queue: &str, asked: &Asked) -> Result<JobPage, Refusal> {
    let order = sort_among(asked.sort.as_deref().or(Some(BY_AGE[1].0)), &BY_AGE)?;
    let mark = asked.after.as_deref().map(|mark| aged_behind(order, mark)).transpose()?;
    let after: Option<JobId> = id_behind(mark)?;
    let failed = asked.failed.unwrap_or(false);
    let meant = Meant { sought: sought(asked.q.as_deref())?, state: asked.state, failed };
    let most = if meant.is_all() { asked.limit.and_one() } else { LOOKED_AT };
    let project = wall.one(asked.project.as_deref()).await?;
    let found = app.common.store.queued(project, queue, order, after, most).await?;
    let look = Look::of(found, most, |job| aged_mark(order, job.id));
    let (jobs, next) = look.page(app, &meant, asked.limit.most()).await?;
    // Who looks for something wants to see where it was found; a plain page is read without.
    let jobs = if meant.is_all() { jobs.into_iter().map(view).collect() } else { traced(app, jobs).await? };
    Ok(JobPage { jobs, next })
}

async fn beginning(app: &AppState, wall: &Wall, begins: &str, asked: &Asked) -> Result<JobPage, Refusal> {
    let after: Option<JobId> =
        id_behind(asked.after.as_deref().map(|mark| aged_behind(BY_AGE[1].1, mark)).transpose()?)?;
    let project = wall.list(asked.project.as_deref()).await?;
    let mut found = job_search::find(app, project, begins, after).await?;
    let next = asked.limit.cut(&mut found, |job| aged_mark(BY_AGE[1].1, job.id));
    Ok(JobPage { jobs: found.into_iter().map(view).collect(), next })
}
