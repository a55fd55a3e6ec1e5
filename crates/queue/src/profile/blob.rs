//! A profile as the bytes that are kept with a run's end: CBOR with numbered fields, as the other facts of runs.
//!
//! What is read is checked, whoever wrote it: whatever comes out can be drawn.

use super::facts::{LaneFacts, ProfileFacts};
use super::grid::{Grid, MAX_BINS, MAX_LANES, MAX_MOMENT_MS, MAX_SHARES};

/// Bytes of a profile: 512 bins of 29 at most, 256 lanes of 300, 256 shares of the rest of 9, and what is around them.
pub const MAX_PROFILE_BYTES: usize = 96 * 1024;

/// Why bytes are not a profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnreadableProfile {
    #[error("a profile has at most {MAX_PROFILE_BYTES} bytes, these are {0}")]
    TooLarge(usize),
    #[error("this is not the CBOR of a profile: {0}")]
    NotCbor(String),
    #[error("{0} of this profile cannot be")]
    OutOfBounds(&'static str),
}

impl ProfileFacts {
    /// At most [`MAX_PROFILE_BYTES`].
    pub fn to_bytes(&self) -> Vec<u8> {
        // A `Vec` takes every byte.
        minicbor::to_vec(self).unwrap_or_default()
    }

    /// # Errors
    /// The bytes are not what [`to_bytes`](Self::to_bytes) writes, but for fields that a later release has added.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self, UnreadableProfile> {
        if bytes.len() > MAX_PROFILE_BYTES {
            return Err(UnreadableProfile::TooLarge(bytes.len()));
        }
        let mut decoder = minicbor::Decoder::new(bytes);
        let facts: Self = decoder.decode().map_err(|error| UnreadableProfile::NotCbor(error.to_string()))?;
        if decoder.position() < bytes.len() {
            return Err(UnreadableProfile::NotCbor("something follows it".into()));
        }
        facts.fault().map_or(Ok(facts), |what| Err(UnreadableProfile::OutOfBounds(what)))
    }

    /// How many pairs of bins there are, on the grid of lanes.
    fn pairs(&self) -> usize {
        // Bins that begin with the second of a pair reach into one pair more.
        self.bins.len().saturating_add(usize::from(self.first.rem_euclid(2) == 1)).div_ceil(2)
    }

    /// What cannot be.
    fn fault(&self) -> Option<&'static str> {
        let begin = self.first.checked_mul(i64::try_from(self.width_ms).unwrap_or(i64::MAX));
        let lanes = &self.lanes;
        let rows = [
            ("the width", Grid::of_width_ms(self.width_ms).is_some()),
            ("the number of bins", self.bins.len() <= MAX_BINS && self.pairs() <= MAX_SHARES),
            ("the first bin", begin.is_some_and(|begin| is_moment(begin.saturating_abs()))),
            ("the first hand-out", is_moment(self.began)),
            ("the last result", is_moment(self.ended)),
            (
                "the operations of a bin",
                self.bins.iter().all(|bin| bin.flops.is_finite() && bin.flops >= 0.0),
            ),
            ("the number of lanes", lanes.len() <= MAX_LANES),
            ("the order of lanes", lanes.is_sorted_by(|one, next| one.key() < next.key())),
            ("a lane", lanes.iter().all(|lane| lane.fits(self.pairs()))),
            ("the rest", self.rest.is_empty() || self.rest.len() == self.pairs()),
        ];
        rows.into_iter().find(|(_, holds)| !holds).map(|(what, _)| what)
    }
}

impl LaneFacts {
    const fn key(&self) -> (i64, u32) {
        (self.worker, self.slot)
    }

    fn fits(&self, pairs: usize) -> bool {
        let first = usize::try_from(self.first).unwrap_or(usize::MAX);
        self.worker >= 0
            && is_moment(self.began)
            && is_moment(self.ended)
            && first.saturating_add(self.shares.len()) <= pairs
    }
}

fn is_moment(ms: i64) -> bool {
    (0..=MAX_MOMENT_MS).contains(&ms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::BinFacts;

    fn lane(worker: i64, slot: u32) -> LaneFacts {
        LaneFacts {
            worker,
            slot,
            began: MAX_MOMENT_MS,
            ended: MAX_MOMENT_MS,
            first: 0,
            shares: vec![255; MAX_SHARES],
        }
    }

    /// The largest profile there can be: each number as large as it gets.
    fn largest() -> ProfileFacts {
        let width_ms = 250 << 36;
        let bin = BinFacts { flops: 0.1, busy_us: u64::MAX, jobs: u32::MAX, errors: u32::MAX };
        ProfileFacts {
            width_ms,
            first: -6,
            began: MAX_MOMENT_MS,
            ended: MAX_MOMENT_MS,
            bins: vec![bin; MAX_BINS],
            lanes: (0..256).map(|slot| lane(i64::MAX, u32::MAX - 255 + slot)).collect(),
            rest: vec![u64::MAX; MAX_SHARES],
        }
    }

    #[test]
    fn the_largest_is_read_back_and_within_the_bound() {
        let bytes = largest().to_bytes();
        assert!(bytes.len() <= MAX_PROFILE_BYTES, "{}", bytes.len());
        assert_eq!(ProfileFacts::of_bytes(&bytes), Ok(largest()));
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        type Change = fn(&mut ProfileFacts);
        let rows: [(&str, Change); 17] = [
            ("the width", |facts| facts.width_ms = 0),
            ("the width", |facts| facts.width_ms = 300),
            ("the width", |facts| facts.width_ms = u64::MAX),
            ("the number of bins", |facts| facts.bins.push(BinFacts::default())),
            ("the number of bins", |facts| facts.first += 1),
            ("the first bin", |facts| facts.first = i64::MAX - 1),
            ("the first bin", |facts| facts.first = i64::MIN),
            ("the first hand-out", |facts| facts.began = -1),
            ("the last result", |facts| facts.ended += 1),
            ("the operations of a bin", |facts| facts.bins[7].flops = f64::NAN),
            ("the operations of a bin", |facts| facts.bins[7].flops = -1.0),
            ("the number of lanes", |facts| facts.lanes.insert(0, lane(1, 1))),
            ("the order of lanes", |facts| facts.lanes.swap(0, 1)),
            ("a lane", |facts| facts.lanes[0].worker = -1),
            ("a lane", |facts| facts.lanes[0].first = 1),
            ("a lane", |facts| facts.lanes[0].shares.push(0)),
            ("the rest", |facts| facts.rest.truncate(9)),
        ];
        for (what, change) in rows {
            let mut facts = largest();
            change(&mut facts);
            let read = ProfileFacts::of_bytes(&facts.to_bytes());
            assert_eq!(read, Err(UnreadableProfile::OutOfBounds(what)));
        }
    }

    #[test]
    fn bytes_that_are_not_a_profile_are_refused_in_words() {
        let bytes = largest().to_bytes();
        let longer = [&bytes[..], b"\x00"].concat();
        for wrong in
            [&b""[..], b"{}", b"\x80", b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff", &bytes[..99], &longer]
        {
            let read = ProfileFacts::of_bytes(wrong);
            assert!(matches!(read, Err(UnreadableProfile::NotCbor(_))), "{wrong:?} {read:?}");
        }
        let large = vec![0; MAX_PROFILE_BYTES + 1];
        assert_eq!(ProfileFacts::of_bytes(&large), Err(UnreadableProfile::TooLarge(large.len())));
    }
}
