//! How long the jobs of a run took, in a fixed number of counters: enough for a median, whatever their number.
//!
//! Only counts. Each counter stands for times that differ by less than a fifth, so the middle of one is within 9 % of
//! all that it counts.

use weevil_records::JobTimes;

const COUNTERS: usize = 128;
/// Microseconds; what took less is in the first counter. Browsers hardly measure less.
const SHORTEST_US: f64 = 100.0;
/// From one counter's bound to the next: the last one begins at two days.
const RATIO: f64 = 1.185;

#[derive(Debug)]
pub(crate) struct Times([u64; COUNTERS]);

impl Default for Times {
    fn default() -> Self {
        Self([0; COUNTERS])
    }
}

impl Times {
    pub(crate) fn of(jobs: &[JobTimes]) -> Self {
        let mut times = Self::default();
        for JobTimes { compute_us, jobs } in jobs {
            times.count(*compute_us, *jobs);
        }
        times
    }

    /// This many jobs took so long.
    pub(crate) fn count(&mut self, compute_us: u64, jobs: u32) {
        let counter = &mut self.0[counter(compute_us)];
        *counter = counter.saturating_add(jobs.into());
    }

    /// Milliseconds that half of the jobs took at most; 0 where there are none.
    pub(crate) fn median_ms(&self) -> f64 {
        let half = self.0.iter().fold(0, |all: u64, count| all.saturating_add(*count)).div_ceil(2);
        let mut seen = 0;
        let reached = self.0.iter().position(|count| {
            seen = u64::saturating_add(seen, *count);
            seen >= half
        });
        reached.filter(|_| half > 0).map_or(0.0, middle_us) / 1000.0
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and clipped below"
)]
fn counter(compute_us: u64) -> usize {
    let steps = (compute_us as f64 / SHORTEST_US).log(RATIO).floor();
    // Below the shortest the logarithm is negative, of nothing minus infinity.
    let above = if steps < 0.0 { 0.0 } else { steps + 1.0 };
    (above as usize).min(COUNTERS - 1)
}

/// What is as near to the lower bound of a counter as to the upper one, in proportion.
fn middle_us(counter: usize) -> f64 {
    let upper = SHORTEST_US * RATIO.powf(counter as f64);
    if counter == 0 { upper / 2.0 } else { upper * 2.0 / (1.0 + RATIO) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_within_nine_percent() {
        for jobs in [
            vec![100],
            vec![150, 151],
            vec![1_000, 2_000, 3_000],
            vec![5_000; 1001],
            vec![1, 2, 40_000_000],
            vec![86_400_000_000, 100_000_000_000, 110_000_000_000],
            (1..=999).map(|n| n * 1_000).collect(),
        ] {
            let mut times = Times::default();
            for compute_us in &jobs {
                times.count(*compute_us, 1);
            }
            let median_us = jobs[(jobs.len() - 1) / 2] as f64;
            let told_us = times.median_ms() * 1000.0;
            let near = (told_us / median_us - 1.0).abs() < 0.09 || told_us < SHORTEST_US;
            assert!(near, "{told_us} for {median_us}");
        }
    }

    #[test]
    fn every_counter_is_within_nine_percent_of_what_it_counts() {
        let mut compute_us = 100;
        while (compute_us as f64) < SHORTEST_US * RATIO.powf((COUNTERS - 1) as f64) {
            let told_us = middle_us(counter(compute_us));
            assert!((told_us / compute_us as f64 - 1.0).abs() < 0.09, "{compute_us}: {told_us}");
            compute_us += compute_us / 100;
        }
    }

    #[test]
    fn no_number_is_too_large_and_no_jobs_have_no_median() {
        let mut times = Times::default();
        assert!(times.median_ms().abs() < f64::EPSILON);
        for compute_us in [0, 1, 99, u64::MAX] {
            times.count(compute_us, u32::MAX);
        }
        assert!(times.median_ms().is_finite() && times.median_ms() > 0.0);
    }
}
