//! MySQL or MariaDB: one writing connection with batched transactions, several reading ones beside it. Whatever passes
//! by itself (deadlock, lock time-out, lost connection) is tried again here, a bounded number of times.

mod apply;
mod cancel;
mod claim;
mod complete;
mod depth;
mod devices;
mod due;
mod enqueue;
mod facts;
mod forget;
mod history;
mod open;
mod pause;
mod release;
mod reopen;
mod retry;
mod rows;
mod runs;
mod workflows;
mod writer;

use async_trait::async_trait;
use sqlx::MySqlPool;
use tokio::sync::Mutex;
use weevil_model::{ContentHash, Encoded, JobId, RunId, Timestamp};
use weevil_queue::{Batch, Depth, Outcomes};
use weevil_records::{
    AttemptRecord, Batches, Blobs, Device, Devices, Forgotten, JobRecord, JobTimes, Jobs, NamedWorkflow,
    Pauses, RunEnd, RunInput, RunRecord, Runs, Scope, SlotTotals, StoreError, StoredWorkflow, Workflows,
};

use self::retry::retried;
use self::writer::Writer;

/// Durable truth in one database of a MySQL or MariaDB server.
#[derive(Debug)]
pub struct MySqlStore {
    /// One transaction at a time: the feeder gathers the next batch meanwhile.
    writer: Mutex<Writer>,
    readers: MySqlPool,
}

#[async_trait]
impl Batches for MySqlStore {
    async fn apply(&self, batch: &Batch, now: Timestamp) -> Result<Outcomes, StoreError> {
        let mut writer = self.writer.lock().await;
        retried!(apply::apply(&mut writer, batch, now))
    }

    async fn depth(&self) -> Result<Depth, StoreError> {
        retried!(depth::depth(&self.readers))
    }

    async fn tidy_up(&self, now: Timestamp) -> Result<u64, StoreError> {
        let mut writer = self.writer.lock().await;
        retried!(release::tidy_up(&mut writer, now))
    }
}

#[async_trait]
impl Jobs for MySqlStore {
    async fn jobs(&self, run: RunId, after: Option<&str>, most: u32) -> Result<Vec<JobRecord>, StoreError> {
        retried!(history::jobs(&self.readers, run, after, most))
    }

    async fn queued(
        &self,
        queue: &str,
        after: Option<JobId>,
        most: u32,
    ) -> Result<Vec<JobRecord>, StoreError> {
        retried!(history::queued(&self.readers, queue, after, most))
    }

    async fn value(&self, job: JobId) -> Result<Option<Encoded>, StoreError> {
        retried!(history::value(&self.readers, job))
    }

    async fn attempts_before(
        &self,
        job: JobId,
        number: u32,
    ) -> Result<Option<(JobRecord, Vec<AttemptRecord>)>, StoreError> {
        retried!(history::attempts(&self.readers, job, number))
    }
}

#[async_trait]
impl Runs for MySqlStore {
    async fn create_run(
        &self,
        workflow: &StoredWorkflow,
        run: &RunRecord,
        inputs: &[RunInput],
    ) -> Result<(), StoreError> {
        let mut writer = self.writer.lock().await;
        retried!(runs::create(&mut writer, workflow, run, inputs))
    }

    async fn end_run(&self, run: RunId, end: &RunEnd) -> Result<(), StoreError> {
        let mut writer = self.writer.lock().await;
        retried!(runs::end(&mut writer, run, end))
    }

    async fn forget(&self, before: Timestamp, most: u32, now: Timestamp) -> Result<Forgotten, StoreError> {
        let mut writer = self.writer.lock().await;
        retried!(forget::forget(&self.readers, &mut writer, before, most, now))
    }

    async fn run(&self, run: RunId) -> Result<Option<RunRecord>, StoreError> {
        retried!(runs::one(&self.readers, run))
    }

    async fn runs(&self, limit: u32) -> Result<Vec<RunRecord>, StoreError> {
        retried!(runs::newest(&self.readers, limit))
    }

    async fn open_runs(&self) -> Result<Vec<RunRecord>, StoreError> {
        retried!(runs::open(&self.readers))
    }

    async fn inputs(&self, run: RunId) -> Result<Vec<RunInput>, StoreError> {
        retried!(runs::inputs(&self.readers, run))
    }

    async fn slot_totals(&self, run: RunId) -> Result<Vec<SlotTotals>, StoreError> {
        retried!(runs::totals(&self.readers, run))
    }

    async fn job_times(&self, run: RunId) -> Result<Vec<JobTimes>, StoreError> {
        retried!(runs::times(&self.readers, run))
    }
}

#[async_trait]
impl Pauses for MySqlStore {
    async fn pause(&self, scope: Scope, paused: bool, now: Timestamp) -> Result<bool, StoreError> {
        let mut writer = self.writer.lock().await;
        retried!(pause::pause(&mut writer, scope, paused, now))
    }

    async fn paused_since(&self) -> Result<Option<Timestamp>, StoreError> {
        retried!(pause::since(&self.readers))
    }
}

#[async_trait]
impl Workflows for MySqlStore {
    async fn keep_workflow(&self, workflow: &StoredWorkflow, now: Timestamp) -> Result<(), StoreError> {
        let mut writer = self.writer.lock().await;
        retried!(workflows::keep_alone(&mut writer, workflow, now))
    }

    async fn workflow(&self, hash: ContentHash) -> Result<Option<StoredWorkflow>, StoreError> {
        retried!(workflows::one(&self.readers, hash))
    }

    async fn workflows(&self, limit: u32) -> Result<Vec<NamedWorkflow>, StoreError> {
        retried!(workflows::listed(&self.readers, limit))
    }
}

#[async_trait]
impl Blobs for MySqlStore {
    async fn keep_code(&self, code: &[u8], now: Timestamp) -> Result<ContentHash, StoreError> {
        let mut writer = self.writer.lock().await;
        retried!(workflows::keep_code(&mut writer, code, now))
    }

    async fn blob(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
        retried!(workflows::blob(&self.readers, hash))
    }
}

#[async_trait]
impl Devices for MySqlStore {
    async fn count_device(
        &self,
        fingerprint: ContentHash,
        accepted: u32,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut writer = self.writer.lock().await;
        retried!(devices::count(&mut writer, fingerprint, accepted, now))
    }

    async fn device(&self, fingerprint: ContentHash) -> Result<Option<Device>, StoreError> {
        retried!(devices::one(&self.readers, fingerprint))
    }
}
