//! Whoever wants to hear when a job ends. What it ended with, the store says.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use weevil_model::JobId;

#[derive(Debug, Default)]
pub struct Listeners(Mutex<HashMap<JobId, Vec<oneshot::Sender<()>>>>);

impl Listeners {
    /// Hears of every end that becomes durable from now on: whoever looks at the store afterwards misses none.
    pub fn listen(&self, job: JobId) -> oneshot::Receiver<()> {
        let (reply, end) = oneshot::channel();
        self.waiting().entry(job).or_default().push(reply);
        end
    }

    pub fn tell(&self, job: JobId) {
        for reply in self.waiting().remove(&job).into_iter().flatten() {
            // Who has gone does not want to hear it any more.
            let _gone = reply.send(());
        }
    }

    /// Drops those who have gone.
    pub(crate) fn sweep(&self) {
        self.waiting().retain(|_, replies| {
            replies.retain(|reply| !reply.is_closed());
            !replies.is_empty()
        });
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<JobId, Vec<oneshot::Sender<()>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_hears_of_the_end_and_nobody_is_kept_who_has_gone() {
        let job = |number| JobId::from_number(number).unwrap();
        let ends = Listeners::default();
        let mut heard: Vec<_> = [1, 1, 2].map(|number| ends.listen(job(number))).into();
        ends.tell(job(1));
        ends.tell(job(3));
        let told: Vec<_> = heard.iter_mut().map(|heard| heard.try_recv().is_ok()).collect();
        assert_eq!(told, [true, true, false]);
        ends.sweep();
        assert_eq!(ends.waiting().len(), 1);
        drop(heard);
        ends.sweep();
        assert!(ends.waiting().is_empty());
    }
}
