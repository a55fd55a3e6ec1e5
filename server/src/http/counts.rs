//! How much is in the queue, and whether it is paused: one task counts, and whoever asks is told what it has counted last.
//!
//! Counting walks what waits, so it is no request's to do: however many ask, it is done this seldom.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use weevil_engine::clock::Stopwatch;
use weevil_model::Timestamp;
use weevil_queue::Depth;
use weevil_records::{Store, StoreError};

/// The pause from one count to the next, at least.
const COUNT_EVERY: Duration = Duration::from_secs(1);
/// How much longer the pause is than the count before it: a long queue takes no more than a tenth of the task's time.
const REST: u32 = 9;

/// What was counted last, and whether the database could say so the last time.
#[derive(Clone, Copy)]
struct Counted {
    depth: Depth,
    /// Since when nothing is handed out.
    paused_since: Option<Timestamp>,
    fresh: bool,
}

impl Counted {
    async fn now(store: &dyn Store) -> Result<Self, StoreError> {
        let (depth, pause) = (store.depth().await?, store.queue_pause().await?);
        Ok(Self { depth, paused_since: pause.map(|pause| pause.since), fresh: true })
    }
}

#[derive(Clone)]
pub(crate) struct Depths(watch::Receiver<Counted>);

impl Depths {
    /// Counts once, and from then on beside everything else, for as long as somebody may ask.
    ///
    /// # Errors
    /// The database cannot say.
    pub(crate) async fn begin(store: Arc<dyn Store>) -> Result<Self, StoreError> {
        let (told, depths) = watch::channel(Counted::now(&*store).await?);
        actix_web::rt::spawn(go_on(store, told));
        Ok(Self(depths))
    }

    /// The last that is known.
    pub(crate) fn last(&self) -> Depth {
        self.0.borrow().depth
    }

    /// Since when the queue was paused, when it was counted last.
    pub(crate) fn paused_since(&self) -> Option<Timestamp> {
        self.0.borrow().paused_since
    }

    /// The same, where the database could say the last time.
    pub(super) fn fresh(&self) -> Option<Depth> {
        let counted = *self.0.borrow();
        counted.fresh.then_some(counted.depth)
    }
}

async fn go_on(store: Arc<dyn Store>, told: watch::Sender<Counted>) {
    let mut pause = COUNT_EVERY;
    while !told.is_closed() {
        tokio::time::sleep(pause).await;
        let took = Stopwatch::start();
        match Counted::now(&*store).await {
            Ok(counted) => drop(told.send_replace(counted)),
            Err(error) => {
                tracing::warn!(%error, "the queue cannot be counted for now");
                told.send_modify(|counted| counted.fresh = false);
            }
        }
        pause = COUNT_EVERY.max(took.elapsed() * REST);
    }
}
