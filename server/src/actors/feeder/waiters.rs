//! Whoever wants to hear when a job ends. What it ended with, the store says.

use std::collections::HashMap;

use tokio::sync::oneshot;
use weevil_model::JobId;

#[derive(Debug, Default)]
pub(super) struct Waiters(HashMap<JobId, Vec<oneshot::Sender<()>>>);

impl Waiters {
    pub(super) fn add(&mut self, job: JobId, reply: oneshot::Sender<()>) {
        self.0.entry(job).or_default().push(reply);
    }

    pub(super) fn ended(&mut self, job: JobId) {
        for reply in self.0.remove(&job).into_iter().flatten() {
            // Who has gone does not want to hear it any more.
            let _gone = reply.send(());
        }
    }

    /// Drops those who have gone.
    pub(super) fn sweep(&mut self) {
        self.0.retain(|_, replies| {
            replies.retain(|reply| !reply.is_closed());
            !replies.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_hears_of_the_end_and_nobody_is_kept_who_has_gone() {
        let job = |number| JobId::from_number(number).unwrap();
        let mut waiters = Waiters::default();
        let mut heard: Vec<_> = [1, 1, 2]
            .map(|number| {
                let (reply, heard) = oneshot::channel();
                waiters.add(job(number), reply);
                heard
            })
            .into();
        waiters.ended(job(1));
        waiters.ended(job(3));
        assert_eq!(
            heard.iter_mut().map(|heard| heard.try_recv().is_ok()).collect::<Vec<_>>(),
            [true, true, false]
        );
        waiters.sweep();
        assert_eq!(waiters.0.len(), 1);
        drop(heard);
        waiters.sweep();
        assert!(waiters.0.is_empty());
    }
}
