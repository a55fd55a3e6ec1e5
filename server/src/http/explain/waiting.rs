//! What waits in the queue, counted for all who ask: however many they are, the database counts at most once in five seconds, and
//! rests longer where counting takes long.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use weevil_engine::clock::Stopwatch;
use weevil_model::Timestamp;
use weevil_queue::explain::WaitingClass;
use weevil_records::{StoreError, WaitingQueue};

use crate::http::AppState;

/// The pause from one count to the next, at least.
const COUNT_EVERY: Duration = Duration::from_secs(5);
/// How much longer the pause is than the count before it.
const REST: u32 = 9;

/// What was counted, and when.
#[derive(Debug)]
pub(in crate::http) struct Counted<T> {
    pub at: Timestamp,
    pub what: T,
    age: Stopwatch,
    took: Duration,
}

impl<T> Counted<T> {
    fn is_fresh(&self) -> bool {
        self.age.elapsed() < COUNT_EVERY.max(self.took * REST)
    }
}

/// The last count of each kind. Who asks while somebody counts waits for that count.
type Last<T> = Mutex<Option<Arc<Counted<Vec<T>>>>>;

#[derive(Debug, Default)]
pub(in crate::http) struct Waiting {
    classes: Last<WaitingClass>,
    queues: Last<WaitingQueue>,
}

impl Waiting {
    /// # Errors
    /// The database cannot say.
    pub(super) async fn classes(
        &self,
        app: &AppState,
    ) -> Result<Arc<Counted<Vec<WaitingClass>>>, StoreError> {
        counted(&self.classes, app.common.clock.now(), async || app.common.store.waiting_classes().await)
            .await
    }

    /// # Errors
    /// The database cannot say.
    pub(super) async fn queues(&self, app: &AppState) -> Result<Arc<Counted<Vec<WaitingQueue>>>, StoreError> {
        counted(&self.queues, app.common.clock.now(), async || app.common.store.waiting_queues().await).await
    }
}

async fn counted<T>(
    last: &Last<T>,
    at: Timestamp,
    count: impl AsyncFnOnce() -> Result<Vec<T>, StoreError>,
) -> Result<Arc<Counted<Vec<T>>>, StoreError> {
    let mut last = last.lock().await;
    if let Some(fresh) = last.as_ref().filter(|counted| counted.is_fresh()) {
        return Ok(fresh.clone());
    }
    let begun = Stopwatch::start();
    let what = count().await?;
    let counted = Arc::new(Counted { at, what, age: Stopwatch::start(), took: begun.elapsed() });
    *last = Some(counted.clone());
    Ok(counted)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test]
    async fn all_who_ask_at_once_are_told_one_count_and_an_error_is_no_count() {
        let (last, times) = (Last::<u32>::default(), AtomicU32::new(0));
        let failed = counted(&last, Timestamp(1), async || {
            Err(StoreError::Failed { doing: "counting", cause: "test".into() })
        });
        assert!(failed.await.is_err());
        let ask = async || {
            let count = async || Ok(vec![times.fetch_add(1, Ordering::Relaxed)]);
            counted(&last, Timestamp(2), count).await.unwrap().what.clone()
        };
        let (one, other, third) = tokio::join!(ask(), ask(), ask());
        assert_eq!([one, other, third], [[0], [0], [0]]);
    }
}
