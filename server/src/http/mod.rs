//! The routes: HTTP in, HTTP out. Everything they answer comes from the board, the store or an actor.

mod aims;
mod alone;
mod asked;
mod blobs;
mod body;
mod check;
mod compute_policy;
mod connections;
mod events;
mod guard;
mod headers;
mod inlet;
mod jobs;
mod monitor;
mod own_page;
mod pages;
mod path;
mod pauses;
mod plain_worker;
mod read_body;
mod routes;
mod runs;
mod shipped_body;
mod socket_head;
mod socket_reader;
mod socket_writer;
mod stream_json;
mod trace;
mod unheard;
mod upload;
mod worker_socket;
mod workflows;

use std::net::SocketAddr;

use actix::Addr;
use actix_web::HttpRequest;
use actix_web::http::header::{FORWARDED, HeaderName, HeaderValue, X_FORWARDED_FOR};
use weevil_peer::Lines;
use weevil_records::StoreError;

use crate::actors::plain_workers::PlainWorkers;
use crate::actors::session::Terms;
use crate::error::Refusal;
use weevil_engine::budget::{Peer, SharedBudget};
use weevil_engine::common::Common;
use weevil_engine::pace::SharedPacer;
use weevil_engine::root::Root;

pub(crate) use connections::opened;
pub(crate) use guard::guard;
pub(crate) use headers::secure;
use monitor::Depths;
pub(crate) use path::{OddPath, refuse_odd_paths};
pub(crate) use routes::register;
pub use routes::routes;
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
    pub(crate) fn new(
        common: Common,
        root: Addr<Root>,
        listen: SocketAddr,
        pacer: SharedPacer,
        budget: SharedBudget,
    ) -> Self {
        Self { common, root, listen, pacer, budget, plain: PlainWorkers::default(), depth: Depths::default() }
    }

    fn terms(&self) -> Terms {
        Terms { common: self.common.clone(), pacer: self.pacer.clone(), budget: self.budget.clone() }
    }

    /// Whose request it is.
    fn peer(&self, request: &HttpRequest) -> Peer {
        let lines =
            |name: HeaderName| request.headers().get_all(name).map(HeaderValue::as_bytes).collect::<Vec<_>>();
        let (x_forwarded_for, forwarded) = (lines(X_FORWARDED_FOR), lines(FORWARDED));
        let lines = Lines { x_forwarded_for: &x_forwarded_for, forwarded: &forwarded };
        self.budget.peer(request.peer_addr().map(|address| address.ip()), lines)
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
