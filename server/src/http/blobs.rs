//! Code by its content hash: the same bytes for ever, so every cache may keep them.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, web};
use weevil_model::ContentHash;

use super::AppState;
use crate::refusal::Refusal;

pub(super) const IMMUTABLE: &str = "public, max-age=31536000, immutable";

pub(super) async fn get(app: web::Data<AppState>, hash: web::Path<String>) -> Result<HttpResponse, Refusal> {
    let hash: ContentHash = hash.parse()?;
    let bytes = app.common.store.blob(hash).await?;
    let bytes = bytes.ok_or_else(|| Refusal::NoSuchBlob(hash.to_string()))?;
    // Never a type that a browser would run: the coordinator fetches these as text.
    Ok(HttpResponse::Ok()
        .content_type("application/octet-stream")
        .insert_header((CACHE_CONTROL, IMMUTABLE))
        .body(bytes))
}
