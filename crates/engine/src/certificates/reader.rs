//! What certificates tell of jobs, read so many at a time, in the order of their paths. Writes nothing.

use std::collections::VecDeque;
use std::sync::Arc;

use weevil_model::JobId;
use weevil_records::{JobFacts, JobValues, Store, StoreError};

use super::certificate::corrupt;

/// Jobs that are read at a time, without their values.
const PAGE: usize = 256;
/// Bytes of inputs and values that are read at a time, unless a single job has more. One such piece is written while the next is read.
pub(super) const MAX_VALUE_BYTES: u64 = 512 * 1024;

/// What is stored of a job.
pub(super) type Stored = (JobFacts, JobValues);

pub(super) struct Reader {
    store: Arc<dyn Store>,
    /// Jobs that were not read yet.
    jobs: std::vec::IntoIter<JobId>,
    /// Jobs that were, but for their values.
    page: VecDeque<JobFacts>,
}

impl Reader {
    pub(super) fn new(store: Arc<dyn Store>, jobs: Vec<JobId>) -> Self {
        Self { store, jobs: jobs.into_iter(), page: VecDeque::new() }
    }

    /// The next ones; nothing once there are no more.
    pub(super) async fn next(&mut self) -> Result<Vec<Stored>, StoreError> {
        if self.page.is_empty() {
            self.turn().await?;
        }
        let facts = self.piece();
        if facts.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<JobId> = facts.iter().map(|facts| facts.id).collect();
        let values = self.store.job_values(&ids).await?;
        whole(values.len() == ids.len())?;
        Ok(facts.into_iter().zip(values).collect())
    }

    async fn turn(&mut self) -> Result<(), StoreError> {
        let ids: Vec<JobId> = self.jobs.by_ref().take(PAGE).collect();
        if !ids.is_empty() {
            let page = self.store.job_facts(&ids).await?;
            whole(page.len() == ids.len())?;
            self.page = page.into();
        }
        Ok(())
    }

    /// As many of the page as have few enough bytes.
    fn piece(&mut self) -> Vec<JobFacts> {
        let (mut facts, mut bytes) = (Vec::new(), 0);
        while let Some(next) = self.page.pop_front() {
            bytes += next.bytes;
            if bytes > MAX_VALUE_BYTES && !facts.is_empty() {
                self.page.push_front(next);
                break;
            }
            facts.push(next);
        }
        facts
    }
}

/// A job that is forgotten meanwhile leaves a gap.
fn whole(is_so: bool) -> Result<(), StoreError> {
    if is_so { Ok(()) } else { Err(corrupt("a run some of whose jobs are gone")) }
}
