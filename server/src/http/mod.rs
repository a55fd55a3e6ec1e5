//! The routes: HTTP in, HTTP out. Everything they answer comes from the board, the store or an actor.

mod aims;
mod alone;
mod asked;
mod blobs;
mod body;
mod check;
mod compute_policy;
mod events;
mod guard;
mod headers;
mod jobs;
mod monitor;
mod pages;
mod pauses;
mod plain_worker;
mod runs;
mod trace;
mod upload;
mod worker_socket;
mod workflows;

use std::net::SocketAddr;

use actix::Addr;
use actix_web::{HttpRequest, web};
use weevil_queue::StoreError;

use crate::actors::Common;
use crate::actors::plain_workers::PlainWorkers;
use crate::actors::root::Root;
use crate::actors::session::Terms;
use crate::budget::{Peer, SharedBudget};
use crate::error::Refusal;
use crate::pace::SharedPacer;

pub(crate) use guard::guard;
pub(crate) use headers::secure;
pub(crate) use monitor::Depths;
pub(crate) use trace::trace;

/// What every route can reach.
pub(crate) struct Desk {
    pub common: Common,
    pub root: Addr<Root>,
    pub listen: SocketAddr,
    pub pacer: SharedPacer,
    pub budget: SharedBudget,
    /// Workers that speak plain HTTP.
    pub plain: PlainWorkers,
    pub depth: Depths,
}

impl Desk {
    fn terms(&self) -> Terms {
        Terms { common: self.common.clone(), pacer: self.pacer.clone(), budget: self.budget.clone() }
    }

    /// Whose request it is.
    fn peer(&self, request: &HttpRequest) -> Peer {
        self.budget.peer(request.peer_addr().map(|address| address.ip()), request.headers())
    }

    /// Refuses what could not be kept.
    fn admit(&self) -> Result<(), Refusal> {
        Ok(self.common.health.check()?)
    }

    /// A write that was refused is news to the whole server.
    fn written<T>(&self, result: Result<T, StoreError>) -> Result<T, Refusal> {
        result.map_err(|error| {
            self.common.refused(&error);
            Refusal::Store(error)
        })
    }
}

pub(crate) fn routes(config: &mut web::ServiceConfig) {
    config
        .route("/healthz", web::get().to(monitor::healthz))
        .route("/readyz", web::get().to(monitor::readyz))
        .route("/metrics", web::get().to(monitor::metrics))
        .route("/api/v1/runs", web::post().to(runs::create))
        .route("/api/v1/runs", web::get().to(runs::list))
        .route("/api/v1/runs/{run}", web::get().to(runs::show))
        .route("/api/v1/runs/{run}/result", web::get().to(runs::result))
        .route("/api/v1/runs/{run}/cancel", web::post().to(runs::cancel))
        .route("/api/v1/runs/{run}/jobs", web::get().to(jobs::of_run))
        .route("/api/v1/runs/{run}/pause", web::post().to(pauses::pause_run))
        .route("/api/v1/runs/{run}/resume", web::post().to(pauses::resume_run))
        .route("/api/v1/jobs", web::post().to(alone::submit))
        .route("/api/v1/jobs", web::get().to(alone::list))
        .route("/api/v1/jobs/{job}", web::get().to(jobs::show))
        .route("/api/v1/jobs/{job}/result", web::get().to(alone::result))
        .route("/api/v1/jobs/{job}/cancel", web::post().to(alone::cancel))
        .route("/api/v1/queue", web::get().to(pauses::queue))
        .route("/api/v1/queue/pause", web::post().to(pauses::pause_queue))
        .route("/api/v1/queue/resume", web::post().to(pauses::resume_queue))
        .route("/api/v1/runs/{run}/events", web::get().to(events::run))
        .route("/api/v1/workflows", web::post().to(workflows::keep))
        .route("/api/v1/workflows", web::get().to(workflows::list))
        .route("/api/v1/workflows/{hash}", web::get().to(workflows::show))
        .route("/api/v1/aims/{workflow}", web::get().to(aims::get))
        .route("/api/v1/events", web::get().to(events::overview))
        .route("/api/v1/fleet", web::get().to(runs::fleet))
        .route("/.well-known/compute-policy.json", web::get().to(compute_policy::get))
        .route("/blobs/{hash}", web::get().to(blobs::get))
        .route(weevil_protocol::WORKER_SOCKET_PATH, web::get().to(worker_socket::open))
        .configure(plain_worker::routes)
        .default_service(web::to(pages::get));
}
