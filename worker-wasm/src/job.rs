//! The attempts that this worker holds, by its own small numbers; the tokens never leave the coordinator.

use std::collections::{HashMap, VecDeque};

use weevil_protocol::frame::{Assignment, AttemptKey};
use weevil_protocol::slot::SlotJob;

use crate::lines::Lines;

/// Milliseconds that a job waits at most without beginning: beyond that others may have it. Half of the time that the
/// server gives.
const MAX_WAIT_MS: f64 = 5.0 * 60.0 * 1_000.0;

/// One attempt.
#[derive(Debug)]
pub(crate) struct Job {
    pub key: AttemptKey,
    /// Index into the coordinator's codes.
    pub code: u32,
    pub input: Vec<u8>,
    pub seed: u64,
    pub timeout_ms: u32,
    pub deterministic: Option<bool>,
    /// How much is done, 0 to 1, as the code told last.
    progress: Option<f64>,
    pub lines: Lines,
    /// When it came.
    since: f64,
}

impl Job {
    pub(crate) fn new(assignment: Assignment, code: u32, now: f64) -> Self {
        let Assignment { key, input, seed, timeout_ms, deterministic, .. } = assignment;
        Self {
            key,
            code,
            input: input.into(),
            seed,
            timeout_ms,
            deterministic,
            progress: None,
            lines: Lines::default(),
            since: now,
        }
    }

    /// Has it waited too long, if it has not begun?
    pub(crate) fn is_stale(&self, now: f64) -> bool {
        now - self.since >= MAX_WAIT_MS
    }

    /// How much is done, 0 to 1, as the code told last.
    pub(crate) const fn progress(&self) -> Option<f64> {
        self.progress
    }

    pub(crate) fn for_slot(&self, seq: u32) -> SlotJob {
        let halves = [self.seed & u64::from(u32::MAX), self.seed >> 32];
        let seed = halves.map(|half| u32::try_from(half).unwrap_or_default());
        SlotJob { seq, code: self.code, input: self.input.clone(), seed, deterministic: self.deterministic }
    }
}

/// All attempts held, and the order of those that wait for a slot.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    held: HashMap<u32, Job>,
    waiting: VecDeque<u32>,
    /// What ran when the connection ended: the job of each, and its number here.
    orphans: HashMap<i64, u32>,
    next: u32,
}

impl Jobs {
    pub(crate) fn add(&mut self, job: Job) {
        self.next = self.next.wrapping_add(1);
        self.held.insert(self.next, job);
        self.waiting.push_back(self.next);
    }

    /// The first waiting job.
    pub(crate) fn front(&self) -> Option<&Job> {
        self.waiting.front().and_then(|seq| self.held.get(seq))
    }

    /// The first waiting job leaves the line for a slot.
    pub(crate) fn take(&mut self) -> Option<(u32, &Job)> {
        let seq = self.waiting.pop_front()?;
        self.held.get(&seq).map(|job| (seq, job))
    }

    pub(crate) fn get(&self, seq: u32) -> Option<&Job> {
        self.held.get(&seq)
    }

    /// The attempt has ended.
    pub(crate) fn end(&mut self, seq: u32) -> Option<Job> {
        self.held.remove(&seq)
    }

    /// Back to the head of the line, in their order: they begin again.
    pub(crate) fn put_back(&mut self, seqs: impl DoubleEndedIterator<Item = u32>) {
        for seq in seqs.rev() {
            if let Some(job) = self.held.get_mut(&seq) {
                (job.progress, job.lines) = (None, Lines::default());
                self.waiting.push_front(seq);
            }
        }
    }

    /// The job's code says how much of it is done.
    pub(crate) fn tell(&mut self, seq: u32, done: f64) {
        if let Some(job) = self.held.get_mut(&seq) {
            job.progress = Some(done);
        }
    }

    /// The job's code has something to say, for people.
    pub(crate) fn log(&mut self, seq: u32, say: impl FnOnce(&mut Lines)) {
        if let Some(job) = self.held.get_mut(&seq) {
            say(&mut job.lines);
        }
    }

    /// What was told of the attempts held.
    pub(crate) fn told(&self) -> Vec<(AttemptKey, f64)> {
        self.held.values().filter_map(|job| job.progress.map(|done| (job.key, done))).collect()
    }

    /// The connection under what is held has ended.
    pub(crate) fn orphan(&mut self) {
        self.orphans = self.held.iter().map(|(seq, job)| (job.key.job, *seq)).collect();
    }

    /// A job that was handed out anew to the worker that has begun it goes on. Answers whether it was one.
    pub(crate) fn adopt(&mut self, key: AttemptKey) -> bool {
        let orphan = self.orphans.remove(&key.job).and_then(|seq| self.held.get_mut(&seq));
        orphan.map(|job| job.key = key).is_some()
    }

    pub(crate) fn holds_any(&self) -> bool {
        !self.held.is_empty()
    }

    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    pub(crate) fn keys(&self) -> Vec<AttemptKey> {
        self.held.values().map(|job| job.key).collect()
    }

    /// Lets go of the waiting jobs that `which` picks, and answers their keys.
    pub(crate) fn give_up(&mut self, which: impl Fn(&Job) -> bool) -> Vec<AttemptKey> {
        let held = &mut self.held;
        let mut given = Vec::new();
        self.waiting.retain(|seq| match held.get(seq) {
            Some(job) if which(job) => {
                given.extend(held.remove(seq).map(|job| job.key));
                false
            }
            found => found.is_some(),
        });
        given
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(n: i64) -> Job {
        let key = AttemptKey { job: n, token: n };
        Job {
            key,
            code: 0,
            input: vec![0x80],
            seed: 0x0000_0002_0000_0001,
            timeout_ms: 1,
            deterministic: None,
            progress: None,
            lines: Lines::default(),
            since: 0.0,
        }
    }

    #[test]
    fn jobs_put_back_keep_their_order() {
        let mut jobs = Jobs::default();
        (1..=3).for_each(|n| jobs.add(job(n)));
        let taken: Vec<u32> = (0..2).filter_map(|_| jobs.take().map(|(seq, _)| seq)).collect();
        jobs.put_back(taken.into_iter());
        let order: Vec<i64> =
            std::iter::from_fn(|| jobs.take().map(|(_, job)| job.key.job)).take(3).collect();
        assert_eq!(order, [1, 2, 3]);
    }

    #[test]
    fn only_what_ran_when_the_connection_ended_is_adopted() {
        let again = |n| AttemptKey { job: n, token: 100 + n };
        let mut jobs = Jobs::default();
        (1..=3).for_each(|n| jobs.add(job(n)));
        assert!(!jobs.adopt(again(1)), "nothing has ended");
        jobs.orphan();
        jobs.end(2);
        assert_eq!([1, 1, 2, 4].map(|n| jobs.adopt(again(n))), [true, false, false, false]);
        assert_eq!(jobs.get(1).unwrap().key, again(1));
        assert_eq!(jobs.get(3).unwrap().key.token, 3);
    }

    #[test]
    fn what_is_given_up_is_gone() {
        let mut jobs = Jobs::default();
        (1..=3).for_each(|n| jobs.add(job(n)));
        let given = jobs.give_up(|job| job.key.job != 2);
        assert_eq!(given.iter().map(|key| key.job).collect::<Vec<_>>(), [1, 3]);
        assert_eq!((jobs.waiting(), jobs.keys().len()), (1, 1));
        assert_eq!(jobs.front().unwrap().for_slot(9).seed, [1, 2]);
    }
}
