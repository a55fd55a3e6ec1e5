//! All metrics of one server, those of others among them, and their text.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
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

pub struct Metrics {
    registry: Registry,
    started: Stopwatch,
    uptime: Gauge,
    now: NowMetrics,
    pub queue: QueueMetrics,
    /// Open runs that no executor stands for yet.
    pub to_take_up: Gauge,
    /// How often the executors of a run have begun anew.
    pub retraced: Counter,
    /// Jobs of runs that had ended which were doubted later.
    pub doubted: Counter,
}

impl Default for Metrics {
    fn default() -> Self {
        Self::with(|_| {})
    }
}

impl Metrics {
    /// With what is counted beside the engine, which registers itself.
    pub fn with(others: impl FnOnce(&mut Registry)) -> Self {
        let mut registry = Registry::with_prefix("weevil");
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The release that runs", build);
        let uptime = Gauge::default();
        registry.register_with_unit("uptime", "Time since the start", Unit::Seconds, uptime.clone());
        let to_take_up = Gauge::default();
        let help = "Open runs that do not go on yet: after a start, or since their executors begin anew";
        registry.register("runs_to_take_up", help, to_take_up.clone());
        let retraced = Counter::default();
        let help = "Times that the executors of a run have begun anew, since what some device had said was taken back";
        registry.register("runs_retraced", help, retraced.clone());
        let doubted = Counter::default();
        let help = "Jobs of runs that had ended, believed on the word of a device that was found wrong later";
        registry.register("jobs_doubted", help, doubted.clone());
        others(&mut registry);
        let (now, queue) = (NowMetrics::register(&mut registry), QueueMetrics::register(&mut registry));
        Self { registry, started: Stopwatch::start(), uptime, now, queue, to_take_up, retraced, doubted }
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
