//! Which kernels a workflow has: the same for ever, so every cache may keep it.
//!
//! All of a workflow that a tab needs beside the code of its jobs; never tells its other files.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, web};
use weevil_api::{KernelFile, KernelFiles};
use weevil_model::{ContentHash, is_kernel_file};

use super::AppState;
use super::blobs::IMMUTABLE;
use crate::refusal::Refusal;

pub(super) async fn get(
    app: web::Data<AppState>,
    workflow: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let workflow: ContentHash = workflow.parse()?;
    let store = &*app.common.store;
    let workflow = store.kernels_of(workflow).await?.unwrap_or(workflow);
    let listed = store.workflow_files(workflow).await?.ok_or(Refusal::NoSuchWorkflow(workflow))?;
    let kernels = listed.files.into_iter().filter(|file| is_kernel_file(&file.path));
    let kernels = kernels.map(|file| KernelFile { name: file.path, hash: file.hash.to_string() });
    let files = KernelFiles { kernels: kernels.collect() };
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, IMMUTABLE)).json(files))
}
