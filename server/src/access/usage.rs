//! Room in projects: what is asked for is compared with what a project has and with its quotas, and admitted or refused.
//!
//! What was admitted and is not in the database yet is counted here, in memory: so several that ask at once never pass a quota
//! together. A project without quotas costs nothing. Never asked about what a run goes on to need.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedRwLockReadGuard, RwLock};
use weevil_access::store::{Project, Projects};
use weevil_access::{Buckets, Empty, QuotaReached, Quotas, Usage};
use weevil_model::{ProjectId, Timestamp};

use crate::refusal::Refusal;

#[derive(Default)]
pub(crate) struct Rooms {
    /// One for each project with quotas; a server has a thousand projects at most.
    doors: Mutex<HashMap<ProjectId, Arc<Door>>>,
    jobs: Mutex<Buckets<ProjectId>>,
}

/// One project's.
#[derive(Default)]
struct Door {
    /// Shared by all that were admitted and are on their way into the database.
    turn: Arc<RwLock<()>>,
    passed: Mutex<Passed>,
}

/// Since the server began. Neither ever falls, so that both can be read at different moments.
#[derive(Debug, Default, Clone, Copy)]
struct Passed {
    admitted: Usage,
    /// Those among them that are in the database, or never will be.
    settled: Usage,
}

/// What was admitted: to be kept until the database has it, or has refused it.
pub(crate) struct Admitted {
    door: Arc<Door>,
    asked: Usage,
    _turn: OwnedRwLockReadGuard<()>,
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let mut passed = held(&self.door.passed);
        passed.settled = passed.settled.plus(self.asked);
    }
}

impl Rooms {
    /// Whether there is room for this; `None` where there always is.
    ///
    /// # Errors
    /// A quota would be passed, or the database does not say what the project has.
    pub(crate) async fn admit<S: Projects + ?Sized>(
        &self,
        store: &S,
        project: &Project,
        asked: Usage,
    ) -> Result<Option<Admitted>, Refusal> {
        if project.quotas == Quotas::default() {
            return Ok(None);
        }
        let door = held(&self.doors).entry(project.id).or_default().clone();
        let turn = door.turn.clone().read_owned().await;
        let admitted = |turn| Some(Admitted { door: door.clone(), asked, _turn: turn });
        if door.ask(store, project, asked).await?.is_ok() {
            return Ok(admitted(turn));
        }
        drop(turn);
        // Alone, so that the database has all that was admitted.
        let turn = door.turn.clone().write_owned().await;
        door.ask(store, project, asked).await?.map_err(Refusal::QuotaReached)?;
        Ok(admitted(turn.downgrade()))
    }

    /// Takes jobs that are put in from those that the project may put in within a minute.
    ///
    /// # Errors
    /// They come too early.
    pub(crate) fn put_in(&self, project: &Project, jobs: usize, now: Timestamp) -> Result<(), Refusal> {
        if project.jobs_a_minute == 0 {
            return Ok(());
        }
        let [a_minute, amount] =
            [project.jobs_a_minute, jobs as u64].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        let taken = held(&self.jobs).take(project.id, a_minute, amount, now);
        taken.map(drop).map_err(|Empty { retry_in_ms, .. }| Refusal::JobsReached {
            jobs: a_minute,
            seconds: retry_in_ms.div_ceil(1000),
        })
    }
}

impl Door {
    /// What was settled before the database was asked is surely in its answer; all else that was admitted may not be.
    async fn ask<S: Projects + ?Sized>(
        &self,
        store: &S,
        project: &Project,
        asked: Usage,
    ) -> Result<Result<(), QuotaReached>, Refusal> {
        let settled = held(&self.passed).settled;
        let used = store.usage(project.id).await?;
        let mut passed = held(&self.passed);
        let used = used.plus(passed.admitted.minus(settled));
        Ok(project.quotas.admit(used, asked).map(|()| passed.admitted = passed.admitted.plus(asked)))
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
