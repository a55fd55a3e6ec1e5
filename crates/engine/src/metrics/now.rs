//! Gauges that are read off when somebody looks: who is connected, what waits.

use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use weevil_queue::Depth;
use weevil_queue::decide::pace::Pace;

use crate::budget::Usage;
use crate::fleet::Fleet;
use crate::metrics::budgets::BudgetMetrics;
use crate::metrics::registry::Label;
use crate::metrics::trust::TrustGauges;
use crate::published::Published;

/// How things stand.
pub struct Scene {
    pub fleet: std::sync::Arc<Published<Fleet>>,
    pub open_runs: usize,
    /// `None` where the database could not say.
    pub depth: Option<Depth>,
    pub ready: bool,
    pub pace: Pace,
    pub budgets: Usage,
}

pub(super) struct NowMetrics {
    workers: Gauge,
    slots: Gauge,
    in_flight: Gauge,
    open_runs: Gauge,
    jobs: Family<Label, Gauge>,
    ready: Gauge,
    contact_heartbeat: Gauge,
    contact_dequeue: Gauge,
    contact_batch: Gauge,
    budgets: BudgetMetrics,
    trust: TrustGauges,
}

impl NowMetrics {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let mut gauge = |name: &str, help: &str| {
            let gauge = Gauge::default();
            registry.register(name, help, gauge.clone());
            gauge
        };
        let workers = gauge("workers", "Connected workers");
        let slots = gauge("slots", "Slots of the connected workers");
        let in_flight =
            gauge("attempts_in_flight", "Attempts that connected workers hold, running or waiting");
        let open_runs = gauge("runs_open", "Runs that have not ended");
        let ready = gauge("ready", "1 while /readyz answers 200, else 0");
        let contact_heartbeat = gauge(
            "contact_heartbeat_ms",
            "Milliseconds that workers are told to wait between two heartbeats",
        );
        let contact_dequeue = gauge(
            "contact_dequeue_ms",
            "Milliseconds that plain workers are told to wait after a dequeue that brought nothing",
        );
        let contact_batch = gauge("contact_batch", "Jobs that plain workers are told to ask for at a time");
        let jobs = Family::default();
        let budgets = BudgetMetrics::register(registry);
        let trust = TrustGauges::register(registry);
        let help = "Jobs in the queue that have not ended, by delivery state; counted at most once a second";
        registry.register("queue_jobs", help, jobs.clone());
        Self {
            workers,
            slots,
            in_flight,
            open_runs,
            jobs,
            ready,
            contact_heartbeat,
            contact_dequeue,
            contact_batch,
            budgets,
            trust,
        }
    }

    pub(super) fn set(&self, scene: &Scene) {
        let in_flight: i64 = scene.fleet.workers.iter().map(|worker| i64::from(worker.in_flight)).sum();
        self.workers.set(count(scene.fleet.workers.len() as u64));
        self.slots.set(scene.fleet.slots.into());
        self.in_flight.set(in_flight);
        self.open_runs.set(count(scene.open_runs as u64));
        self.ready.set(scene.ready.into());
        self.contact_heartbeat.set(scene.pace.heartbeat_ms.into());
        self.contact_dequeue.set(scene.pace.dequeue_ms.into());
        self.contact_batch.set(scene.pace.batch.into());
        self.budgets.set(&scene.budgets);
        self.trust.set_fleet(&scene.fleet);
        let Some(depth) = scene.depth else { return };
        self.trust.set_depth(&depth);
        let states = [
            ("ready", depth.ready),
            ("leased", depth.leased),
            ("delayed", depth.delayed),
            ("held", depth.held),
        ];
        for (state, jobs) in states {
            self.jobs.get_or_create(&[("delivery", state)]).set(count(jobs));
        }
    }
}

fn count(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
