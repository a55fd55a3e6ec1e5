//! Runs as people look back at them, over a driver: a line for each method, a part for what it does.

use async_trait::async_trait;
use weevil_model::{JobId, RunId, Timestamp, WorkerId};
use weevil_records::{
    DoneAttempt, JobCode, JobRecord, JobTrace, LogMark, LogStretch, LoggedAttempt, LookingBack, RunOrigin,
    StoreError,
};

use crate::db::{Db, reads};
use crate::driver::Driver;
use crate::fault::retried;
use crate::parts::{logged, lookback, timeline};

#[async_trait]
impl<D: Driver> LookingBack for Db<D> {
    async fn troubled_jobs(
        &self,
        run: RunId,
        after: Option<JobId>,
        most: u32,
    ) -> Result<Vec<JobRecord>, StoreError> {
        reads!(self, tx => lookback::troubled(tx, run, after, most))
    }

    async fn job_traces(&self, jobs: &[JobId]) -> Result<Vec<JobTrace>, StoreError> {
        reads!(self, tx => lookback::traces(tx, jobs))
    }

    async fn run_origin(&self, run: RunId) -> Result<Option<RunOrigin>, StoreError> {
        reads!(self, tx => lookback::origin(tx, run))
    }

    async fn job_code(&self, job: JobId) -> Result<Option<JobCode>, StoreError> {
        reads!(self, tx => lookback::code(tx, job))
    }

    async fn logged(
        &self,
        run: RunId,
        stretch: &LogStretch,
        most: u32,
    ) -> Result<Vec<(LogMark, bool)>, StoreError> {
        reads!(self, tx => logged::marks(tx, run, stretch, most))
    }

    async fn logs(&self, attempts: &[LogMark]) -> Result<Vec<LoggedAttempt>, StoreError> {
        reads!(self, tx => logged::logs(tx, attempts))
    }

    async fn troubled_workers(&self, run: RunId) -> Result<Vec<WorkerId>, StoreError> {
        reads!(self, tx => lookback::troubled_workers(tx, run))
    }

    async fn done_by(
        &self,
        workers: &[WorkerId],
        span: (Timestamp, Timestamp),
        most: u32,
    ) -> Result<Vec<DoneAttempt>, StoreError> {
        reads!(self, tx => timeline::done(tx, workers, span, most))
    }
}
