//! What waits in the queue, over a driver: a line for each method, a part for what it does.

use async_trait::async_trait;
use weevil_model::{JobId, Needs};
use weevil_queue::explain::{Ahead, WaitingClass};
use weevil_records::{StoreError, WaitingQueue, Waits};

use crate::db::{Db, reads};
use crate::driver::Driver;
use crate::fault::retried;
use crate::parts::waits;

#[async_trait]
impl<D: Driver> Waits for Db<D> {
    async fn ahead(&self, job: JobId, workers: &[Needs]) -> Result<Option<Ahead>, StoreError> {
        reads!(self, tx => waits::ahead(tx, job, workers))
    }

    async fn waiting_classes(&self) -> Result<Vec<WaitingClass>, StoreError> {
        reads!(self, tx => waits::classes(tx))
    }

    async fn waiting_queues(&self) -> Result<Vec<WaitingQueue>, StoreError> {
        reads!(self, tx => waits::queues(tx))
    }
}
