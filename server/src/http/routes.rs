//! Which handler answers which request: one list, from which routes are registered and tests are made.
//!
//! Whatever is not a GET, and the worker's socket, is registered by a function that takes no handler without an
//! [`OwnPage`](super::own_page::OwnPage).

use actix_web::http::Method;
use actix_web::web::{self, ServiceConfig};
use actix_web::{FromRequest, Handler, Responder, Route};
use weevil_protocol::WORKER_SOCKET_PATH;
use weevil_protocol::plain::PLAIN_PATH;

use super::own_page::FromOwnPage;
use super::{aims, blobs, compute_policy, events, jobs, monitor, pages, pauses, runs, standalone, workflows};
use crate::workers::{plain_http, socket};

struct Row {
    method: Method,
    /// With a name in braces for each part that varies.
    path: String,
    route: Route,
}

/// Method and path of each route. Pages and their assets are none: they are what is left.
pub fn routes() -> Vec<(String, String)> {
    rows().into_iter().map(|row| (row.method.to_string(), row.path)).collect()
}

pub(crate) fn register(config: &mut ServiceConfig) {
    for Row { path, route, .. } in rows() {
        config.route(&path, route);
    }
    config.default_service(web::to(pages::get));
}

fn rows() -> Vec<Row> {
    [watching(), researchers(), volunteers()].into_iter().flatten().collect()
}

fn watching() -> Vec<Row> {
    vec![
        reads("/healthz", monitor::healthz),
        reads("/readyz", monitor::readyz),
        reads("/metrics", monitor::metrics),
    ]
}

fn researchers() -> Vec<Row> {
    vec![
        changes("/api/v1/runs", runs::create),
        reads("/api/v1/runs", runs::list),
        reads("/api/v1/runs/{run}", runs::show),
        reads("/api/v1/runs/{run}/result", runs::result),
        changes("/api/v1/runs/{run}/cancel", runs::cancel),
        reads("/api/v1/runs/{run}/jobs", jobs::of_run),
        changes("/api/v1/runs/{run}/pause", pauses::pause_run),
        changes("/api/v1/runs/{run}/resume", pauses::resume_run),
        changes("/api/v1/jobs", standalone::submit),
        reads("/api/v1/jobs", standalone::list),
        reads("/api/v1/jobs/{job}", jobs::show),
        reads("/api/v1/jobs/{job}/result", standalone::result),
        changes("/api/v1/jobs/{job}/cancel", standalone::cancel),
        reads("/api/v1/queue", pauses::queue),
        changes("/api/v1/queue/pause", pauses::pause_queue),
        changes("/api/v1/queue/resume", pauses::resume_queue),
        reads("/api/v1/runs/{run}/events", events::run),
        changes("/api/v1/workflows", workflows::keep),
        reads("/api/v1/workflows", workflows::list),
        reads("/api/v1/workflows/{hash}", workflows::show),
        reads("/api/v1/events", events::overview),
        reads("/api/v1/fleet", runs::fleet),
    ]
}

fn volunteers() -> Vec<Row> {
    vec![
        reads("/api/v1/aims/{workflow}", aims::get),
        reads("/.well-known/compute-policy.json", compute_policy::get),
        reads("/blobs/{hash}", blobs::get),
        opens(WORKER_SOCKET_PATH, socket::open),
        changes(&format!("{PLAIN_PATH}/join"), plain_http::join),
        changes(&format!("{PLAIN_PATH}/dequeue"), plain_http::dequeue),
        changes(&format!("{PLAIN_PATH}/submit"), plain_http::submit),
        changes(&format!("{PLAIN_PATH}/heartbeat"), plain_http::heartbeat),
        changes(&format!("{PLAIN_PATH}/leave"), plain_http::leave),
    ]
}

/// A GET that changes nothing.
fn reads<F, Args>(path: &str, handler: F) -> Row
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    Row { method: Method::GET, path: path.to_owned(), route: web::get().to(handler) }
}

/// A GET after which the worker's frames come.
fn opens<F, Args>(path: &str, handler: F) -> Row
where
    F: Handler<Args>,
    Args: FromOwnPage,
    F::Output: Responder + 'static,
{
    reads(path, handler)
}

fn changes<F, Args>(path: &str, handler: F) -> Row
where
    F: Handler<Args>,
    Args: FromOwnPage,
    F::Output: Responder + 'static,
{
    Row { method: Method::POST, path: path.to_owned(), route: web::post().to(handler) }
}
