//! How often a worker is in contact: seldom where there are many, and then with more jobs at a time.
//!
//! Knows one kind of contact and the number of workers; who is told of it and when, `pace` decides.

/// "A constant *default* sets the default communication frequency [..] *threshold* governs how many workers are
/// connected before the reduction can take effect [..] *rate* governs how much reduction should be applied" (thesis
/// 5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// Milliseconds between two contacts while there are few workers.
    pub default_ms: u32,
    /// Workers up to which nothing changes.
    pub threshold: u32,
    /// Milliseconds that each worker above the threshold adds.
    pub rate_ms: u32,
    /// Milliseconds that it never exceeds, unless the default does.
    pub longest_ms: u32,
}

impl Interval {
    /// Milliseconds between two contacts of one worker, among so many.
    pub fn interval_ms(self, workers: u32) -> u32 {
        let above = workers.saturating_sub(self.threshold);
        let longer = self.default_ms.saturating_add(above.saturating_mul(self.rate_ms));
        longer.min(self.longest_ms.max(self.default_ms))
    }

    /// Jobs that one contact should bring, so that fewer contacts bring as many: one while there are few workers.
    pub fn batch(self, workers: u32) -> u32 {
        self.interval_ms(workers).div_ceil(self.default_ms.max(1)).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_become_seldom_above_the_threshold_within_bounds() {
        let usual = Interval { default_ms: 1_000, threshold: 100, rate_ms: 10, longest_ms: 20_000 };
        let never = Interval { rate_ms: 0, ..usual };
        let long = Interval { longest_ms: 500, ..usual };
        let steep = Interval { rate_ms: u32::MAX, ..usual };
        let none = Interval { default_ms: 0, threshold: 0, rate_ms: 0, longest_ms: 0 };
        for (contact, workers, interval_ms, batch) in [
            (usual, 0, 1_000, 1),
            (usual, 99, 1_000, 1),
            (usual, 100, 1_000, 1),
            (usual, 101, 1_010, 2),
            (usual, 200, 2_000, 2),
            (usual, 1_000, 10_000, 10),
            (usual, 2_000, 20_000, 20),
            (usual, u32::MAX, 20_000, 20),
            (never, u32::MAX, 1_000, 1),
            (long, u32::MAX, 1_000, 1),
            (steep, 102, 20_000, 20),
            (none, 9, 0, 1),
        ] {
            let found = (contact.interval_ms(workers), contact.batch(workers));
            assert_eq!(found, (interval_ms, batch), "{workers} workers, {contact:?}");
        }
    }
}
