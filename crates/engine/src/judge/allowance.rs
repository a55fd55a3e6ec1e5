//! How much of a core the server's own computing takes: a share that time earns, spent by whatever was computed.
//!
//! A module may take longer than was earned; then nothing is computed until that is earned as well.

use std::time::Duration;

use weevil_model::Timestamp;

/// How much may be earned while nothing is computed, milliseconds of time.
const EARNING_MS: i64 = 1000;

#[derive(Debug)]
pub(super) struct Allowance {
    /// A share of one core.
    percent: i64,
    /// What is earned, microseconds of computing; less than nothing where more was spent.
    left_us: i64,
    at: Timestamp,
}

impl Allowance {
    pub(super) fn new(percent: u8, now: Timestamp) -> Self {
        let percent = i64::from(percent);
        Self { percent, left_us: percent * EARNING_MS * 10, at: now }
    }

    /// A hundredth of a millisecond's microseconds is ten.
    fn earn(&mut self, now: Timestamp) {
        let earned_us = now.since(self.at).max(0).saturating_mul(self.percent * 10);
        self.left_us = self.left_us.saturating_add(earned_us).min(self.percent * EARNING_MS * 10);
        self.at = now;
    }

    /// How long until something may be computed again, milliseconds.
    pub(super) fn wait_ms(&mut self, now: Timestamp) -> i64 {
        self.earn(now);
        if self.left_us > 0 || self.percent == 0 { 0 } else { 1 - self.left_us / (self.percent * 10) }
    }

    pub(super) fn spend(&mut self, time: Duration, now: Timestamp) {
        self.earn(now);
        self.left_us = self.left_us.saturating_sub(i64::try_from(time.as_micros()).unwrap_or(i64::MAX));
    }

    /// How many that take so long are earned within so many milliseconds from now on: one at least.
    pub(super) fn affords(&mut self, each: Duration, within_ms: i64, now: Timestamp) -> u32 {
        self.earn(now);
        let earned_us = self.left_us.saturating_add(within_ms.saturating_mul(self.percent * 10)).max(0);
        let each_us = i64::try_from(each.as_micros()).unwrap_or(i64::MAX).max(1);
        u32::try_from(earned_us / each_us).unwrap_or(u32::MAX).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_has_to_be_earned() {
        for (percent, spent_ms, wait_ms) in [
            (10, 0, 0),
            (10, 99, 0),
            (10, 100, 1),
            (10, 200, 1001),
            (50, 600, 201),
            (100, 1000, 1),
            (1, 1010, 100_001),
        ] {
            let mut allowance = Allowance::new(percent, Timestamp(0));
            allowance.spend(Duration::from_millis(spent_ms), Timestamp(0));
            assert_eq!(allowance.wait_ms(Timestamp(0)), wait_ms, "{percent} {spent_ms}");
            assert_eq!(allowance.wait_ms(Timestamp(wait_ms)), 0, "{percent} {spent_ms}");
        }
    }

    #[test]
    fn over_a_long_time_its_share_is_kept() {
        for (percent, each_ms) in [(1, 7), (10, 1), (10, 500), (50, 3), (100, 20)] {
            let (mut allowance, mut now, mut done) = (Allowance::new(percent, Timestamp(0)), 0, 0);
            while now < 100_000 {
                let wait_ms = allowance.wait_ms(Timestamp(now));
                now += wait_ms.max(each_ms);
                if wait_ms == 0 {
                    allowance.spend(Duration::from_millis(each_ms.unsigned_abs()), Timestamp(now));
                    done += 1;
                }
            }
            let share = done * each_ms * 100 / now;
            assert!((share - i64::from(percent)).abs() <= 1, "{share} % of {percent}, {each_ms} ms each");
        }
    }

    #[test]
    fn nothing_is_earned_beyond_a_second_nor_by_a_clock_that_goes_back() {
        let mut allowance = Allowance::new(10, Timestamp(50_000));
        for (now, affords) in [(50_000, 10), (90_000, 10), (10_000, 10), (10_500, 10)] {
            assert_eq!(allowance.affords(Duration::from_millis(10), 0, Timestamp(now)), affords, "{now}");
        }
        allowance.spend(Duration::from_secs(9), Timestamp(10_500));
        assert_eq!(allowance.affords(Duration::from_millis(10), 1000, Timestamp(10_500)), 1, "one at least");
    }
}
