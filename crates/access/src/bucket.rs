//! Rates: a bucket for each subject, which each request empties and a minute fills up again.
//!
//! It knows no requests; what a subject is, is the caller's word. Its memory is bounded and ends with the server.

use std::hash::Hash;

use weevil_model::Timestamp;

use crate::limits::MAX_BUCKETS;
use crate::recent::Recent;

const MINUTE_MS: u64 = 60_000;

/// What is left to a subject: the figures that an answer tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// Whole requests that could follow at once.
    pub remaining: u64,
    /// Milliseconds until the bucket is full again.
    pub full_in_ms: u64,
}

/// The bucket is empty: so many milliseconds later there is enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Empty {
    pub level: Level,
    pub retry_in_ms: u64,
}

/// A bucket for each of 100,000 subjects; beyond that for those that asked last.
#[derive(Debug)]
pub struct Buckets<S>(Recent<S, Spent>);

/// What of a bucket has not come back at some moment, in parts of 1/60,000: a millisecond brings back whole ones.
#[derive(Debug, Default, Clone, Copy)]
struct Spent {
    parts: u64,
    at: Timestamp,
}

impl<S: Copy + Eq + Hash> Default for Buckets<S> {
    fn default() -> Self {
        Self(Recent::new(MAX_BUCKETS))
    }
}

impl<S: Copy + Eq + Hash> Buckets<S> {
    /// Takes so much from a subject's bucket, which holds `a_minute` and gets as much back in a minute.
    pub fn take(&mut self, subject: S, a_minute: u32, amount: u32, now: Timestamp) -> Result<Level, Empty> {
        let a_minute = u64::from(a_minute.max(1));
        let most = a_minute * MINUTE_MS;
        let spent = self.0.entry(subject);
        let passed = u64::try_from(now.since(spent.at)).unwrap_or(0);
        let before = spent.parts.saturating_sub(passed.saturating_mul(a_minute));
        let after = before + u64::from(amount) * MINUTE_MS;
        let fits = after <= most;
        *spent = Spent { parts: if fits { after } else { before }, at: now.max(spent.at) };
        let remaining = most.saturating_sub(spent.parts) / MINUTE_MS;
        let level = Level { remaining, full_in_ms: spent.parts.div_ceil(a_minute) };
        if fits { Ok(level) } else { Err(Empty { level, retry_in_ms: (after - most).div_ceil(a_minute) }) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_with_time() {
        let mut buckets = Buckets::default();
        for (now, amount, expected) in [
            (0, 1, Ok(Level { remaining: 59, full_in_ms: 1000 })),
            (0, 59, Ok(Level { remaining: 0, full_in_ms: 60_000 })),
            (0, 1, Err(Empty { level: Level { remaining: 0, full_in_ms: 60_000 }, retry_in_ms: 1000 })),
            (999, 1, Err(Empty { level: Level { remaining: 0, full_in_ms: 59_001 }, retry_in_ms: 1 })),
            (1000, 1, Ok(Level { remaining: 0, full_in_ms: 60_000 })),
            (31_000, 0, Ok(Level { remaining: 30, full_in_ms: 30_000 })),
            // A clock that was set back brings nothing back, and takes nothing.
            (0, 1, Ok(Level { remaining: 29, full_in_ms: 31_000 })),
            (31_000, 0, Ok(Level { remaining: 29, full_in_ms: 31_000 })),
            (600_000, 60, Ok(Level { remaining: 0, full_in_ms: 60_000 })),
        ] {
            assert_eq!(buckets.take("ada", 60, amount, Timestamp(now)), expected, "{amount} at {now}");
        }
    }

    #[test]
    fn each_subject_has_a_bucket_of_its_own() {
        let mut buckets = Buckets::default();
        assert!(buckets.take("ada", 1, 1, Timestamp(0)).is_ok());
        assert!(buckets.take("bob", 1, 1, Timestamp(0)).is_ok());
        assert!(buckets.take("ada", 1, 1, Timestamp(0)).is_err());
    }

    #[test]
    fn the_subject_that_asked_longest_ago_makes_room() {
        let mut buckets = Buckets::default();
        let subjects = 0..=u32::try_from(MAX_BUCKETS).unwrap();
        assert!(subjects.clone().all(|subject| buckets.take(subject, 1, 1, Timestamp(0)).is_ok()));
        assert!(buckets.take(1, 1, 1, Timestamp(0)).is_err());
        assert!(buckets.take(0, 1, 1, Timestamp(0)).is_ok());
    }

    #[test]
    fn a_rate_that_was_lowered_holds_at_once() {
        let mut buckets = Buckets::default();
        assert!(buckets.take("ada", 600, 100, Timestamp(0)).is_ok());
        let empty = Empty { level: Level { remaining: 0, full_in_ms: 600_000 }, retry_in_ms: 546_000 };
        assert_eq!(buckets.take("ada", 10, 1, Timestamp(0)), Err(empty));
    }

    proptest! {
        #[test]
        fn no_minute_sees_more_than_two_buckets(
            gaps in prop::collection::vec((0..5000_i64, 0..4_u32), 0..300), a_minute in 1..90_u32,
        ) {
            let mut buckets = Buckets::default();
            let (mut now, mut taken) = (0, Vec::new());
            for (gap, amount) in gaps {
                now += gap;
                if buckets.take((), a_minute, amount, Timestamp(now)).is_ok() {
                    taken.push((now, u64::from(amount)));
                }
            }
            for (from, _) in &taken {
                let within = taken.iter().filter(|(at, _)| (*from..*from + 60_000).contains(at));
                prop_assert!(within.map(|(_, amount)| amount).sum::<u64>() <= 2 * u64::from(a_minute));
            }
        }

        #[test]
        fn whoever_waits_as_told_is_let_in(takes in prop::collection::vec(0..3000_i64, 1..100), a_minute in 1..90_u32) {
            let mut buckets = Buckets::default();
            let mut now = 0;
            for gap in takes {
                now += gap;
                if let Err(empty) = buckets.take((), a_minute, 1, Timestamp(now)) {
                    now += i64::try_from(empty.retry_in_ms).unwrap();
                    prop_assert!(buckets.take((), a_minute, 1, Timestamp(now)).is_ok());
                }
            }
        }
    }
}
