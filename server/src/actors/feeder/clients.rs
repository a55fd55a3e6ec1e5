//! Whoever put stand-alone jobs in or ended some with one batch: they are answered when it is durable.

use std::collections::HashSet;

use tokio::sync::oneshot;
use weevil_model::JobId;
use weevil_queue::{Duplicate, NewJob};

#[derive(Debug, Default)]
pub(super) struct Clients {
    submits: Vec<(HashSet<JobId>, oneshot::Sender<Vec<Duplicate>>)>,
    cancels: Vec<oneshot::Sender<()>>,
}

impl Clients {
    pub(super) fn submitted(&mut self, jobs: &[NewJob], reply: oneshot::Sender<Vec<Duplicate>>) {
        self.submits.push((jobs.iter().map(|job| job.id).collect(), reply));
    }

    pub(super) fn cancelled(&mut self, reply: oneshot::Sender<()>) {
        self.cancels.push(reply);
    }

    /// Each hears which of its own jobs were there already. Who has gone does not hear it.
    pub(super) fn answer(self, duplicates: &[Duplicate]) {
        for (asked, reply) in self.submits {
            let its = duplicates.iter().copied().filter(|duplicate| asked.contains(&duplicate.asked));
            let _gone = reply.send(its.collect());
        }
        for reply in self.cancels {
            let _gone = reply.send(());
        }
    }
}
