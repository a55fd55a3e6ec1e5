//! How many jobs to hold, so that a slot never waits: more when jobs are short, few when they are long or when the
//! volunteer lends only a part of the time.

use std::collections::HashMap;

/// Work that a job worker holds beyond the job it runs, in milliseconds: covers the way to the coordinator and back.
const SLOT_BUFFER_MS: f64 = 25.0;
/// Work that waits in the coordinator for each slot: covers the way to the server, its commit, and back.
const PREFETCH_MS: f64 = 150.0;
/// Jobs inside one job worker at most.
const MAX_DEPTH: f64 = 256.0;
/// Jobs held for one slot at most.
const MAX_PER_SLOT: f64 = 768.0;
/// Weight of the newest batch in the moving average.
const NEWEST: f64 = 0.3;
/// What a job costs besides its own time, so that a no-op does not look free.
const OVERHEAD_MS: f64 = 0.05;
/// A way may take this much longer at times: a rest must be longer still to make up for it.
const LATE: f64 = 3.0;
/// Jobs of a code that take longer than this wait where they can be given back, not behind each other in a job worker.
const LONG_MS: f64 = 10_000.0;
/// The least duty that a volunteer can choose, in percent.
const MIN_DUTY: u32 = 5;

/// Learns how long jobs take, and knows for how much of the time a slot computes.
#[derive(Debug)]
pub(crate) struct Prefetch {
    job_ms: Option<f64>,
    /// How long jobs of each code take.
    lengths: HashMap<u32, f64>,
    /// Percent, `MIN_DUTY` to 100.
    duty: u32,
}

impl Default for Prefetch {
    fn default() -> Self {
        Self { job_ms: None, lengths: HashMap::new(), duty: 100 }
    }
}

impl Prefetch {
    /// `jobs` jobs took `compute_ms` together.
    pub(crate) fn learn(&mut self, jobs: usize, compute_ms: f64) {
        if jobs == 0 {
            return;
        }
        let newest = compute_ms / jobs as f64 + OVERHEAD_MS;
        self.job_ms = Some(averaged(self.job_ms, newest));
    }

    /// A job of this code took so long.
    pub(crate) fn learn_length(&mut self, code: u32, compute_ms: f64) {
        self.lengths.insert(code, averaged(self.lengths.get(&code).copied(), compute_ms));
    }

    /// May a job wait behind one of this code inside a job worker?
    pub(crate) fn is_short(&self, code: u32) -> bool {
        self.lengths.get(&code).is_some_and(|ms| *ms <= LONG_MS)
    }

    pub(crate) fn set_duty(&mut self, percent: u32) {
        self.duty = percent.clamp(MIN_DUTY, 100);
    }

    pub(crate) const fn duty(&self) -> u32 {
        self.duty
    }

    /// The same, where it is less than all of the time.
    pub(crate) fn part_duty(&self) -> Option<u32> {
        Some(self.duty).filter(|percent| *percent < 100)
    }

    /// Milliseconds to rest for one of work.
    pub(crate) fn rest_rate(&self) -> f64 {
        f64::from(100 - self.duty) / f64::from(self.duty)
    }

    /// Jobs to keep inside one job worker: the running one and those that bridge the way to the coordinator.
    pub(crate) fn depth(&self) -> usize {
        count(1.0 + self.bridge(SLOT_BUFFER_MS), MAX_DEPTH)
    }

    /// Jobs to hold for each slot, inside its job worker and waiting.
    pub(crate) fn per_slot(&self) -> u32 {
        let jobs = 1.0 + self.bridge(SLOT_BUFFER_MS) + self.bridge(PREFETCH_MS);
        u32::try_from(count(jobs, MAX_PER_SLOT)).unwrap_or(u32::MAX)
    }

    /// Jobs for so long a way. 0 where the rest after each job covers it: a job held through a rest would only be
    /// kept from others. Else at least one, so that there is a next one however long they take.
    fn bridge(&self, ms: f64) -> f64 {
        let Some(job_ms) = self.job_ms else { return 1.0 };
        let turn_ms = job_ms * 100.0 / f64::from(self.duty);
        if turn_ms - job_ms >= ms * LATE { 0.0 } else { (ms / turn_ms).ceil() }
    }
}

fn averaged(known: Option<f64>, newest: f64) -> f64 {
    known.map_or(newest, |known| known + NEWEST * (newest - known))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a small positive range"
)]
fn count(jobs: f64, max: f64) -> usize {
    jobs.clamp(1.0, max) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_jobs_are_held_in_crowds_and_long_ones_in_pairs() {
        for (jobs, compute_ms, depth, per_slot) in
            [(0, 0.0, 2, 3), (1, 10_000.0, 2, 3), (1, 50.0, 2, 5), (4, 20.0, 6, 36), (100, 0.0, 256, 768)]
        {
            let mut prefetch = Prefetch::default();
            prefetch.learn(jobs, compute_ms);
            assert_eq!(
                (prefetch.depth(), prefetch.per_slot()),
                (depth, per_slot),
                "{jobs} jobs in {compute_ms} ms"
            );
        }
    }

    #[test]
    fn rests_count_as_time_of_the_job() {
        for (duty, job_ms, depth, per_slot) in [
            (75, 20.0, 2, 8),
            (50, 20.0, 2, 6),
            (25, 20.0, 2, 4),
            (10, 20.0, 1, 2),
            (50, 300.0, 1, 2),
            (25, 300.0, 1, 1),
            (75, 60_000.0, 1, 1),
            (50, 1.0, 13, 85),
        ] {
            let mut prefetch = Prefetch::default();
            prefetch.set_duty(duty);
            prefetch.learn(1, job_ms);
            assert_eq!((prefetch.depth(), prefetch.per_slot()), (depth, per_slot), "{job_ms} ms at {duty} %");
        }
    }

    #[test]
    fn a_duty_is_a_share() {
        for (asked, kept) in [(0, 5), (5, 5), (42, 42), (100, 100), (u32::MAX, 100)] {
            let mut prefetch = Prefetch::default();
            prefetch.set_duty(asked);
            assert_eq!(prefetch.duty(), kept);
        }
    }

    #[test]
    fn only_jobs_that_are_known_to_be_short_wait_behind_each_other() {
        let mut prefetch = Prefetch::default();
        assert!(!prefetch.is_short(0), "nobody knows");
        for (code, ms, short) in
            [(0, 20.0, true), (1, 10_000.0, true), (2, 10_001.0, false), (0, 60_000.0, false)]
        {
            prefetch.learn_length(code, ms);
            assert_eq!(prefetch.is_short(code), short, "{code} {ms}");
        }
    }

    #[test]
    fn one_odd_batch_does_not_turn_it_around() {
        let mut prefetch = Prefetch::default();
        prefetch.learn(1, 50.0);
        prefetch.learn(100, 0.0);
        assert!(prefetch.depth() < 5);
    }
}
