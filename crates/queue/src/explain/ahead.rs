//! How many jobs are handed out before one, as far as they are counted. Only arithmetic.

/// Jobs ahead are counted up to here: nobody waits for the answer to whether it is a million.
pub const MAX_AHEAD: u32 = 10_000;

/// Jobs that are handed out first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ahead {
    pub jobs: u32,
    /// There are more, which nobody counted.
    pub more: bool,
}

impl Ahead {
    /// From a count that may have gone on beyond [`MAX_AHEAD`].
    pub fn of(jobs: u64) -> Self {
        let counted = u32::try_from(jobs).unwrap_or(u32::MAX).min(MAX_AHEAD);
        Self { jobs: counted, more: jobs > MAX_AHEAD.into() }
    }

    /// Seconds until they are handed out, at so many jobs a second; at least, where there are more. `None` while nothing is
    /// handed out.
    pub fn seconds(self, rate: f64) -> Option<f64> {
        Some(f64::from(self.jobs) / rate).filter(|seconds| seconds.is_finite() && *seconds >= 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_stops_and_time_follows_from_the_rate() {
        for (jobs, rate, ahead, seconds) in [
            (0, 30.0, Ahead { jobs: 0, more: false }, Some(0.0)),
            (1_200, 30.0, Ahead { jobs: 1_200, more: false }, Some(40.0)),
            (10_000, 100.0, Ahead { jobs: 10_000, more: false }, Some(100.0)),
            (10_001, 100.0, Ahead { jobs: 10_000, more: true }, Some(100.0)),
            (u64::MAX, 0.0, Ahead { jobs: 10_000, more: true }, None),
            (7, -1.0, Ahead { jobs: 7, more: false }, None),
            (7, f64::NAN, Ahead { jobs: 7, more: false }, None),
            (0, 0.0, Ahead { jobs: 0, more: false }, None),
        ] {
            assert_eq!(Ahead::of(jobs), ahead, "{jobs}");
            assert_eq!(ahead.seconds(rate), seconds, "{jobs} {rate}");
        }
    }
}
