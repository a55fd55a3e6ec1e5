//! How many jobs to hold, so that a slot never waits: more when jobs are short, few when they are long.

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

/// Learns how long jobs take.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    job_ms: Option<f64>,
}

impl Pace {
    /// `jobs` jobs took `compute_ms` together.
    pub(crate) fn learn(&mut self, jobs: usize, compute_ms: f64) {
        if jobs == 0 {
            return;
        }
        let newest = compute_ms / jobs as f64 + OVERHEAD_MS;
        self.job_ms = Some(self.job_ms.map_or(newest, |known| known + NEWEST * (newest - known)));
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

    /// At least one job, so that there is a next one however long they take.
    fn bridge(&self, ms: f64) -> f64 {
        self.job_ms.map_or(1.0, |job_ms| (ms / job_ms).ceil())
    }
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
            let mut pace = Pace::default();
            pace.learn(jobs, compute_ms);
            assert_eq!((pace.depth(), pace.per_slot()), (depth, per_slot), "{jobs} jobs in {compute_ms} ms");
        }
    }

    #[test]
    fn one_odd_batch_does_not_turn_it_around() {
        let mut pace = Pace::default();
        pace.learn(1, 50.0);
        pace.learn(100, 0.0);
        assert!(pace.depth() < 5);
    }
}
