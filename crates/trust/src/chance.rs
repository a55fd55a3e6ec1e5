//! Chance as an argument: random bytes that a batch brings, drawn out into as many choices as its answers need.
//!
//! A batch that is tried again chooses the same. Who does not know the bytes, which are drawn after the answers came, cannot tell a
//! choice beforehand; one choice tells nothing about the next.

use std::collections::BTreeSet;

use weevil_model::ContentHash;

/// A stream of numbers: SHA-256 over the bytes, what is chosen, and a counter.
#[derive(Debug, Clone)]
pub struct Chance {
    bytes: [u8; 32],
    /// So that no two choices share any.
    subject: (&'static str, i64),
    drawn: u64,
}

impl Chance {
    /// Whether an answer to the job of this number is checked at once.
    pub const fn of_answer(bytes: [u8; 32], job: i64) -> Self {
        Self { bytes, subject: ("answer", job), drawn: 0 }
    }

    /// Which answers of the lot of this number are checked.
    pub const fn of_lot(bytes: [u8; 32], lot: i64) -> Self {
        Self { bytes, subject: ("lot", lot), drawn: 0 }
    }

    /// True once in `1 / share` times.
    pub fn happens(&mut self, share: f64) -> bool {
        // 53 bits are what a number from 0 to 1 holds.
        let number = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        number < share
    }

    /// `many` different ones of the first `of` whole numbers, each set of them equally likely, in order (Floyd's way).
    pub fn choose(&mut self, many: usize, of: usize) -> BTreeSet<usize> {
        let mut chosen = BTreeSet::new();
        for last in of.saturating_sub(many)..of {
            let one = self.below(last as u64 + 1);
            if !chosen.insert(one) {
                chosen.insert(last);
            }
        }
        chosen
    }

    /// A whole number below this one. What the division leaves uneven is less than one in 2^32 for every lot there is.
    fn below(&mut self, end: u64) -> usize {
        let wide = u128::from(self.next()) * u128::from(end);
        usize::try_from(wide >> 64).unwrap_or_default()
    }

    fn next(&mut self) -> u64 {
        let (what, number) = (self.subject.0, self.subject.1.to_le_bytes());
        let drawn = self.drawn.to_le_bytes();
        self.drawn += 1;
        ContentHash::of_parts([("chance", &self.bytes[..]), (what, &number), ("drawn", &drawn)]).seed()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_same_bytes_choose_the_same_and_others_choose_others() {
        let choices = |mut chance: Chance| chance.choose(10, 1000);
        let chosen = choices(Chance::of_lot([1; 32], 1));
        assert_eq!(choices(Chance::of_lot([1; 32], 1)), chosen);
        for other in [Chance::of_lot([2; 32], 1), Chance::of_lot([1; 32], 2), Chance::of_answer([1; 32], 1)] {
            assert_ne!(choices(other.clone()), chosen, "{other:?}");
        }
    }

    #[test]
    fn what_happens_once_in_twenty_times_does() {
        let mut chance = Chance::of_lot([7; 32], 1);
        let times = (0..10_000).filter(|_| chance.happens(0.05)).count();
        assert!((400..600).contains(&times), "{times}");
        assert!((0..100).all(|_| !chance.happens(0.0) && chance.happens(1.0)));
    }

    #[test]
    fn each_number_is_as_likely_as_any_other() {
        let mut times = [0; 10];
        for bytes in 0..4000_u32 {
            let mut seed = [0; 32];
            seed[..4].copy_from_slice(&bytes.to_le_bytes());
            for one in Chance::of_lot(seed, 1).choose(3, 10) {
                times[one] += 1;
            }
        }
        assert!(times.iter().all(|times| (1080..1320).contains(times)), "{times:?}");
    }

    proptest! {
        #[test]
        fn so_many_different_ones_are_chosen(many in 0..200_usize, of in 0..200_usize, bytes: [u8; 32]) {
            let chosen = Chance::of_lot(bytes, 3).choose(many, of);
            prop_assert_eq!(chosen.len(), many.min(of));
            prop_assert!(chosen.iter().all(|one| *one < of));
        }
    }
}
