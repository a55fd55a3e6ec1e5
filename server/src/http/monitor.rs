//! For those who watch the server: is it alive, is it ready, what has it done.

use actix_web::{HttpResponse, web};
use weevil_engine::metrics::{CONTENT_TYPE, Scene};

use super::AppState;
use super::headers::NO_STORE;
use crate::refusal::Refusal;

/// The process answers.
pub(super) async fn healthz() -> HttpResponse {
    text("ok")
}

/// The server can be given work.
pub(super) async fn readyz(app: web::Data<AppState>) -> Result<HttpResponse, Refusal> {
    app.admit()?;
    Ok(text("ready"))
}

fn text(body: &'static str) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response.content_type("text/plain; charset=utf-8").insert_header(NO_STORE).body(body)
}

pub(super) async fn metrics(app: web::Data<AppState>) -> Result<HttpResponse, Refusal> {
    let common = &app.common;
    let scene = Scene {
        fleet: common.board.fleet().borrow().clone(),
        open_runs: common.board.open_runs(),
        depth: app.past.depth.fresh(),
        ready: common.health.check().is_ok(),
        pace: app.pacer.now(),
        budgets: app.budget.usage(),
    };
    let text = common.metrics.text(&scene).map_err(|error| Refusal::Internal(error.to_string()))?;
    Ok(HttpResponse::Ok().content_type(CONTENT_TYPE).body(text))
}
