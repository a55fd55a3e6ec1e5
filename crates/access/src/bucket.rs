//! Rates: a bucket of tokens for each subject, which fills up again within a minute.
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

/// Buckets of one rate; of more than 100,000 subjects those that asked last.
#[derive(Debug)]
pub struct Buckets<S> {
    a_minute: u64,
    spent: Recent<S, Spent>,
}

/// What of a bucket has not come back at some moment, in parts of 1/60,000: a millisecond brings back whole ones.
#[derive(Debug, Default, Clone, Copy)]
struct Spent {
    parts: u64,
    at: Timestamp,
}

impl<S: Copy + Eq + Hash> Buckets<S> {
    /// Buckets that hold so much, and get as much back in a minute.
    pub fn new(a_minute: u32) -> Self {
        Self { a_minute: u64::from(a_minute), spent: Recent::new(MAX_BUCKETS) }
    }

    /// Takes so much from a subject's bucket, unless there is less.
    pub fn take(&mut self, subject: S, amount: u32, now: Timestamp) -> Result<Level, Empty> {
        let a_minute = self.a_minute;
        let most = a_minute * MINUTE_MS;
        let spent = self.spent.entry(subject);
        let passed = u64::try_from(now.since(spent.at)).unwrap_or(0);
        let before = spent.parts.saturating_sub(passed.saturating_mul(a_minute));
        let after = before + u64::from(amount) * MINUTE_MS;
        let fits = after <= most;
        *spent = Spent { parts: if fits { after } else { before }, at: now.max(spent.at) };
        let level = Level {
            remaining: (most - spent.parts) / MINUTE_MS,
            full_in_ms: spent.parts.div_ceil(a_minute.max(1)),
        };
        if fits {
            Ok(level)
        } else {
            Err(Empty { level, retry_in_ms: (after - most).div_ceil(a_minute.max(1)) })
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_with_time() {
        let mut buckets = Buckets::new(60);
        for (now, amount, expected) in [
            (0, 1, Ok(Level { remaining: 59, full_in_ms: 1000 })),
            (0, 59, Ok(Level { remaining: 0, full_in_ms: 60_000 })),
            (0, 1, Err(Empty { level: Level { remaining: 0, full_in_ms: 60_000 }, retry_in_ms: 1000 })),
            (999, 1, Err(Empty { level: Level { remaining: 0, full_in_ms: 59_001 }, retry_in_ms: 1 })),
            (1000, 1, Ok(Level { remaining: 0, full_in_ms: 60_000 })),
            (31_000, 0, Ok(Level { remaining: 30, full_in_ms: 30_000 })),
            // A clock that was set back brings nothing back, and takes nothing.
            (0, 1, Ok(Level { remaining: 29, full_in_ms: 31_000 })),
            (600_000, 60, Ok(Level { remaining: 0, full_in_ms: 60_000 })),
        ] {
            assert_eq!(buckets.take("ada", amount, Timestamp(now)), expected, "{amount} at {now}");
        }
    }

    #[test]
    fn each_subject_has_a_bucket_of_its_own() {
        let mut buckets = Buckets::new(1);
        assert!(buckets.take("ada", 1, Timestamp(0)).is_ok());
        assert!(buckets.take("bob", 1, Timestamp(0)).is_ok());
        assert!(buckets.take("ada", 1, Timestamp(0)).is_err());
    }

    proptest! {
        #[test]
        fn no_minute_sees_more_than_two_buckets(
            gaps in prop::collection::vec((0..5000_i64, 0..4_u32), 0..300), a_minute in 1..90_u32,
        ) {
            let mut buckets = Buckets::new(a_minute);
            let (mut now, mut taken) = (0, Vec::new());
            for (gap, amount) in gaps {
                now += gap;
                if buckets.take((), amount, Timestamp(now)).is_ok() {
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
            let mut buckets = Buckets::new(a_minute);
            let mut now = 0;
            for gap in takes {
                now += gap;
                if let Err(empty) = buckets.take((), 1, Timestamp(now)) {
                    now += i64::try_from(empty.retry_in_ms).unwrap();
                    prop_assert!(buckets.take((), 1, Timestamp(now)).is_ok());
                }
            }
        }
    }
}
