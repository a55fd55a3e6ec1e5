//! What every route can reach, and what it asks of all of it at once: whose request it is, whether anything may be kept.

use actix::Addr;
use actix_web::HttpRequest;
use actix_web::http::header::{FORWARDED, HeaderName, HeaderValue, X_FORWARDED_FOR};
use weevil_access::Names;
use weevil_engine::budget::{Peer, SharedBudget};
use weevil_engine::common::Common;
use weevil_engine::pace::SharedPacer;
use weevil_engine::plans::SmallestError;
use weevil_engine::root::Root;
use weevil_peer::Lines;
use weevil_records::StoreError;

use super::metrics::RequestMetrics;
use super::past::Past;
use crate::access::Access;
use crate::reach::Reach;
use crate::refusal::Refusal;
use crate::workers::{PlainWorkers, SessionContext};

/// What every route can reach.
pub(crate) struct AppState {
    pub common: Common,
    pub root: Addr<Root>,
    /// Sockets and names as the settings have them.
    pub reach: Reach,
    /// What it answers to.
    pub names: Names,
    pub pacer: SharedPacer,
    pub budget: SharedBudget,
    /// Workers that speak plain HTTP.
    pub plain: PlainWorkers,
    pub requests: RequestMetrics,
    pub access: Access,
    /// What a policy of trust may promise.
    pub smallest: SmallestError,
    pub past: Past,
}

impl AppState {
    pub(crate) fn context(&self) -> SessionContext {
        SessionContext {
            common: self.common.clone(),
            pacer: self.pacer.clone(),
            budget: self.budget.clone(),
            networks: self.access.people.networks.clone(),
        }
    }

    /// Whose request it is.
    pub(crate) fn peer(&self, request: &HttpRequest) -> Peer {
        let lines =
            |name: HeaderName| request.headers().get_all(name).map(HeaderValue::as_bytes).collect::<Vec<_>>();
        let (x_forwarded_for, forwarded) = (lines(X_FORWARDED_FOR), lines(FORWARDED));
        let lines = Lines { x_forwarded_for: &x_forwarded_for, forwarded: &forwarded };
        self.budget.peer(request.peer_addr().map(|address| address.ip()), lines)
    }

    /// Refuses what could not be kept.
    pub(super) fn admit(&self) -> Result<(), Refusal> {
        Ok(self.common.health.check()?)
    }

    /// A write that was refused is news to the whole server.
    pub(super) fn written<T>(&self, result: Result<T, StoreError>) -> Result<T, Refusal> {
        result.map_err(|error| {
            self.common.refused(&error);
            Refusal::Store(error)
        })
    }
}
