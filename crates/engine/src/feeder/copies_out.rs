//! The copies of jobs that are out: who holds each, and since when.
//!
//! Lost with the process, like who is connected. A token says whose a copy is, and whoever named it last holds it.

use std::collections::HashMap;

use weevil_model::{ContentHash, JobId, Needs, Timestamp, WorkerId};
use weevil_queue::{AttemptKey, Claimed};

#[derive(Debug, Default)]
pub(super) struct CopiesOut(HashMap<AttemptKey, CopyOut>);

#[derive(Debug, Clone)]
pub(super) struct CopyOut {
    pub holder: WorkerId,
    pub code: ContentHash,
    pub needs: Needs,
    pub handed_out: Timestamp,
    /// Another one was out when it was handed out, for long.
    pub is_spare: bool,
}

impl CopyOut {
    pub(super) const fn of(claimed: &Claimed, is_spare: bool, now: Timestamp) -> Self {
        let Claimed { worker, code, needs, .. } = *claimed;
        Self { holder: worker, code, needs, handed_out: now, is_spare }
    }
}

impl CopiesOut {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn insert(&mut self, key: AttemptKey, copy: CopyOut) {
        self.0.insert(key, copy);
    }

    pub(super) fn remove(&mut self, key: AttemptKey) -> Option<CopyOut> {
        self.0.remove(&key)
    }

    pub(super) fn holder_mut(&mut self, key: AttemptKey) -> Option<&mut WorkerId> {
        self.0.get_mut(&key).map(|copy| &mut copy.holder)
    }

    pub(super) fn has_of(&self, job: JobId) -> bool {
        self.0.keys().any(|key| key.job == job)
    }

    /// The jobs of which one copy is out, each with that.
    pub(super) fn lone(&self) -> impl Iterator<Item = (JobId, &CopyOut)> {
        let mut jobs: HashMap<JobId, Option<&CopyOut>> = HashMap::with_capacity(self.0.len());
        for (key, copy) in &self.0 {
            jobs.entry(key.job).and_modify(|lone| *lone = None).or_insert(Some(copy));
        }
        jobs.into_iter().filter_map(|(job, lone)| Some((job, lone?)))
    }
}
