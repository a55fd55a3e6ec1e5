//! The reaper: every second it has the feeder look for jobs whose moment has come, leases that run out above all.

use std::time::Duration;

use crate::feeder::{FeederHandle, Request};

/// A worker that falls silent loses its jobs within its lease and this.
const EVERY: Duration = Duration::from_secs(1);

/// Works as long as it is polled.
pub async fn reap(feeder: FeederHandle) {
    let mut ticks = tokio::time::interval(EVERY);
    loop {
        ticks.tick().await;
        feeder.ask(Request::Tick);
    }
}
