//! Workers as people look back at them, over a driver: a line for each method, a part for what it does.

use async_trait::async_trait;
use weevil_model::{ContentHash, Timestamp, WorkerId};
use weevil_records::{
    AttemptMark, KeptWorker, StoreError, Suspension, WorkerAttempt, WorkerList, WorkerRecord, Workers,
};

use crate::db::{Db, reads, writes};
use crate::driver::Driver;
use crate::fault::{Fault, retried};
use crate::parts::{suspensions, workers};

#[async_trait]
impl<D: Driver> Workers for Db<D> {
    async fn keep_workers(&self, workers: &[WorkerRecord], now: Timestamp) -> Result<(), StoreError> {
        writes!(self, "workers" at now, tx => workers::keep(tx, workers))
    }

    async fn worker(&self, worker: WorkerId) -> Result<Option<KeptWorker>, StoreError> {
        reads!(self, tx => workers::one(tx, worker))
    }

    async fn workers(&self, list: &WorkerList, most: u32) -> Result<Vec<KeptWorker>, StoreError> {
        reads!(self, tx => workers::list(tx, list, most))
    }

    async fn worker_attempts(
        &self,
        worker: WorkerId,
        before: Option<AttemptMark>,
        most: u32,
    ) -> Result<Vec<WorkerAttempt>, StoreError> {
        reads!(self, tx => workers::attempts(tx, worker, before, most))
    }

    async fn suspension(&self, device: ContentHash) -> Result<Option<Suspension>, StoreError> {
        reads!(self, tx => suspensions::one(tx, device))
    }

    async fn suspended(
        &self,
        most: u32,
        now: Timestamp,
    ) -> Result<Vec<(ContentHash, Suspension)>, StoreError> {
        reads!(self, tx => suspensions::all(tx, most, now))
    }

    async fn forget_workers(
        &self,
        before: Timestamp,
        keep: u32,
        most: u32,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let before = reads!(self, tx => workers::last_kept(tx, before, keep))?;
        writes!(self, "workers that are forgotten" at now, tx => workers::forget(tx, before, most, now))
    }
}
