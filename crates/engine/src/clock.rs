//! Where the time comes from. Everything that needs a moment gets a `Clock` or a `Timestamp`; the feeder also waits by it.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use weevil_model::Timestamp;

/// Ends when some time has passed.
pub type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Tells the time.
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;

    /// Waits so long.
    fn sleep(&self, time: Duration) -> Sleep {
        Box::pin(tokio::time::sleep(time))
    }
}

/// Shared by every part of one server.
pub type SharedClock = Arc<dyn Clock>;

/// The machine's own clock.
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// Time that only grows, whatever is done to the machine's clock: for how long something takes.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    pub fn start() -> Self {
        Self(Instant::now())
    }

    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}
