//! A profile as it is shown, and kept with its run's end: numbers alone. How they become bytes is said in `blob.rs`.

use minicbor::{Decode, Encode};
use weevil_model::WorkerId;

use super::bins::Bin;
use super::gather::{Profile, pair};
use super::grid::Index;
use super::lanes::Lane;
use super::series::Series;

/// The share of a slot that was busy all the time.
const ALL: u64 = 255;

/// What a run computed, over time.
#[derive(Debug, Clone, PartialEq, Encode, Decode)]
pub struct ProfileFacts {
    /// Milliseconds of a bin.
    #[n(0)]
    pub width_ms: u64,
    /// When the first bin begins, in bins since 1970. Bins begin at whole multiples of their width, not with the run.
    #[n(1)]
    pub first: i64,
    /// Milliseconds since 1970 of the first hand-out.
    #[n(2)]
    pub began: i64,
    /// Milliseconds since 1970 of the last result.
    #[n(3)]
    pub ended: i64,
    #[n(4)]
    pub bins: Vec<BinFacts>,
    /// In the order of workers and slots.
    #[n(5)]
    pub lanes: Vec<LaneFacts>,
    /// Microseconds that slots without a lane were busy, in each pair of bins; empty where there are no such slots.
    #[cbor(n(6), skip_if = "Vec::is_empty")]
    pub rest: Vec<u64>,
}

/// What was done within one bin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Encode, Decode)]
pub struct BinFacts {
    /// Floating-point operations.
    #[n(0)]
    pub flops: f64,
    /// Microseconds inside jobs' code, over all slots.
    #[n(1)]
    pub busy_us: u64,
    /// Jobs that ended with a value.
    #[n(2)]
    pub jobs: u32,
    /// Attempts that ended without one.
    #[n(3)]
    pub errors: u32,
}

/// What one slot did.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub struct LaneFacts {
    /// The number of its worker.
    #[n(0)]
    pub worker: i64,
    #[n(1)]
    pub slot: u32,
    /// Milliseconds since 1970 of its first hand-out.
    #[n(2)]
    pub began: i64,
    /// Milliseconds since 1970 of its last result.
    #[n(3)]
    pub ended: i64,
    /// Which pair of bins the first share stands for, from 0.
    #[n(4)]
    pub first: u32,
    /// How busy it was in each pair of bins from there on: 0 not at all, 255 all the time.
    #[cbor(n(5), with = "minicbor::bytes")]
    pub shares: Vec<u8>,
}

impl BinFacts {
    pub(super) const fn of(bin: &Bin) -> Self {
        Self { flops: bin.flops as f64, busy_us: bin.busy_us, jobs: bin.jobs, errors: bin.errors }
    }
}

impl Profile {
    /// The profile as it stands.
    pub fn facts(&self) -> ProfileFacts {
        let (began, ended) = self.ends.unwrap_or_default();
        let first = self.bins.reach().map_or(0, |(first, _)| first);
        ProfileFacts {
            width_ms: self.grid.width_ms(),
            first,
            began: began.0,
            ended: ended.0,
            bins: self.bins.iter().map(|(_, bin)| BinFacts::of(bin)).collect(),
            lanes: self.lanes.iter().map(|(slot, lane)| self.lane(slot, lane, pair(first))).collect(),
            rest: if self.lanes.has_rest() { self.rest() } else { Vec::new() },
        }
    }

    fn lane(&self, (worker, slot): &(WorkerId, u32), lane: &Lane, first: Index) -> LaneFacts {
        let width_us = self.grid.coarser().width_us().unsigned_abs();
        let begin = lane.busy.reach().map_or(first, |(begin, _)| begin);
        LaneFacts {
            worker: worker.number(),
            slot: *slot,
            began: lane.began.0,
            ended: lane.ended.0,
            first: u32::try_from(begin.saturating_sub(first)).unwrap_or(0),
            shares: lane.busy.iter().map(|(_, busy)| share(*busy, width_us)).collect(),
        }
    }

    /// What the bins hold beyond the lanes.
    fn rest(&self) -> Vec<u64> {
        let mut all = Series::default();
        for (index, bin) in self.bins.iter() {
            all.add(pair(index), bin.busy_us);
        }
        for (_, lane) in self.lanes.iter() {
            for (index, busy_us) in lane.busy.iter() {
                all.take(index, *busy_us);
            }
        }
        all.iter().map(|(_, busy_us)| *busy_us).collect()
    }
}

/// A slot that was busy at all shows it.
fn share(busy_us: u64, width_us: u64) -> u8 {
    let parts = u128::from(busy_us) * u128::from(ALL) / u128::from(width_us.max(1));
    u8::try_from(parts).unwrap_or(u8::MAX).max(u8::from(busy_us > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_whole_width() {
        for (busy_us, width_us, expected) in [
            (0, 500_000, 0),
            (1, 500_000, 1),
            (250_000, 500_000, 127),
            (499_999, 500_000, 254),
            (500_000, 500_000, 255),
            (u64::MAX, 500_000, 255),
            (u64::MAX, u64::MAX, 255),
        ] {
            assert_eq!(share(busy_us, width_us), expected, "{busy_us} {width_us}");
        }
    }
}
