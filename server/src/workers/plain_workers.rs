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
use crate::refusal::Refusal;

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

impl PlainWorkers {
    fn entries(&self) -> MutexGuard<'_, HashMap<WorkerId, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add(&self, pass: &Pass, member: Member) {
        self.entries().insert(pass.worker, Entry { secret: pass.secret.clone(), member });
    }

    pub(super) fn remove(&self, worker: WorkerId) {
        self.entries().remove(&worker);
    }

    /// The worker that this pass belongs to.
    pub(crate) fn find(&self, pass: &Pass) -> Result<Member, Refusal> {
        match self.entries().get(&pass.worker) {
            None => Err(Refusal::NoSuchWorker(pass.worker)),
            Some(entry) if entry.secret != pass.secret => Err(Refusal::WrongSecret(pass.worker)),
            Some(entry) => Ok(entry.member.clone()),
        }
    }
}
