//! Why a run goes no further, or how it ended: what its final node waits for, or which job failed.

use actix_web::HttpRequest;
use weevil_api::explain::ReasonView;
use weevil_model::{RunId, RunState};
use weevil_queue::explain::{Reason, Unknown};
use weevil_records::RunHead;

use super::nodes;
use super::scene::Gathered;
use super::views::About;
use crate::http::nodes::Nodes;
use crate::http::{AppState, runs};
use crate::refusal::Refusal;

/// # Errors
/// The database does not tell, or the run's workflow cannot be read any more.
pub(super) async fn reasons(
    app: &AppState,
    request: &HttpRequest,
    head: RunHead,
) -> Result<Vec<ReasonView>, Refusal> {
    let gathered = Gathered::of(app).await;
    let about = About { run: Some(head.id), ..About::default() };
    match head.state {
        RunState::Finished => Ok(Vec::new()),
        RunState::Cancelled => Ok(vec![about.view(&Reason::Cancelled, gathered.scene.now)]),
        RunState::Failed => failed(app, &gathered, &head).await,
        RunState::Started => started(app, request, &gathered, head).await,
    }
}

/// A pause is told first: what is out goes on under it.
async fn started(
    app: &AppState,
    request: &HttpRequest,
    gathered: &Gathered,
    head: RunHead,
) -> Result<Vec<ReasonView>, Refusal> {
    let about = About { run: Some(head.id), ..About::default() };
    let pause = head.paused.clone().map(|pause| about.view(&Reason::RunPaused(pause), gathered.scene.now));
    let nodes = Nodes::of(app, request, head).await?;
    let last = nodes.plan.final_node().index();
    let mut causes = nodes::reasons(app, gathered, &nodes, last).await?;
    causes.retain(|cause| pause.as_ref().is_none_or(|pause| cause.code != pause.code));
    Ok(pause.into_iter().chain(causes).collect())
}

/// Which job ended it. A run that ended before its nodes has none.
async fn failed(app: &AppState, gathered: &Gathered, head: &RunHead) -> Result<Vec<ReasonView>, Refusal> {
    let about = About { run: Some(head.id), ..About::default() };
    let node = failed_at(app, head.id).await?;
    let reasons = nodes::at_path(app, gathered, head.id, &node).await?;
    let views = reasons.iter().map(|reason| about.view(reason, gathered.scene.now).at(node.clone(), 1));
    let views: Vec<ReasonView> = views.collect();
    if views.is_empty() {
        return Ok(vec![about.view(&Reason::Unknown(Unknown::Failure), gathered.scene.now)]);
    }
    Ok(views)
}

/// Where the job is that ended a run; empty where none did.
pub(super) async fn failed_at(app: &AppState, run: RunId) -> Result<String, Refusal> {
    let shown = runs::shown(app, run).await?;
    Ok(shown.facts.error.as_ref().map(|error| error.node.clone()).unwrap_or_default())
}
