//! What all workers are told of how often to be in contact, and the lease that goes with it.
//!
//! Decides when a change is worth telling, and keeps a lease long until nobody lives by the longer interval any more.

use weevil_model::Timestamp;

use super::interval::Interval;

/// A heartbeat takes at most so many times its default.
pub const MAX_STRETCH: u32 = 6;
/// How long a plain worker waits, by default, after a dequeue that brought nothing, milliseconds.
pub const DEQUEUE_MS: u32 = 1_000;
/// A change of a heartbeat by less than one in so many is not told: telling it is load as well.
const WORTH_TELLING: u32 = 4;

/// How the pace follows from the number of workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pacing {
    heartbeat: Interval,
    dequeue: Interval,
    lease_ms: u32,
}

/// What holds for every worker at one moment. All times in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    pub heartbeat_ms: u32,
    /// How long to wait after a dequeue that brought nothing.
    pub dequeue_ms: u32,
    /// Jobs to ask for with one dequeue.
    pub batch: u32,
    /// A lease that no heartbeat renews ends after this time.
    pub lease_ms: u32,
    /// Until when the lease is kept longer than the heartbeat needs.
    kept_until: Timestamp,
}

impl Pacing {
    /// `heartbeat_ms` and `lease_ms` hold up to `threshold` workers; each one above adds `rate_ms`.
    pub fn new(heartbeat_ms: u32, lease_ms: u32, threshold: u32, rate_ms: u32) -> Self {
        let longest_ms = heartbeat_ms.saturating_mul(MAX_STRETCH);
        let heartbeat = Interval { default_ms: heartbeat_ms, threshold, rate_ms, longest_ms };
        // Who holds nothing is heard of by its dequeues alone: they stay within the shortest lease.
        let dequeue = Interval { default_ms: DEQUEUE_MS, longest_ms: heartbeat_ms, ..heartbeat };
        Self { heartbeat, dequeue, lease_ms }
    }

    /// What holds while there are few workers.
    pub fn calm(&self) -> Pace {
        Pace {
            heartbeat_ms: self.heartbeat.default_ms,
            dequeue_ms: self.dequeue.default_ms,
            batch: 1,
            lease_ms: self.lease_ms,
            kept_until: Timestamp(0),
        }
    }

    /// What holds from `now` on, among so many workers, where `told` has held until now.
    pub fn next(&self, told: Pace, workers: u32, now: Timestamp) -> Pace {
        let heartbeat_ms = self.heartbeat_after(told.heartbeat_ms, workers);
        let (lease_ms, kept_until) = self.lease_after(told, heartbeat_ms, now);
        let (dequeue_ms, batch) = (self.dequeue.interval_ms(workers), self.dequeue.batch(workers));
        Pace { heartbeat_ms, dequeue_ms, batch, lease_ms, kept_until }
    }

    /// The way back to the default always ends there, however small its last step.
    fn heartbeat_after(&self, told_ms: u32, workers: u32) -> u32 {
        let fitting_ms = self.heartbeat.interval_ms(workers);
        let small = fitting_ms.abs_diff(told_ms) <= told_ms / WORTH_TELLING;
        if small && fitting_ms > self.heartbeat.default_ms { told_ms } else { fitting_ms }
    }

    /// A longer lease holds at once. A shorter one only when a longer one that began with the old interval has ended:
    /// by then everybody has heard of the new interval, or was silent for a whole lease.
    fn lease_after(&self, told: Pace, heartbeat_ms: u32, now: Timestamp) -> (u32, Timestamp) {
        let fitting_ms = self.lease_for(heartbeat_ms);
        if fitting_ms >= told.lease_ms {
            return (fitting_ms, now);
        }
        let quickens = heartbeat_ms < told.heartbeat_ms;
        let kept_until = if quickens { now.plus_ms(told.lease_ms.into()) } else { told.kept_until };
        if now < kept_until { (told.lease_ms, kept_until) } else { (fitting_ms, now) }
    }

    /// As many heartbeats long as by default.
    fn lease_for(&self, heartbeat_ms: u32) -> u32 {
        let stretched = u64::from(self.lease_ms) * u64::from(heartbeat_ms);
        let lease_ms = stretched.div_ceil(u64::from(self.heartbeat.default_ms.max(1)));
        u32::try_from(lease_ms).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual() -> Pacing {
        Pacing::new(20_000, 60_000, 1_000, 10)
    }

    /// Heartbeat and lease after each number of workers, from the default on, a second between two.
    fn story(numbers: &[u32]) -> Vec<(u32, u32)> {
        let mut pace = usual().calm();
        let paces = (1..).zip(numbers).map(|(second, workers)| {
            pace = usual().next(pace, *workers, Timestamp(second * 1_000));
            (pace.heartbeat_ms, pace.lease_ms)
        });
        paces.collect()
    }

    #[test]
    fn small_changes_are_not_told_but_the_way_back_ends_at_the_default() {
        for (numbers, heartbeats) in [
            (&[999, 1_000, 1_001, 1_500][..], &[20_000, 20_000, 20_000, 20_000][..]),
            (&[1_501, 1_502, 1_500, 1_001], &[25_010, 25_010, 25_010, 25_010]),
            (&[1_501, 1_000, 1_001], &[25_010, 20_000, 20_000]),
            (&[5_000, 6_499, 6_501, 3_000, 0], &[60_000, 60_000, 75_010, 40_000, 20_000]),
            (&[10_000, u32::MAX], &[110_000, 110_000]),
            (&[u32::MAX, 0], &[120_000, 20_000]),
        ] {
            let told: Vec<u32> = story(numbers).into_iter().map(|pace| pace.0).collect();
            assert_eq!(told, heartbeats, "{numbers:?}");
        }
    }

    #[test]
    fn a_lease_grows_at_once_and_shrinks_a_whole_lease_after_its_heartbeat() {
        let pacing = usual();
        let mut pace = pacing.calm();
        for (at, workers, heartbeat_ms, lease_ms) in [
            (0, 1_000, 20_000, 60_000),
            (1_000, 5_000, 60_000, 180_000),
            (2_000, 3_000, 40_000, 180_000),
            (181_999, 3_000, 40_000, 180_000),
            (182_000, 3_000, 40_000, 120_000),
            (183_000, 1_000, 20_000, 120_000),
            (203_000, 5_000, 60_000, 180_000),
            (204_000, 1_000, 20_000, 180_000),
            (300_000, 2_000, 30_000, 180_000),
            (300_001, 1_000, 20_000, 180_000),
            (480_000, 1_000, 20_000, 180_000),
            (480_001, 1_000, 20_000, 60_000),
        ] {
            pace = pacing.next(pace, workers, Timestamp(at));
            assert_eq!((pace.heartbeat_ms, pace.lease_ms), (heartbeat_ms, lease_ms), "{at} {workers}");
        }
    }

    #[test]
    fn dequeues_follow_every_change_and_stay_within_a_heartbeat() {
        for (workers, dequeue_ms, batch) in [(0, 1_000, 1), (1_100, 2_000, 2), (u32::MAX, 20_000, 20)] {
            let pace = usual().next(usual().calm(), workers, Timestamp(0));
            assert_eq!((pace.dequeue_ms, pace.batch), (dequeue_ms, batch), "{workers}");
        }
    }

    #[test]
    fn every_heartbeat_comes_within_its_lease() {
        for (heartbeat_ms, lease_ms) in [(1, 2), (20_000, 60_000), (59_000, 60_000), (u32::MAX - 1, u32::MAX)]
        {
            let pacing = Pacing::new(heartbeat_ms, lease_ms, 0, 7);
            let mut pace = pacing.calm();
            for (now, workers) in [0, 1, 10, 4_000, 100_000, 300, u32::MAX, 0].into_iter().enumerate() {
                pace = pacing.next(pace, workers, Timestamp(i64::try_from(now).unwrap()));
                assert!(pace.heartbeat_ms < pace.lease_ms || pace.lease_ms == u32::MAX, "{pace:?}");
            }
        }
    }
}
