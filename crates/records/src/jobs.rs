//! Jobs, one by one or page by page: what a database tells of them.

use std::ops::RangeInclusive;

use async_trait::async_trait;
use weevil_model::witness::Witness;
use weevil_model::{Encoded, JobId, ProjectId, RunId};

use crate::history::{AttemptRecord, JobRecord};
use crate::{Order, StoreError};

/// Looking back at jobs and their attempts. Never changes one.
#[async_trait]
pub trait Jobs: Send + Sync {
    /// At most `most` jobs of a run, after the one with this path, in an order that stays as it is while the run goes on.
    async fn jobs(&self, run: RunId, after: Option<&str>, most: u32) -> Result<Vec<JobRecord>, StoreError>;

    /// Those jobs of a run that are at these paths, in no order. A path that has no job yet has no record.
    async fn jobs_at(&self, run: RunId, paths: &[String]) -> Result<Vec<JobRecord>, StoreError>;

    /// At most `most` stand-alone jobs of a project's queue, after this one, in this order.
    async fn queued(
        &self,
        project: ProjectId,
        queue: &str,
        order: Order,
        after: Option<JobId>,
        most: u32,
    ) -> Result<Vec<JobRecord>, StoreError>;

    /// At most `most` jobs whose ids are among these, of runs or not, the oldest first.
    async fn jobs_among(&self, ids: RangeInclusive<JobId>, most: u32) -> Result<Vec<JobRecord>, StoreError>;

    /// The job of a run that has this path.
    async fn job_at(&self, run: RunId, path: &str) -> Result<Option<JobId>, StoreError>;

    /// The value that a job has ended with.
    async fn value(&self, job: JobId) -> Result<Option<Encoded>, StoreError>;

    /// A job with its newest attempts, at most `MAX_ATTEMPTS_READ`, oldest first.
    async fn attempts(&self, job: JobId) -> Result<Option<(JobRecord, Vec<AttemptRecord>)>, StoreError> {
        self.attempts_before(job, u32::MAX).await
    }

    /// The same of the attempts whose number is smaller than this one.
    async fn attempts_before(
        &self,
        job: JobId,
        number: u32,
    ) -> Result<Option<(JobRecord, Vec<AttemptRecord>)>, StoreError>;

    /// For each of these witnesses, in their order, whether it could be somebody who has answered the job. `run`: that of the job.
    async fn overlaps(
        &self,
        job: JobId,
        run: Option<RunId>,
        witnesses: &[Witness],
    ) -> Result<Vec<bool>, StoreError>;
}
