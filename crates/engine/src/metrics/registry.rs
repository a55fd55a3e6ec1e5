//! All metrics of one server, and their text.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use super::now::{NowMetrics, Scene};
use super::queue::QueueMetrics;
use crate::clock::Stopwatch;

/// What `encode` writes (`OpenMetrics` 1.0, section 4.4).
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// One label of a metric.
pub(super) type Label = [(&'static str, &'static str); 1];
type Route = [(&'static str, String); 2];

pub struct Metrics {
    registry: Registry,
    started: Stopwatch,
    uptime: Gauge,
    requests: Family<Route, Counter>,
    now: NowMetrics,
    pub queue: QueueMetrics,
}

impl Default for Metrics {
    fn default() -> Self {
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
}

impl Metrics {
    /// `route` is a pattern, never a path: its number of values must be bounded. `status` is HTTP's.
    pub fn request(&self, route: String, status: u16) {
        let class = format!("{}xx", status / 100);
        self.requests.get_or_create(&[("route", route), ("status", class)]).inc();
    }

    /// The text of all metrics, `scene` being how things stand at this moment.
    pub fn text(&self, scene: &Scene) -> Result<String, std::fmt::Error> {
        self.now.set(scene);
        self.uptime.set(self.started.elapsed().as_secs().cast_signed());
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}
