//! Whether the server can be given work: what `/readyz` answers, what uploads are measured by, and how far its end is.
//!
//! Never asks the database itself: whoever writes to it tells what came of it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use weevil_records::StoreError;

use crate::clock::Stopwatch;

/// The feeder has the database answer every second; silent for this long, it hangs.
const SILENT: Duration = Duration::from_secs(5);

/// Where the server is on its way to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Serving,
    /// Hands nothing out any more; takes what is handed in for this long at most.
    Draining(Duration),
    /// Connections close.
    Ending,
}

/// Why the server should not be given work now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unready {
    #[error("it is about to end and takes only what its workers still hand in")]
    Draining,
    #[error("its database refuses to write ({0}); it is tried again every second")]
    Refused(String),
    #[error("its database has not answered for {0} seconds")]
    Silent(u64),
}

#[derive(Debug)]
pub struct Health {
    phase: watch::Sender<Phase>,
    /// Attempts that workers hold; counted while draining only.
    held: watch::Sender<Option<usize>>,
    store: Mutex<Answers>,
}

#[derive(Debug)]
struct Answers {
    last: Stopwatch,
    /// What the database said to the last write, until one has succeeded; and since when it refuses.
    trouble: Option<(String, Stopwatch)>,
}

impl Default for Health {
    fn default() -> Self {
        Self {
            phase: watch::Sender::new(Phase::Serving),
            held: watch::Sender::default(),
            store: Mutex::new(Answers { last: Stopwatch::start(), trouble: None }),
        }
    }
}

impl Health {
    fn store(&self) -> MutexGuard<'_, Answers> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn check(&self) -> Result<(), Unready> {
        if *self.phase.borrow() != Phase::Serving {
            return Err(Unready::Draining);
        }
        let store = self.store();
        if let Some((trouble, _)) = &store.trouble {
            return Err(Unready::Refused(trouble.clone()));
        }
        let silent = store.last.elapsed();
        if silent > SILENT { Err(Unready::Silent(silent.as_secs())) } else { Ok(()) }
    }

    /// The database has done what it was asked. `wrote`: that took a write, so that it takes writes again.
    pub fn answered(&self, wrote: bool) {
        let mut store = self.store();
        store.last = Stopwatch::start();
        if wrote {
            store.trouble = None;
        }
    }

    /// The database has answered that it cannot.
    pub fn refused(&self, error: &StoreError) {
        let mut store = self.store();
        store.last = Stopwatch::start();
        let since = store.trouble.take().map_or_else(Stopwatch::start, |(_, since)| since);
        store.trouble = Some((error.to_string(), since));
    }

    /// How long the database has refused to write, or was silent; `None` while it does what it is asked.
    pub fn not_writing_for(&self) -> Option<Duration> {
        let store = self.store();
        let refused = store.trouble.as_ref().map(|(_, since)| since.elapsed());
        refused.or_else(|| Some(store.last.elapsed()).filter(|silent| *silent > SILENT))
    }

    pub fn phases(&self) -> watch::Receiver<Phase> {
        self.phase.subscribe()
    }

    pub fn serving(&self) -> bool {
        *self.phase.borrow() == Phase::Serving
    }

    pub fn enter(&self, phase: Phase) {
        self.phase.send_replace(phase);
    }

    /// The feeder's count of what workers hold.
    pub fn holding(&self, attempts: usize) {
        self.held.send_replace(Some(attempts));
    }

    /// Waits until workers have handed in or given back all that they held.
    pub async fn nothing_held(&self) {
        let mut held = self.held.subscribe();
        // The sender lives as long as `self`.
        let _counted = held.wait_for(|held| *held == Some(0)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_write_ends_what_a_refused_write_began() {
        let health = Health::default();
        assert_eq!(health.check(), Ok(()));
        health.refused(&StoreError::Failed { doing: "testing", cause: "full".into() });
        for (wrote, ready) in [(false, false), (true, true), (false, true)] {
            health.answered(wrote);
            assert_eq!(health.check().is_ok(), ready, "{wrote}");
            assert_eq!(health.not_writing_for().is_none(), ready, "{wrote}");
        }
        health.enter(Phase::Draining(Duration::ZERO));
        assert_eq!(health.check(), Err(Unready::Draining));
    }
}
