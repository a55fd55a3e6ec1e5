//! Which kernels a workflow has: the same for ever, so every cache may keep it.
//!
//! All of a workflow that a tab needs beside the code of its jobs; never tells its other files.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, web};
use weevil_api::{KernelFile, KernelFiles};
use weevil_model::{ContentHash, is_kernel_file};

use super::AppState;
use super::blobs::IMMUTABLE;
use crate::refusal::Refusal;

pub(super) async fn get(
    app: web::Data<AppState>,
    request: HttpRequest,
    workflow: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let workflow: ContentHash = workflow.parse()?;
    // A workflow is read with all of its bytes, which anybody may ask for: a few at a time.
    let _reading = app.budget.checking(app.peer(&request)).await;
    let stored = app.common.store.workflow(workflow).await?.ok_or(Refusal::NoSuchWorkflow(workflow))?;
    let kernels = stored.files.into_iter().filter(|(path, _)| is_kernel_file(path));
    let kernels = kernels.map(|(name, bytes)| KernelFile { name, hash: ContentHash::of(&bytes).to_string() });
    let files = KernelFiles { kernels: kernels.collect() };
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, IMMUTABLE)).json(files))
}
