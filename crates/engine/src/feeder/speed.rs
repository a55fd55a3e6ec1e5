//! How fast a worker has been lately, from what its attempts came to. Pure, and of bounded size.

use weevil_model::Timestamp;
use weevil_queue::decide::effort::Effort;

/// Spans of time that are told apart.
const SPANS: usize = 6;
/// Those of them that lie behind the newest one.
const BEHIND: i64 = 5;
/// Milliseconds of each.
const SPAN_MS: i64 = 10_000;

/// Floating-point operations in the spans up to the newest one: a minute. What an attempt did is spread over the time that it took.
#[derive(Debug, Default)]
pub(super) struct Speed {
    /// Number of the newest span, counted from 1970.
    newest: i64,
    /// That of the newest first.
    flops: [f64; SPANS],
}

impl Speed {
    /// An attempt has ended.
    pub(super) fn add(&mut self, effort: &Effort, now: Timestamp) {
        if effort.flops() <= 0.0 {
            return;
        }
        self.turn(now);
        let took_ms = i64::try_from(effort.compute_us() / 1000).unwrap_or(i64::MAX).max(1);
        let began = now.0.saturating_sub(took_ms);
        for (back, flops) in (0_i64..).zip(&mut self.flops) {
            let from = (self.newest - back) * SPAN_MS;
            let within = now.0.min(from + SPAN_MS) - began.max(from);
            *flops += effort.flops() * within.max(0) as f64 / took_ms as f64;
        }
    }

    /// Millions of operations a second, over the last minute or since the worker has come.
    pub(super) fn mflops(&self, since: Timestamp, now: Timestamp) -> f64 {
        let newest = now.0.div_euclid(SPAN_MS);
        let oldest = newest - BEHIND;
        let counted = (0_i64..).zip(&self.flops).filter(|(back, _)| self.newest - back >= oldest);
        // Not `sum`, which answers -0 for nothing.
        let flops = counted.fold(0.0, |sum, (_, flops)| sum + flops);
        let span_ms = (now.0 - (oldest * SPAN_MS).max(since.0)).max(1000);
        flops / span_ms as f64 / 1000.0
    }

    /// Time has passed. A clock that goes back turns nothing back.
    fn turn(&mut self, now: Timestamp) {
        let newest = now.0.div_euclid(SPAN_MS);
        let passed = usize::try_from(newest - self.newest).unwrap_or(0).min(self.flops.len());
        self.flops.rotate_right(passed);
        self.flops[..passed].fill(0.0);
        self.newest = self.newest.max(newest);
    }
}

#[cfg(test)]
mod tests {
    use weevil_queue::decide::effort::{ClaimedEffort, Seen};

    use super::*;

    const START: i64 = 1_000_000;

    fn effort(took_ms: i64, flops: f64, now: i64) -> Effort {
        let claimed = ClaimedEffort { slot: 0, compute_us: took_ms.unsigned_abs() * 1000, flops };
        let (handed_out, reported) = (Timestamp(now - took_ms), Timestamp(now));
        Effort::judged(claimed, Seen { handed_out, reported, slots: 1 })
    }

    #[test]
    fn what_was_done_lately_counts_and_what_was_done_before_does_not() {
        let second = 1000;
        for (case, ended, took_ms, asked, expected) in [
            ("nothing yet", 0, 0, 30 * second, 0.0),
            ("a second's work in half a minute", 30 * second, second, 30 * second, 1.0 / 30.0),
            ("at once: a second at least", 0, 1, 0, 1.0),
            (
                "ten minutes' work is a tenth of a minute's",
                600 * second,
                600 * second,
                600 * second,
                1.0 / 600.0,
            ),
            ("a minute later it is over", 30 * second, second, 100 * second, 0.0),
        ] {
            let mut speed = Speed::default();
            if took_ms > 0 {
                speed.add(&effort(took_ms, 1e6, START + ended), Timestamp(START + ended));
            }
            let found = speed.mflops(Timestamp(START), Timestamp(START + asked));
            assert!((found - expected).abs() < 1e-6, "{case}: {found}, not {expected}");
            assert!(found.is_sign_positive(), "{case}: {found}");
        }
    }

    #[test]
    fn steady_work_is_told_as_fast_as_it_is() {
        let mut speed = Speed::default();
        for second in 1..=300 {
            let now = START + second * 1000;
            speed.add(&effort(1000, 7e6, now), Timestamp(now));
            let found = speed.mflops(Timestamp(START), Timestamp(now));
            assert!((found - 7.0).abs() < 1e-6, "after {second} s: {found}");
        }
        speed.add(&effort(1000, 7e6, START), Timestamp(START));
        let late = speed.mflops(Timestamp(START), Timestamp(START + 300_000));
        assert!((late - 7.0).abs() < 1e-6, "a clock that was late adds nothing: {late}");
    }
}
