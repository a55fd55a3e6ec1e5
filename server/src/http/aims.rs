//! What volunteers may know of the work that they do: from the board, for anybody who knows the workflow's hash.
//!
//! Never tells inputs, results or who computes.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, web};
use weevil_model::ContentHash;

use super::{AppState, views};
use crate::refusal::Refusal;

/// Volunteers ask every ten seconds: who asks through a shared cache sees numbers that are hardly older.
const BRIEFLY: &str = "public, max-age=2";

pub(super) async fn get(
    app: web::Data<AppState>,
    workflow: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let workflow: ContentHash = workflow.parse()?;
    let aim = app.common.board.aim(workflow).ok_or(Refusal::NotRunning(workflow))?;
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, BRIEFLY)).json(views::aim(aim)))
}
