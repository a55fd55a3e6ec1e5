//! The keeper: forgets what ended longer ago than the retention period, piece by piece, so that nobody waits for it.

use std::time::Duration;

use actix::Addr;
use weevil_records::Forgotten;

use crate::common::Common;
use crate::root::{Forget, Root};

/// How often it looks, unless the period itself is shorter.
const EVERY: Duration = Duration::from_mins(1);
/// Jobs that one transaction forgets.
const PIECE: u32 = 1000;

/// Works as long as it is polled.
pub async fn keep(common: Common, root: Addr<Root>, retention: Duration) {
    let mut ticks = tokio::time::interval(EVERY.min(retention));
    loop {
        ticks.tick().await;
        while let Some(forgotten) = forget(&common, retention).await {
            if let Some(run) = forgotten.run {
                tracing::info!(%run, "a run is forgotten: it ended longer ago than the retention period");
                root.do_send(Forget(run));
            }
            tokio::task::yield_now().await;
        }
    }
}

/// One piece; `None` where nothing is old enough, or the database does not take it now.
async fn forget(common: &Common, retention: Duration) -> Option<Forgotten> {
    let now = common.clock.now();
    let period = i64::try_from(retention.as_millis()).unwrap_or(i64::MAX);
    match common.store.forget(now.plus_ms(-period), PIECE, now).await {
        Ok(forgotten) => Some(forgotten).filter(|forgotten| *forgotten != Forgotten::default()),
        Err(error) => {
            tracing::error!(%error, "what is old stays for now");
            None
        }
    }
}
