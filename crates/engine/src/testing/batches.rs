//! In the place of a database: keeps batches and answers what it was prepared to.

use std::collections::VecDeque;
use std::sync::Mutex;

use async_trait::async_trait;
use tokio::sync::watch;
use weevil_model::Timestamp;
use weevil_queue::{Batch, Depth, Outcomes};
use weevil_records::{Batches, StoreError};

/// Keeps batches, and answers what it was prepared to: else that nothing came of it.
pub(crate) struct FakeBatches {
    tried: Mutex<Vec<Batch>>,
    prepared: Mutex<VecDeque<Result<Outcomes, StoreError>>>,
    /// Refuses a batch for ever that this is said of.
    poison: Mutex<fn(&Batch) -> bool>,
    /// No commit ends while it is closed.
    open: watch::Sender<bool>,
}

impl Default for FakeBatches {
    fn default() -> Self {
        let (tried, prepared) = (Mutex::default(), Mutex::default());
        Self { tried, prepared, poison: Mutex::new(|_| false), open: watch::Sender::new(true) }
    }
}

impl FakeBatches {
    /// What the next batch comes to, behind those that were prepared before.
    pub(crate) fn answer(&self, outcomes: Outcomes) {
        self.prepared.lock().unwrap().push_back(Ok(outcomes));
    }

    /// The same for a database that is away.
    pub(crate) fn fail(&self) {
        let away = StoreError::Failed { doing: "testing", cause: "away".into() };
        self.prepared.lock().unwrap().push_back(Err(away));
    }

    /// From now on these are refused, whatever was prepared.
    pub(crate) fn refuse(&self, poison: fn(&Batch) -> bool) {
        *self.poison.lock().unwrap() = poison;
    }

    pub(crate) fn set_open(&self, open: bool) {
        self.open.send_replace(open);
    }

    /// All that it was asked to commit since this was asked last, tries that failed among them.
    pub(crate) fn take(&self) -> Vec<Batch> {
        std::mem::take(&mut *self.tried.lock().unwrap())
    }
}

#[async_trait]
impl Batches for FakeBatches {
    async fn apply(&self, batch: &Batch, _: Timestamp) -> Result<Outcomes, StoreError> {
        self.tried.lock().unwrap().push(batch.clone());
        self.open.subscribe().wait_for(|open| *open).await.unwrap();
        if (self.poison.lock().unwrap())(batch) {
            return Err(StoreError::Refused { doing: "testing", cause: "poison".into() });
        }
        self.prepared.lock().unwrap().pop_front().unwrap_or_else(|| Ok(Outcomes::default()))
    }

    async fn depth(&self) -> Result<Depth, StoreError> {
        Ok(Depth::default())
    }

    async fn tidy_up(&self, _: Timestamp) -> Result<u64, StoreError> {
        Ok(0)
    }
}
