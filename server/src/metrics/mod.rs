//! What the server counts about itself, and how it looks to a scraper: the `OpenMetrics` text that Prometheus reads.
//!
//! Only adds up. Whoever does something says so here; nothing here asks an actor or decides anything.

mod budgets;
mod now;
mod queue;

use actix_web::http::StatusCode;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::clock::Stopwatch;

use now::NowMetrics;
pub(crate) use now::Scene;
pub(crate) use queue::QueueMetrics;

/// What `encode` writes (`OpenMetrics` 1.0, section 4.4).
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// One label of a metric.
type Label = [(&'static str, &'static str); 1];
type Route = [(&'static str, String); 2];

pub(crate) struct Metrics {
    registry: Registry,
    started: Stopwatch,
    uptime: Gauge,
    requests: Family<Route, Counter>,
    now: NowMetrics,
    pub queue: QueueMetrics,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("weevil");
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The release that runs", build);
        let uptime = Gauge::default();
        registry.register_with_unit("uptime", "Time since the start", Unit::Seconds, uptime.clone());
        let requests = Family::default();
        registry.register(
            "http_requests",
            "Requests answered, by route and class of status",
            requests.clone(),
        );
        let (now, queue) = (NowMetrics::register(&mut registry), QueueMetrics::register(&mut registry));
        Self { registry, started: Stopwatch::start(), uptime, requests, now, queue }
    }

    /// `route` is a pattern, never a path: its number of values must be bounded.
    pub(crate) fn request(&self, route: String, status: StatusCode) {
        let class = format!("{}xx", status.as_u16() / 100);
        self.requests.get_or_create(&[("route", route), ("status", class)]).inc();
    }

    /// The text of all metrics, `scene` being how things stand at this moment.
    pub(crate) fn text(&self, scene: &Scene) -> Result<String, std::fmt::Error> {
        self.now.set(scene);
        self.uptime.set(self.started.elapsed().as_secs().cast_signed());
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}
