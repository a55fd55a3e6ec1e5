//! The series of samples in three widths, and the task that takes them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use weevil_engine::common::Common;
use weevil_model::Timestamp;

use super::ring::Ring;
use super::sample::Sample;
use crate::http::Depths;

/// The pause between two samples.
const EVERY: Duration = Duration::from_secs(1);
/// Seconds of a sample of the middle width.
const MIDDLE_SECONDS: usize = 10;
/// Seconds of a sample of the largest width.
const LARGE_SECONDS: usize = 300;

/// How far back somebody looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Span {
    TenMinutes,
    TwoHours,
    SevenDays,
}

impl Span {
    pub(crate) const ALL: [Self; 3] = [Self::TenMinutes, Self::TwoHours, Self::SevenDays];

    /// As an address spells it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::TenMinutes => "10m",
            Self::TwoHours => "2h",
            Self::SevenDays => "7d",
        }
    }

    /// Seconds of one sample.
    pub(crate) const fn seconds(self) -> usize {
        match self {
            Self::TenMinutes => 1,
            Self::TwoHours => MIDDLE_SECONDS,
            Self::SevenDays => LARGE_SECONDS,
        }
    }

    /// Samples that are kept: 300 kB for all three.
    const fn samples(self) -> usize {
        match self {
            Self::TenMinutes => 600,
            Self::TwoHours => 720,
            Self::SevenDays => 2016,
        }
    }
}

/// Shared by the task and whoever asks.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    /// There is nothing from before: the start of the server.
    pub since: Timestamp,
    rings: Arc<Mutex<[Ring; 3]>>,
}

impl Series {
    pub(crate) fn new(since: Timestamp) -> Self {
        let ring = |(span, wider): (Span, usize)| Ring::new(span.samples(), wider / span.seconds());
        let [small, middle, large] = Span::ALL;
        let rings = [(small, MIDDLE_SECONDS), (middle, LARGE_SECONDS), (large, LARGE_SECONDS)].map(ring);
        Self { since, rings: Arc::new(Mutex::new(rings)) }
    }

    fn rings(&self) -> MutexGuard<'_, [Ring; 3]> {
        self.rings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, sample: Sample) {
        let mut rings = self.rings();
        let mut next = Some(sample);
        for ring in rings.iter_mut() {
            let Some(sample) = next else { return };
            next = ring.take(sample);
        }
    }

    /// Oldest first.
    pub(crate) fn samples(&self, span: Span) -> Vec<Sample> {
        let rings = self.rings();
        let place = Span::ALL.iter().position(|known| *known == span).unwrap_or_default();
        rings[place].samples()
    }

    /// The last second's.
    pub(crate) fn newest(&self) -> Option<Sample> {
        self.rings()[0].newest()
    }

    /// Takes samples for as long as it is polled.
    pub(crate) async fn run(self, common: Common, depths: Depths) {
        let mut before = common.board.throughput.done();
        loop {
            common.clock.sleep(EVERY).await;
            let done = common.board.throughput.done();
            let fleet = common.board.fleet().borrow().clone();
            self.take(Sample::taken(common.clock.now(), before, done, &fleet, depths.last()));
            before = done;
        }
    }
}

#[cfg(test)]
mod tests {
    use weevil_engine::throughput::Done;

    use super::*;

    #[test]
    fn each_span_has_samples_of_its_width_and_loses_nothing() {
        let series = Series::new(Timestamp(0));
        for n in 1..=900 {
            let done = Done { jobs: 1, ..Done::default() };
            series.take(Sample { at: Timestamp(n), done, ..Sample::default() });
        }
        let told = Span::ALL.map(|span| {
            let samples = series.samples(span);
            let jobs: u64 = samples.iter().map(|sample| sample.done.jobs).sum();
            (samples.len(), samples[0].at.0, jobs)
        });
        assert_eq!(told, [(600, 301, 600), (90, 10, 900), (3, 300, 900)]);
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let series = Series::new(Timestamp(0));
        for n in 0..700_000 {
            series.take(Sample { at: Timestamp(n), ..Sample::default() });
        }
        let kept = Span::ALL.map(|span| series.samples(span).len());
        assert_eq!(kept, [600, 720, 2016]);
        let bytes = kept.iter().sum::<usize>() * size_of::<Sample>();
        assert!(bytes < 300_000, "{bytes}");
    }
}
