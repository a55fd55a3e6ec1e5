//! Whoever put stand-alone jobs in or ended some with one batch, or brought what modules say: they are answered when it is durable, or
//! when it never will be.

use std::collections::HashSet;

use tokio::sync::oneshot;
use weevil_model::JobId;
use weevil_queue::{Batch, Cancel, Duplicate, NewJob, Opinion};

/// The database will never take what was asked, in its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotStored(pub String);

/// Where an answer goes. Who asked may be gone by then.
pub type Reply<T> = oneshot::Sender<Result<T, NotStored>>;

#[derive(Debug, Default)]
pub(super) struct Replies {
    submits: Vec<(HashSet<JobId>, Reply<Vec<Duplicate>>)>,
    cancels: Vec<(JobId, Reply<()>)>,
    opinions: Vec<(Vec<Opinion>, Reply<()>)>,
}

impl Replies {
    pub(super) fn submitted(&mut self, jobs: &[NewJob], reply: Reply<Vec<Duplicate>>) {
        self.submits.push((jobs.iter().map(|job| job.id).collect(), reply));
    }

    pub(super) fn cancelled(&mut self, job: JobId, reply: Reply<()>) {
        self.cancels.push((job, reply));
    }

    pub(super) fn opined(&mut self, opinions: &[Opinion], reply: Reply<()>) {
        self.opinions.push((opinions.to_vec(), reply));
    }

    /// Each hears which of its own jobs were there already. Who asked for something that is `left` waits on.
    pub(super) fn answer(&mut self, duplicates: &[Duplicate], left: &Batch) {
        let waits: HashSet<JobId> = left.enqueue.iter().map(|job| job.id).collect();
        for (asked, reply) in self.submits.extract_if(.., |(asked, _)| waits.is_disjoint(asked)) {
            let its = duplicates.iter().copied().filter(|duplicate| asked.contains(&duplicate.asked));
            let _gone = reply.send(Ok(its.collect()));
        }
        for (_, reply) in self.cancels.extract_if(.., |(job, _)| !left.cancel.contains(&Cancel::Job(*job))) {
            let _gone = reply.send(Ok(()));
        }
        let is_left = |opinions: &[Opinion]| opinions.iter().any(|opinion| left.opinions.contains(opinion));
        for (_, reply) in self.opinions.extract_if(.., |(opinions, _)| !is_left(opinions)) {
            let _gone = reply.send(Ok(()));
        }
    }

    /// What was said of these values is kept nowhere.
    pub(super) fn refuse_opinion(&mut self, refused: &Opinion, words: &NotStored) {
        for (_, reply) in self.opinions.extract_if(.., |(opinions, _)| opinions.contains(refused)) {
            let _gone = reply.send(Err(words.clone()));
        }
    }

    /// What was asked of this job will never be.
    pub(super) fn refuse(&mut self, job: JobId, words: &NotStored) {
        for (_, reply) in self.submits.extract_if(.., |(asked, _)| asked.contains(&job)) {
            let _gone = reply.send(Err(words.clone()));
        }
        for (_, reply) in self.cancels.extract_if(.., |(cancelled, _)| *cancelled == job) {
            let _gone = reply.send(Err(words.clone()));
        }
    }
}
