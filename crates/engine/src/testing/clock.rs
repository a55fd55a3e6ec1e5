//! Time that passes when a test says so.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use weevil_model::Timestamp;

use crate::clock::{Clock, Sleep};

/// When tests begin.
pub(crate) const START: Timestamp = Timestamp(1_000_000);

/// Time that passes when a test says so.
pub(crate) struct ManualClock {
    now: watch::Sender<Timestamp>,
    asleep: Notify,
    /// For how long somebody has waited last, milliseconds.
    last_ms: AtomicU64,
}

impl Default for ManualClock {
    fn default() -> Self {
        Self { now: watch::Sender::new(START), asleep: Notify::new(), last_ms: AtomicU64::default() }
    }
}

impl ManualClock {
    pub(crate) fn advance(&self, ms: i64) {
        self.now.send_modify(|now| *now = now.plus_ms(ms));
    }

    /// Ends once somebody waits for time to pass. Answers for how long.
    pub(crate) async fn somebody_sleeps(&self) -> Duration {
        self.asleep.notified().await;
        Duration::from_millis(self.last_ms.load(Ordering::SeqCst))
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        *self.now.borrow()
    }

    fn sleep(&self, time: Duration) -> Sleep {
        let end = self.now().plus_ms(i64::try_from(time.as_millis()).unwrap());
        let mut now = self.now.subscribe();
        self.last_ms.store(u64::try_from(time.as_millis()).unwrap(), Ordering::SeqCst);
        self.asleep.notify_one();
        Box::pin(async move {
            now.wait_for(|now| *now >= end).await.unwrap();
        })
    }
}
