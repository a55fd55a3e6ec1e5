//! The routes that say why. Each finds its subject behind the walls; what keeps it, the neighbours find out.

use actix_web::{HttpRequest, web};
use weevil_api::explain::Explanation;
use weevil_model::JobId;

use super::scene::Gathered;
use super::{jobs, nodes, runs, workers};
use crate::http::AppState;
use crate::http::asker::Asker;
use crate::http::nodes::Nodes;
use crate::http::walls::Wall;
use crate::http::workers::find;
use crate::refusal::Refusal;

type Answer = Result<web::Json<Explanation>, Refusal>;

pub(in crate::http) async fn job(wall: Wall, app: web::Data<AppState>, job: web::Path<String>) -> Answer {
    let id: JobId = job.parse()?;
    let (job, attempts) = app.common.store.attempts(id).await?.ok_or(Refusal::NoSuchJob(id))?;
    wall.judge(job.project, || Refusal::NoSuchJob(id))?;
    let gathered = Gathered::of(&app).await;
    let reasons = jobs::reasons(&app, &gathered, &job, attempts, true).await?;
    let about = jobs::about(&job);
    let reasons = reasons.iter().map(|reason| about.view(reason, gathered.scene.now)).collect();
    Ok(web::Json(Explanation { reasons }))
}

pub(in crate::http) async fn node(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    place: web::Path<(String, String)>,
) -> Answer {
    let (run, node) = place.into_inner();
    let nodes = Nodes::of(&app, &request, wall.run(&run).await?).await?;
    let index = nodes.find(&node)?.index();
    let reasons = nodes::reasons(&app, &Gathered::of(&app).await, &nodes, index).await?;
    Ok(web::Json(Explanation { reasons }))
}

pub(in crate::http) async fn run(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    run: web::Path<String>,
) -> Answer {
    let head = wall.run(&run).await?;
    Ok(web::Json(Explanation { reasons: runs::reasons(&app, &request, head).await? }))
}

pub(in crate::http) async fn worker(
    app: web::Data<AppState>,
    asker: Asker,
    worker: web::Path<String>,
) -> Answer {
    let found = find(&app, &worker).await?;
    let reasons = workers::reasons(&app, &found, asker.at).await;
    Ok(web::Json(Explanation { reasons }))
}
