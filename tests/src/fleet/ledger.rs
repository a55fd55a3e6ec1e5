//! What the workers of a fleet saw: counts, times, and which results the server has promised to keep.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use weevil_protocol::frame::{AttemptKey, Verdict};

use crate::PATIENCE;

#[derive(Default)]
pub struct Ledger {
    joined: AtomicU64,
    lost: AtomicU64,
    assigned: AtomicU64,
    superseded: AtomicU64,
    unknown: AtomicU64,
    revoked: AtomicU64,
    paced: AtomicU64,
    /// Longest interval between heartbeats that anybody was told after the welcome, milliseconds.
    slowest_ms: AtomicU64,
    /// By job: the attempts whose results were accepted. A result that is handed in again is accepted again.
    accepted: Mutex<HashMap<i64, HashSet<i64>>>,
    /// Told of every assigned job and every verdict.
    news: Condvar,
    /// From handing a result in to holding the next job, where nothing was held in between.
    waits: Mutex<Vec<Duration>>,
}

fn count(counter: &AtomicU64, more: usize) {
    counter.fetch_add(more as u64, Ordering::Relaxed);
}

impl fmt::Display for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { joined, lost, assigned, superseded, unknown, revoked, .. } = self;
        let accepted = self.accepted().len();
        write!(f, "{joined:?} joined, {lost:?} lost; {assigned:?} jobs assigned, {revoked:?} revoked; ")?;
        write!(f, "{accepted} accepted, {superseded:?} superseded, {unknown:?} unknown")
    }
}

/// Thousands of jobs and times would drown what failed.
impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Ledger {
    pub(super) fn join(&self) {
        count(&self.joined, 1);
    }

    pub(super) fn lose(&self) {
        count(&self.lost, 1);
    }

    pub(super) fn assign(&self, jobs: usize) {
        let _watched = self.accepted.lock().unwrap_or_else(PoisonError::into_inner);
        count(&self.assigned, jobs);
        self.news.notify_all();
    }

    pub(super) fn revoke(&self, attempts: usize) {
        count(&self.revoked, attempts);
    }

    pub(super) fn pace(&self, heartbeat_ms: u32) {
        count(&self.paced, 1);
        self.slowest_ms.fetch_max(heartbeat_ms.into(), Ordering::Relaxed);
    }

    pub(super) fn wait(&self, time: Duration) {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner).push(time);
    }

    pub(super) fn hear(&self, verdicts: &[(AttemptKey, Verdict)]) {
        let mut accepted = self.accepted.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, verdict) in verdicts {
            match verdict {
                Verdict::Accepted => drop(accepted.entry(key.job).or_default().insert(key.token)),
                Verdict::Superseded => count(&self.superseded, 1),
                Verdict::Unknown => count(&self.unknown, 1),
            }
        }
        self.news.notify_all();
    }

    /// Waits until so many jobs were assigned, over all, and results of so many jobs were accepted.
    pub fn await_counts(&self, assigned: u64, accepted: usize) {
        let watched = self.accepted.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = |jobs: &mut HashMap<_, _>| self.assigned() < assigned || jobs.len() < accepted;
        let ended = self.news.wait_timeout_while(watched, PATIENCE, waits);
        let (watched, timeout) = ended.unwrap_or_else(PoisonError::into_inner);
        drop(watched);
        assert!(!timeout.timed_out(), "{assigned} assigned and {accepted} accepted are waited for: {self}");
    }

    /// Connections that were welcomed.
    pub fn joined(&self) -> u64 {
        self.joined.load(Ordering::Relaxed)
    }

    /// Connections that have ended, whoever ended them.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    pub fn assigned(&self) -> u64 {
        self.assigned.load(Ordering::Relaxed)
    }

    pub fn superseded(&self) -> u64 {
        self.superseded.load(Ordering::Relaxed)
    }

    pub fn unknown(&self) -> u64 {
        self.unknown.load(Ordering::Relaxed)
    }

    /// Times that a worker was told another interval between heartbeats.
    pub fn paced(&self) -> u64 {
        self.paced.load(Ordering::Relaxed)
    }

    /// The longest of them, milliseconds.
    pub fn slowest_ms(&self) -> u64 {
        self.slowest_ms.load(Ordering::Relaxed)
    }

    pub fn revoked(&self) -> u64 {
        self.revoked.load(Ordering::Relaxed)
    }

    /// By job: the tokens of the attempts whose results, errors among them, were accepted.
    pub fn accepted(&self) -> HashMap<i64, HashSet<i64>> {
        self.accepted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits at most so long until results of so many jobs were accepted.
    pub fn await_results(&self, accepted: usize, patience: Duration) {
        let watched = self.accepted.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = self.news.wait_timeout_while(watched, patience, |jobs| jobs.len() < accepted);
        let timed_out = ended.unwrap_or_else(PoisonError::into_inner).1.timed_out();
        assert!(!timed_out, "{accepted} accepted are waited for: {self}");
    }

    /// Jobs of which a result was accepted.
    pub fn accepted_jobs(&self) -> usize {
        self.accepted.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Takes the times from result to next job that were gathered so far.
    pub fn take_waits(&self) -> Vec<Duration> {
        std::mem::take(&mut *self.waits.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
