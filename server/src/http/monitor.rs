//! For those who watch the server: is it alive, is it ready, what has it done.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, web};
use tokio::sync::Mutex;
use weevil_engine::clock::Stopwatch;
use weevil_engine::metrics::{CONTENT_TYPE, Scene};
use weevil_queue::Depth;
use weevil_records::{Batches, StoreError};

use super::AppState;
use crate::refusal::Refusal;

/// Counting a long queue takes a while: however many scrape or look at the console, it is done this seldom.
const COUNT_EVERY: std::time::Duration = std::time::Duration::from_secs(1);

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
    response.content_type("text/plain; charset=utf-8").insert_header((CACHE_CONTROL, "no-store")).body(body)
}

pub(super) async fn metrics(app: web::Data<AppState>) -> Result<HttpResponse, Refusal> {
    let common = &app.common;
    let scene = Scene {
        fleet: common.board.fleet().borrow().clone(),
        open_runs: common.board.open_runs(),
        depth: depth(&app).await,
        ready: common.health.check().is_ok(),
        pace: app.pacer.now(),
        budgets: app.budget.usage(),
    };
    let text = common.metrics.text(&scene).map_err(|error| Refusal::Internal(error.to_string()))?;
    Ok(HttpResponse::Ok().content_type(CONTENT_TYPE).body(text))
}

/// `None` where the database cannot say: the other metrics are worth having then, too.
async fn depth(app: &AppState) -> Option<Depth> {
    let depth = app.depth.get(&*app.common.store).await;
    depth.inspect_err(|error| tracing::warn!(%error, "the metrics come without the queue's depth")).ok()
}

/// The queue's depth, asked for seldom.
#[derive(Default)]
pub(crate) struct Depths(Mutex<Option<(Stopwatch, Depth)>>);

impl Depths {
    /// As it was [`COUNT_EVERY`] ago at most.
    pub(super) async fn get(&self, store: &dyn Batches) -> Result<Depth, StoreError> {
        let mut known = self.0.lock().await;
        if let Some((_, depth)) = known.filter(|(at, _)| at.elapsed() < COUNT_EVERY) {
            return Ok(depth);
        }
        let depth = store.depth().await?;
        *known = Some((Stopwatch::start(), depth));
        Ok(depth)
    }
}
