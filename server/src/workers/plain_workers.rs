//! Who speaks plain HTTP: the way from a worker's id and secret to its session.
//!
//! Lost with the process: a worker that is not known here joins again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix::Addr;
use weevil_model::WorkerId;
use weevil_protocol::plain::{Pass, Secret, Values};

use super::plain_session::PlainSession;
use super::standing::SharedGiven;

/// Shared by the routes and the sessions.
#[derive(Clone, Default)]
pub(crate) struct PlainWorkers(Arc<Mutex<HashMap<WorkerId, Entry>>>);

struct Entry {
    secret: Secret,
    member: Member,
}

/// A worker that has shown its secret.
#[derive(Clone)]
pub(crate) struct Member {
    pub session: Addr<PlainSession>,
    pub values: Values,
    /// What it was handed.
    pub given: SharedGiven,
    /// Slots that it has announced.
    pub slots: u32,
}

/// A pass that opens no session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoEntry {
    /// Nobody of this name is here: it never joined, or has left.
    Unknown(WorkerId),
    /// Somebody of this name is, with another secret.
    WrongSecret(WorkerId),
}

/// A worker is found for as long as this is there.
pub(super) struct Entered {
    workers: PlainWorkers,
    worker: WorkerId,
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.workers.entries().remove(&self.worker);
    }
}

impl PlainWorkers {
    fn entries(&self) -> MutexGuard<'_, HashMap<WorkerId, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn enter(&self, pass: &Pass, member: Member) -> Entered {
        self.entries().insert(pass.worker, Entry { secret: pass.secret.clone(), member });
        Entered { workers: self.clone(), worker: pass.worker }
    }

    /// The worker that this pass belongs to.
    ///
    /// # Errors
    /// It is nobody's who is here.
    pub(crate) fn find(&self, pass: &Pass) -> Result<Member, NoEntry> {
        match self.entries().get(&pass.worker) {
            None => Err(NoEntry::Unknown(pass.worker)),
            Some(entry) if entry.secret != pass.secret => Err(NoEntry::WrongSecret(pass.worker)),
            Some(entry) => Ok(entry.member.clone()),
        }
    }
}
