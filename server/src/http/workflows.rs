//! Stored workflows: kept without a run, shown with their files, taken out of a project.

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use weevil_access::audit::Action;
use weevil_api::{WorkflowFileView, WorkflowKept, WorkflowView};
use weevil_model::ContentHash;
use weevil_records::{FinalNode, ListedFile, ListedWorkflow, Removal};
use weevil_workflow::Bundle;

use super::asker::Asker;
use super::check::{Checked, check};
use super::own_page::OwnPage;
use super::parameters::query;
use super::upload::Upload;
use super::walls::Wall;
use super::{AppState, body, room};
use crate::refusal::Refusal;

/// Checks a workflow and keeps it. Nothing is kept of one that has errors.
pub(super) async fn keep(
    _own: OwnPage,
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    asker: Asker,
    payload: web::Payload,
) -> Result<HttpResponse, Refusal> {
    wall.before_the_body(&request).await?;
    let body = body::read(&app, &request, payload);
    let (upload, _held, _checking) = body::take(&app, &request, body).await?;
    only_files(&upload)?;
    let project = wall.upload(upload.project.as_deref()).await?;
    let store = &*app.common.store;
    let Checked { workflow, warnings, .. } = check(store, project.id, upload, app.common.trust).await?;
    let _admitted = room::for_workflow(&app, &project, &workflow).await?;
    let project = project.id;
    let entry = asker.work_entry(project, Action::WorkflowCreated, Some(workflow.hash.to_string()));
    app.written(app.access.store.keep_audited_workflow(project, &workflow, &entry).await)?;
    let kept = WorkflowKept { workflow: workflow.hash.to_string(), name: workflow.name, warnings };
    tracing::info!(workflow = kept.workflow, name = kept.name, "a workflow is kept");
    Ok(HttpResponse::Created().json(kept))
}

fn only_files(upload: &Upload) -> Result<(), Refusal> {
    let of_runs = [
        ("workflow", upload.workflow.is_some()),
        ("example", upload.example.is_some()),
        ("reuse", upload.reuse.is_some()),
        ("trust", upload.trust.is_some()),
        ("set` or `setFile", !upload.inputs.is_empty()),
    ];
    match of_runs.into_iter().find(|(_, there)| *there) {
        Some((part, _)) => Err(Refusal::BadUpload(format!(
            "a part `{part}`, which belongs to a run; POST it to /api/v1/runs"
        ))),
        None => Ok(()),
    }
}

/// Reads no file of it, but the first time of a workflow that an earlier release kept.
pub(super) async fn show(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    hash: web::Path<String>,
) -> Result<web::Json<WorkflowView>, Refusal> {
    let hash: ContentHash = hash.parse()?;
    let (store, missing) = (&app.common.store, || Refusal::NoSuchWorkflow(hash));
    let project = wall.judge_any(&store.workflow_projects(hash).await?, missing)?;
    let mut listed = store.workflow_files(hash).await?.ok_or_else(missing)?;
    // What another project calls it is that one's.
    listed.name = store.workflow_name(project, hash).await?.ok_or_else(missing)?;
    if listed.final_node == FinalNode::Untold {
        // It is read with all of its bytes, for anybody who asks: a few at a time.
        let _reading = app.budget.checking(app.peer(&request)).await;
        listed.final_node = find_final_node(&app, hash).await?;
    }
    Ok(web::Json(view(hash, listed)))
}

/// Asks the document, and keeps what it says. Where that cannot be kept, the next request asks again.
async fn find_final_node(app: &AppState, hash: ContentHash) -> Result<FinalNode, Refusal> {
    let store = &app.common.store;
    let stored = store.workflow(hash).await?.ok_or(Refusal::NoSuchWorkflow(hash))?;
    let found = web::block(move || final_node(stored.files)).await;
    let found = found.map_err(|error| Refusal::Internal(error.to_string()))?;
    if let Err(error) = store.keep_final_node(hash, &found, app.common.clock.now()).await {
        tracing::warn!(workflow = %hash, %error, "the final node of a workflow is not kept for now");
    }
    Ok(found)
}

fn final_node(files: Vec<(String, Vec<u8>)>) -> FinalNode {
    let bundle = Bundle::new(files.into_iter().collect()).ok();
    let plan = bundle.and_then(|bundle| weevil_workflow::load(&bundle).ok()).map(|loaded| loaded.plan);
    plan.map_or(FinalNode::Refused, |plan| FinalNode::Id(plan.node(plan.final_node()).id.to_string()))
}

/// The project that it is taken out of.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct From {
    project: Option<String>,
}

/// Takes a workflow out of a project. Its bytes stay, for others may have them.
pub(super) async fn remove(
    _own: OwnPage,
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    asker: Asker,
    hash: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let hash: ContentHash = hash.parse()?;
    let From { project } = query(&request)?;
    let project = wall.one(project.as_deref()).await?;
    let entry = asker.work_entry(project, Action::WorkflowRemoved, Some(hash.to_string()));
    match app.written(app.access.store.remove_workflow(project, hash, &entry).await)? {
        Removal::Removed => Ok(HttpResponse::NoContent().finish()),
        Removal::NotThere => Err(Refusal::NoSuchWorkflow(hash)),
        Removal::InUse => Err(Refusal::WorkflowInUse(hash)),
    }
}

fn view(hash: ContentHash, listed: ListedWorkflow) -> WorkflowView {
    let file = |file: ListedFile| WorkflowFileView {
        path: file.path,
        hash: file.hash.to_string(),
        bytes: file.bytes,
    };
    let final_node = match listed.final_node {
        FinalNode::Id(id) => Some(id),
        FinalNode::Untold | FinalNode::Refused => None,
    };
    let files = listed.files.into_iter().map(file).collect();
    WorkflowView { workflow: hash.to_string(), name: listed.name, files, final_node }
}
