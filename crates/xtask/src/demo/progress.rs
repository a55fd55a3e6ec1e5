//! The progress line: bar, jobs, workers, MFLOPS and the time left.
//! Pure: time is an argument, and nothing is printed here.

use std::time::{Duration, Instant};

const BAR_WIDTH: usize = 30;

/// What one line shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Snapshot {
    pub(super) done: u64,
    pub(super) total: u64,
    pub(super) workers: usize,
    pub(super) mflops: f64,
    /// `None` while nothing is known.
    pub(super) eta: Option<Duration>,
}

/// One line of at most 100 columns.
pub(super) fn line(now: &Snapshot) -> String {
    let Snapshot { done, total, workers, mflops, eta } = *now;
    let eta = eta.map_or_else(|| "--:--".to_owned(), clock);
    format!("[{}] {done}/{total} jobs | {workers} workers | {mflops:.1} MFLOPS | ETA {eta}", bar(done, total))
}

fn bar(done: u64, total: u64) -> String {
    let share = if total == 0 { 0.0 } else { done as f64 / total as f64 };
    let full = (0..BAR_WIDTH).take_while(|cell| ((cell + 1) as f64) <= share * BAR_WIDTH as f64).count();
    "#".repeat(full) + &"-".repeat(BAR_WIDTH - full)
}

/// `minutes:seconds`.
pub(super) fn clock(time: Duration) -> String {
    let seconds = time.as_secs_f64().round();
    format!("{:.0}:{:02.0}", (seconds / 60.0).floor(), seconds % 60.0)
}

/// How fast jobs end, from the first one on.
#[derive(Debug, Default)]
pub(super) struct Rate {
    /// When the first jobs were seen done, and how many.
    start: Option<(Instant, u64)>,
    /// When the number last changed, and to what.
    last: Option<(Instant, u64)>,
}

impl Rate {
    /// Notes that `done` jobs had ended at `now`.
    pub(super) fn note(&mut self, done: u64, now: Instant) {
        if done > 0 {
            self.start.get_or_insert((now, done));
        }
        if self.last.is_none_or(|(_, before)| before != done) {
            self.last = Some((now, done));
        }
    }

    /// The time left for `total` jobs.
    pub(super) fn eta(&self, total: u64, now: Instant) -> Option<Duration> {
        let ((began, first), (_, done)) = (self.start?, self.last?);
        let since = done.saturating_sub(first);
        if since == 0 {
            return None;
        }
        Some((now - began).mul_f64(total.saturating_sub(done) as f64 / since as f64))
    }

    /// How long nothing has changed.
    pub(super) fn still_for(&self, now: Instant) -> Duration {
        self.last.map_or(Duration::ZERO, |(then, _)| now - then)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_it_all() {
        let eta = Some(Duration::from_secs(12));
        let shown = line(&Snapshot { done: 500, total: 1000, workers: 2, mflops: 123.45, eta });
        let half = "#".repeat(15) + &"-".repeat(15);
        assert_eq!(shown, format!("[{half}] 500/1000 jobs | 2 workers | 123.5 MFLOPS | ETA 0:12"));
    }

    #[test]
    fn the_bar_is_empty_without_jobs_and_full_at_the_end_only() {
        assert_eq!(bar(0, 0), "-".repeat(30));
        assert_eq!(bar(999, 1000), "#".repeat(29) + "-");
        assert_eq!(bar(1000, 1000), "#".repeat(30));
    }

    #[test]
    fn clocks() {
        let table = [(0, "0:00"), (59, "0:59"), (60, "1:00"), (3725, "62:05")];
        for (seconds, shown) in table {
            assert_eq!(clock(Duration::from_secs(seconds)), shown);
        }
    }

    #[test]
    fn the_pace_counts_from_the_first_job() {
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let mut rate = Rate::default();
        rate.note(0, at(0));
        assert_eq!(rate.eta(100, at(5)), None);
        rate.note(10, at(10));
        assert_eq!(rate.eta(100, at(10)), None);
        rate.note(30, at(20));
        assert_eq!(rate.eta(100, at(20)), Some(Duration::from_secs(35)));
        rate.note(30, at(29));
        assert_eq!(rate.still_for(at(29)), Duration::from_secs(9));
    }
}
