//! What peers hold of the server's budgets, read off when somebody looks.

use std::sync::atomic::Ordering;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::budget::Usage;
use crate::metrics::registry::Label;

pub(super) struct BudgetMetrics {
    used: Family<Label, Gauge>,
    refusals: Family<Label, Counter>,
    places: Gauge,
    unreadable: Counter,
}

impl BudgetMetrics {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let (used, refusals) = (Family::default(), Family::default());
        let (places, unreadable) = (Gauge::default(), Counter::default());
        registry.register("budget_used", "What all places together hold of a budget", used.clone());
        let help = "Turned away because a place, or all together, held as much of a budget as they may";
        registry.register("budget_refusals", help, refusals.clone());
        registry.register("places", "Places that hold something of a budget", places.clone());
        let help = "Requests of trusted proxies whose header could not be read";
        registry.register("proxy_unreadable", help, unreadable.clone());
        Self { used, refusals, places, unreadable }
    }

    pub(super) fn set(&self, usage: &Usage) {
        for (row, used) in &usage.used {
            self.used.get_or_create(&[("row", *row)]).set(used.cast_signed());
        }
        for (row, refusals) in &usage.refusals {
            self.refusals.get_or_create(&[("row", *row)]).inner().store(*refusals, Ordering::Relaxed);
        }
        self.places.set(usage.places.cast_signed());
        self.unreadable.inner().store(usage.unreadable, Ordering::Relaxed);
    }
}
