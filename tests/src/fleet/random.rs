//! Chance that repeats: the same seed and worker draw the same numbers (`SplitMix64`; Steele, Lea, Flood 2014).

use std::ops::Range;
use std::time::Duration;

/// Draws numbers.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// What a worker draws; a test draws as worker 0 of its own seed.
    pub const fn new(seed: u64, worker: u64) -> Self {
        Self(seed ^ worker.wrapping_mul(0xD134_2543_DE82_EF95))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// From 0 to below 1.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(super) fn happens(&mut self, chance: f64) -> bool {
        self.share() < chance
    }

    pub(super) fn between(&mut self, range: &Range<Duration>) -> Duration {
        range.start + range.end.saturating_sub(range.start).mul_f64(self.share())
    }

    pub(super) fn bytes(&mut self, count: usize) -> Vec<u8> {
        std::iter::repeat_with(|| self.next().to_le_bytes()).flatten().take(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_and_worker_draw_the_same() {
        let draw = |seed, worker| Random::new(seed, worker).bytes(16);
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
        let second = Duration::from_secs(1)..Duration::from_secs(2);
        let mut random = Random::new(7, 0);
        assert!((0..1000).all(|_| second.contains(&random.between(&second))));
        assert!((0..1000).all(|_| !random.happens(0.0)));
    }
}
