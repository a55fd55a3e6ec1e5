//! Where passwords are hashed: one lane beside the HTTP threads, so many a second, with so many that wait.
//!
//! Browsers that have signed in before go first, and one of them takes the place of the stranger who came last. Never looks
//! into what it carries out.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, sleep_until};

/// Between two beginnings: at most eight hashes a second.
const EVERY: Duration = Duration::from_millis(125);
/// Who waits at a time.
const MAX_WAITING: usize = 64;

/// Something that takes long; it answers whoever asked.
type Work = Box<dyn FnOnce() + Send>;

/// Whether somebody is known to have signed in from there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    Known,
    Stranger,
}

/// Too many wait.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Busy;

#[derive(Default)]
struct Waiting {
    known: VecDeque<Work>,
    strangers: VecDeque<Work>,
}

impl Waiting {
    fn push(&mut self, turn: Turn, work: Work) -> Result<(), Busy> {
        let full = self.known.len() + self.strangers.len() >= MAX_WAITING;
        match turn {
            Turn::Stranger if full => return Err(Busy),
            Turn::Stranger => self.strangers.push_back(work),
            Turn::Known => {
                if full && self.strangers.pop_back().is_none() {
                    return Err(Busy);
                }
                self.known.push_back(work);
            }
        }
        Ok(())
    }

    fn pop(&mut self) -> Option<Work> {
        self.known.pop_front().or_else(|| self.strangers.pop_front())
    }
}

#[derive(Default)]
struct Lane {
    waiting: Mutex<Waiting>,
    more: Notify,
}

impl Lane {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(&self) {
        loop {
            let next = self.waiting().pop();
            let Some(work) = next else {
                self.more.notified().await;
                continue;
            };
            let begun = Instant::now();
            // What panics answers nobody, which its asker sees.
            let _panicked = tokio::task::spawn_blocking(work).await;
            sleep_until(begun + EVERY).await;
        }
    }
}

pub(crate) struct Hashing(Arc<Lane>);

impl Hashing {
    /// Begins to carry out, until the runtime ends.
    pub(crate) fn begin() -> Self {
        let lane = Arc::new(Lane::default());
        let running = lane.clone();
        actix::spawn(async move { running.run().await });
        Self(lane)
    }

    /// Has something done when its turn comes.
    ///
    /// # Errors
    /// Too many wait.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        turn: Turn,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let (answer, answered) = oneshot::channel();
        let work = move || {
            // Nobody waits any more for what was given up.
            if !answer.is_closed() {
                let _gone = answer.send(work());
            }
        };
        self.0.waiting().push(turn, Box::new(work))?;
        self.0.more.notify_one();
        answered.await.map_err(|_| Busy)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn fill(waiting: &mut Waiting, turn: Turn, count: usize) -> usize {
        (0..count).filter(|_| waiting.push(turn, Box::new(|| {})).is_ok()).count()
    }

    #[test]
    fn a_known_browser_takes_the_place_of_the_last_stranger() {
        let mut waiting = Waiting::default();
        assert_eq!(fill(&mut waiting, Turn::Stranger, MAX_WAITING + 3), MAX_WAITING);
        assert_eq!(fill(&mut waiting, Turn::Known, 2), 2);
        assert_eq!((waiting.known.len(), waiting.strangers.len()), (2, MAX_WAITING - 2));
        assert_eq!(fill(&mut waiting, Turn::Known, MAX_WAITING), MAX_WAITING - 2);
        assert_eq!(fill(&mut waiting, Turn::Known, 1), 0, "nobody is left to make room");
        assert_eq!(fill(&mut waiting, Turn::Stranger, 1), 0);
    }

    #[test]
    fn known_browsers_go_first_and_else_who_came_first() {
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut waiting = Waiting::default();
        for (turn, name) in
            [(Turn::Stranger, "a"), (Turn::Known, "b"), (Turn::Stranger, "c"), (Turn::Known, "d")]
        {
            let order = order.clone();
            waiting.push(turn, Box::new(move || order.lock().unwrap().push(name))).unwrap();
        }
        while let Some(work) = waiting.pop() {
            work();
        }
        assert_eq!(*order.lock().unwrap(), ["b", "d", "a", "c"]);
    }

    #[tokio::test]
    async fn work_is_answered_and_what_was_given_up_is_not_done() {
        let (hashing, done) = (Hashing(Arc::new(Lane::default())), Arc::new(AtomicUsize::new(0)));
        let counted = |done: &Arc<AtomicUsize>| {
            let done = done.clone();
            move || done.fetch_add(1, Ordering::Relaxed)
        };
        // Nothing is carried out yet: the first one waits, and is given up.
        tokio::select! {
            biased;
            _ = hashing.run(Turn::Stranger, counted(&done)) => panic!("nobody carries it out"),
            () = std::future::ready(()) => {}
        }
        let running = hashing.0.clone();
        tokio::spawn(async move { running.run().await });
        assert_eq!(hashing.run(Turn::Stranger, counted(&done)).await, Ok(0));
        assert_eq!(done.load(Ordering::Relaxed), 1);
    }
}
