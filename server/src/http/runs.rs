//! Runs: made from an upload, listed, shown, asked for their result.

use std::sync::Arc;

use actix_multipart::Multipart;
use actix_web::{HttpResponse, web};
use weevil_failpoint::{Point, pass};
use weevil_model::{RunId, RunState};
use weevil_protocol::api::{Fleet, RunCreated, RunResult, RunSummary, RunView};
use weevil_queue::{Reuse, RunRecord, StoredWorkflow};
use weevil_workflow::{Bundle, Loaded};

use super::{Desk, upload};
use crate::actors::root::Start;
use crate::board::stored_view;
use crate::error::{Refusal, diagnostic_view};

type Json<T> = Result<web::Json<T>, Refusal>;

/// Checks the workflow, keeps it, starts a run of it. Nothing is kept of a workflow that has errors.
pub(super) async fn create(desk: web::Data<Desk>, parts: Multipart) -> Result<HttpResponse, Refusal> {
    let upload = upload::read(parts).await?;
    let bundle = Bundle::new(upload.files)?;
    let (bundle, loaded) = load(bundle).await?;
    let name = upload.name.unwrap_or_else(|| loaded.plan.name.clone());
    let files = bundle.files().map(|(path, bytes)| (path.to_owned(), bytes.to_vec())).collect();
    let workflow = StoredWorkflow { hash: bundle.hash(), name: name.clone(), files };
    let now = desk.common.clock.now();
    let record = RunRecord {
        id: desk.common.ids.run(now),
        name: name.clone(),
        workflow: workflow.hash,
        // The same workflow gives the same numbers: results can be reproduced from the workflow alone.
        seed: workflow.hash.seed(),
        state: RunState::Started,
        created_at: now,
        reuse: Reuse::Never,
        end: None,
    };
    desk.common.store.create_run(&workflow, &record, &[]).await?;
    pass(Point::RunStored);
    let created = RunCreated {
        run: record.id.to_string(),
        workflow: workflow.hash.to_string(),
        name,
        warnings: loaded.warnings.iter().map(diagnostic_view).collect(),
    };
    tracing::info!(run = created.run, workflow = created.workflow, name = created.name, "a run begins");
    let start = Start { record, plan: Arc::new(loaded.plan), slots: Vec::new() };
    // Whoever reads the answer finds the run on the board.
    desk.root.send(start).await.map_err(|error| Refusal::Internal(error.to_string()))?;
    Ok(HttpResponse::Created().json(created))
}

/// Off the server's thread: a large document takes a while.
async fn load(bundle: Bundle) -> Result<(Bundle, Loaded), Refusal> {
    let checked = web::block(move || {
        let loaded = weevil_workflow::load(&bundle);
        loaded.map(|loaded| (bundle, loaded))
    });
    checked.await.map_err(|error| Refusal::Internal(error.to_string()))?.map_err(Refusal::BadWorkflow)
}

pub(super) async fn list(desk: web::Data<Desk>) -> web::Json<Arc<Vec<RunSummary>>> {
    web::Json(desk.common.board.runs().borrow().clone())
}

pub(super) async fn fleet(desk: web::Data<Desk>) -> web::Json<Arc<Fleet>> {
    web::Json(desk.common.board.fleet().borrow().clone())
}

pub(super) async fn show(desk: web::Data<Desk>, run: web::Path<String>) -> Json<Arc<RunView>> {
    view(&desk, run.parse()?).await.map(web::Json)
}

/// What is to be seen of a run: from the board while it lives, from the store afterwards.
pub(super) async fn view(desk: &Desk, run: RunId) -> Result<Arc<RunView>, Refusal> {
    if let Some(live) = desk.common.board.run(run) {
        return Ok(live.borrow().clone());
    }
    let record = desk.common.store.run(run).await?.ok_or_else(|| Refusal::NoSuchRun(run.to_string()))?;
    stored_view(&record).map(Arc::new).map_err(Refusal::Internal)
}

pub(super) async fn result(desk: web::Data<Desk>, run: web::Path<String>) -> Json<RunResult> {
    let run: RunId = run.parse()?;
    let record = desk.common.store.run(run).await?.ok_or_else(|| Refusal::NoSuchRun(run.to_string()))?;
    let Some(end) = &record.end else {
        return Ok(web::Json(RunResult {
            run: run.to_string(),
            state: record.state,
            result: None,
            error: None,
        }));
    };
    let value = end.result.as_ref().map(weevil_model::Encoded::value).transpose();
    let value = value.map_err(|error| Refusal::Internal(error.to_string()))?;
    let error = stored_view(&record).map_err(Refusal::Internal)?.error;
    let result = value.map(|value| value.to_json());
    Ok(web::Json(RunResult { run: run.to_string(), state: end.state, result, error }))
}
