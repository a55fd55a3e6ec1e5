//! Writes down who has computed: all connected workers that were given something, and those that have left since, at once and
//! rarely, never for each job. Forgets those of which nothing was heard for long.
//!
//! What it writes is for people alone. A crash loses the last minute of it.

use std::time::Duration;

use weevil_model::Timestamp;
use weevil_records::{MAX_KEPT_WORKERS, StoreError, WorkerRecord};

use crate::common::Common;
use crate::fleet::FleetWorker;

/// How often.
const EVERY: Duration = Duration::from_mins(1);
/// Workers that one transaction forgets.
const PIECE: u32 = 1000;

/// Works as long as it is polled.
pub async fn keep_workers(common: Common, retention: Option<Duration>) {
    loop {
        common.clock.sleep(EVERY).await;
        write_workers(&common).await;
        if let Err(error) = forget(&common, retention).await {
            tracing::error!(%error, "workers of old stay for now");
        }
    }
}

/// Also what has come since the last time. Where the database does not take it, those that have left wait for the next time.
pub async fn write_workers(common: &Common) {
    let left = common.board.all_left();
    let many = left.len();
    let mut workers = connected(common);
    workers.extend(left);
    if workers.is_empty() {
        return;
    }
    match common.store.keep_workers(&workers, common.clock.now()).await {
        Ok(()) => common.board.left_are_kept(many),
        Err(error) => {
            tracing::error!(%error, "who has computed is written down later");
            common.refused(&error);
        }
    }
}

fn connected(common: &Common) -> Vec<WorkerRecord> {
    let fleet = common.board.fleet();
    let fleet = fleet.borrow().clone();
    fleet.workers.iter().filter(|worker| worker.was_given).map(FleetWorker::record).collect()
}

async fn forget(common: &Common, retention: Option<Duration>) -> Result<(), StoreError> {
    let now = common.clock.now();
    let before = retention.map_or(Timestamp(i64::MIN), |retention| {
        now.plus_ms(-i64::try_from(retention.as_millis()).unwrap_or(i64::MAX))
    });
    while common.store.forget_workers(before, MAX_KEPT_WORKERS, PIECE, now).await? > 0 {
        tokio::task::yield_now().await;
    }
    Ok(())
}
