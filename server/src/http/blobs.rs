//! Files by their content hash: the same bytes for ever. Code may be kept by every cache; another file is told on the private face
//! alone, to those who may read workflows in a project that has it, and is as if it were not there for everybody else.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, web};
use weevil_model::{ContentHash, Face, Right};
use weevil_records::Blob;

use super::walls::Wall;
use super::{AppState, gate};
use crate::refusal::Refusal;

pub(super) const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// For the browser of somebody who may see it.
pub(super) const IMMUTABLE_FOR_ONE: &str = "private, max-age=31536000, immutable";

pub(super) async fn get(
    app: web::Data<AppState>,
    request: HttpRequest,
    hash: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let hash: ContentHash = hash.parse()?;
    let store = &app.common.store;
    let found = match gate::face(&request) {
        Face::Public => store.code(hash).await?.map(|bytes| Blob { bytes, code: true }),
        Face::Private => store.blob(hash).await?,
    };
    let missing = || Refusal::NoSuchBlob(hash.to_string());
    let Blob { bytes, code } = found.ok_or_else(missing)?;
    if !code {
        // Whatever is wrong with a proof, it tells nobody that the file is there.
        let wall = Wall::behind_open_row(&request, Right::WorkflowsRead).await.map_err(|_| missing())?;
        wall.judge_any(&store.blob_projects(hash).await?, missing).map_err(|_| missing())?;
    }
    // Never a type that a browser would run: the coordinator fetches these as text.
    Ok(HttpResponse::Ok()
        .content_type("application/octet-stream")
        .insert_header((CACHE_CONTROL, if code { IMMUTABLE } else { IMMUTABLE_FOR_ONE }))
        .body(bytes))
}
