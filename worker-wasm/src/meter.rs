//! How fast the volunteer's machine works: floating-point operations over the last ten seconds.

use std::collections::VecDeque;

const WINDOW_MS: f64 = 10_000.0;

#[derive(Debug, Default)]
pub(crate) struct Meter {
    since: Option<f64>,
    /// Moment in milliseconds, operations.
    entries: VecDeque<(f64, f64)>,
}

impl Meter {
    pub(crate) fn add(&mut self, now: f64, flops: f64) {
        self.since.get_or_insert(now);
        self.entries.push_back((now, flops));
        self.forget(now);
    }

    /// Millions of operations a second.
    pub(crate) fn mflops(&mut self, now: f64) -> f64 {
        self.forget(now);
        let Some(since) = self.since else { return 0.0 };
        let window_ms = (now - since).clamp(1_000.0, WINDOW_MS);
        self.entries.iter().map(|entry| entry.1).sum::<f64>() / window_ms / 1_000.0
    }

    fn forget(&mut self, now: f64) {
        while self.entries.front().is_some_and(|entry| entry.0 < now - WINDOW_MS) {
            self.entries.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_ten_seconds_count() {
        let mut meter = Meter::default();
        assert!(meter.mflops(0.0).abs() < 1e-9);
        meter.add(0.0, 5e6);
        assert!((meter.mflops(2_000.0) - 2.5).abs() < 1e-9);
        meter.add(9_000.0, 5e6);
        assert!((meter.mflops(10_000.0) - 1.0).abs() < 1e-9);
        assert!((meter.mflops(15_000.0) - 0.5).abs() < 1e-9);
        assert!(meter.mflops(30_000.0).abs() < 1e-9);
    }
}
