//! One SQLite file: one writer with batched transactions, several readers beside it (WAL).

mod apply;
mod backup;
mod cancel;
mod checkpoint;
mod claim;
mod complete;
mod depth;
mod devices;
mod due;
mod enqueue;
mod facts;
mod forget;
mod history;
mod large;
mod open;
mod pause;
mod release;
mod reopen;
mod rows;
mod runs;
mod workflows;
mod writer;

pub use backup::{BackupError, backup};

use async_trait::async_trait;
use sqlx::SqlitePool;
use tokio::sync::Mutex;
use weevil_model::{ContentHash, Encoded, JobId, RunId, Timestamp};
use weevil_queue::{Batch, Depth, Outcomes};
use weevil_records::{
    AttemptRecord, Batches, Blobs, Device, Devices, Forgotten, JobRecord, JobTimes, Jobs, NamedWorkflow,
    Pauses, RunEnd, RunInput, RunRecord, Runs, Scope, SlotTotals, StoreError, StoredWorkflow, Workflows,
};

use checkpoint::Checkpoints;
use writer::Writer;

/// Durable truth in one file of the data folder.
#[derive(Debug)]
pub struct SqliteStore {
    /// SQLite has one writer at a time; waiting here is cheaper than its busy time-out.
    writer: Mutex<Writer>,
    readers: SqlitePool,
    checkpoints: Checkpoints,
}

#[async_trait]
impl Batches for SqliteStore {
    async fn apply(&self, batch: &Batch, now: Timestamp) -> Result<Outcomes, StoreError> {
        let outcomes = apply::apply(self.writer.lock().await.fit().await?, batch, now).await;
        self.checkpoints.committed();
        outcomes
    }

    async fn depth(&self) -> Result<Depth, StoreError> {
        depth::depth(&self.readers).await
    }

    async fn tidy_up(&self, now: Timestamp) -> Result<u64, StoreError> {
        release::tidy_up(self.writer.lock().await.fit().await?, now).await
    }
}

#[async_trait]
impl Jobs for SqliteStore {
    async fn jobs(&self, run: RunId, after: Option<&str>, most: u32) -> Result<Vec<JobRecord>, StoreError> {
        history::jobs(&self.readers, run, after, most).await
    }

    async fn queued(
        &self,
        queue: &str,
        after: Option<JobId>,
        most: u32,
    ) -> Result<Vec<JobRecord>, StoreError> {
        history::queued(&self.readers, queue, after, most).await
    }

    async fn value(&self, job: JobId) -> Result<Option<Encoded>, StoreError> {
        history::value(&self.readers, job).await
    }

    async fn attempts_before(
        &self,
        job: JobId,
        number: u32,
    ) -> Result<Option<(JobRecord, Vec<AttemptRecord>)>, StoreError> {
        history::attempts(&self.readers, job, number).await
    }
}

#[async_trait]
impl Runs for SqliteStore {
    async fn create_run(
        &self,
        workflow: &StoredWorkflow,
        run: &RunRecord,
        inputs: &[RunInput],
    ) -> Result<(), StoreError> {
        runs::create(self.writer.lock().await.fit().await?, workflow, run, inputs).await
    }

    async fn end_run(&self, run: RunId, end: &RunEnd) -> Result<(), StoreError> {
        runs::end(self.writer.lock().await.fit().await?, run, end).await
    }

    async fn forget(&self, before: Timestamp, most: u32, _now: Timestamp) -> Result<Forgotten, StoreError> {
        forget::forget(self.writer.lock().await.fit().await?, before, most).await
    }

    async fn run(&self, run: RunId) -> Result<Option<RunRecord>, StoreError> {
        runs::one(&self.readers, run).await
    }

    async fn runs(&self, limit: u32) -> Result<Vec<RunRecord>, StoreError> {
        runs::newest(&self.readers, limit).await
    }

    async fn open_runs(&self) -> Result<Vec<RunRecord>, StoreError> {
        runs::open(&self.readers).await
    }

    async fn inputs(&self, run: RunId) -> Result<Vec<RunInput>, StoreError> {
        runs::inputs(&self.readers, run).await
    }

    async fn slot_totals(&self, run: RunId) -> Result<Vec<SlotTotals>, StoreError> {
        runs::totals(&self.readers, run).await
    }

    async fn job_times(&self, run: RunId) -> Result<Vec<JobTimes>, StoreError> {
        runs::times(&self.readers, run).await
    }
}

#[async_trait]
impl Pauses for SqliteStore {
    async fn pause(&self, scope: Scope, paused: bool, now: Timestamp) -> Result<bool, StoreError> {
        pause::pause(self.writer.lock().await.fit().await?, scope, paused, now).await
    }

    async fn paused_since(&self) -> Result<Option<Timestamp>, StoreError> {
        pause::since(&self.readers).await
    }
}

#[async_trait]
impl Workflows for SqliteStore {
    async fn keep_workflow(&self, workflow: &StoredWorkflow, now: Timestamp) -> Result<(), StoreError> {
        workflows::keep_alone(self.writer.lock().await.fit().await?, workflow, now).await
    }

    async fn workflow(&self, hash: ContentHash) -> Result<Option<StoredWorkflow>, StoreError> {
        workflows::one(&self.readers, hash).await
    }

    async fn workflows(&self, limit: u32) -> Result<Vec<NamedWorkflow>, StoreError> {
        workflows::listed(&self.readers, limit).await
    }
}

#[async_trait]
impl Blobs for SqliteStore {
    async fn keep_code(&self, code: &[u8], _now: Timestamp) -> Result<ContentHash, StoreError> {
        workflows::keep_code(self.writer.lock().await.fit().await?, code).await
    }

    async fn blob(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
        workflows::blob(&self.readers, hash).await
    }
}

#[async_trait]
impl Devices for SqliteStore {
    async fn count_device(
        &self,
        fingerprint: ContentHash,
        accepted: u32,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        devices::count(self.writer.lock().await.fit().await?, fingerprint, accepted, now).await
    }

    async fn device(&self, fingerprint: ContentHash) -> Result<Option<Device>, StoreError> {
        devices::one(&self.readers, fingerprint).await
    }
}
