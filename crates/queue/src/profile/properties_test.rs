//! What holds of every profile, whatever it is fed with, and what a few of them look like.

use proptest::prelude::*;
use proptest::sample::select;
use weevil_model::{Timestamp, WorkerId};

use super::*;
use crate::decide::effort::{MAX_COMPUTE_US, MAX_FLOPS_PER_SECOND};

/// Each case is hundreds of attempts.
const CASES: u32 = 48;

/// What comes to a profile.
#[derive(Debug, Clone, Copy)]
enum Fed {
    Worked(Computed),
    Failed(Timestamp),
}

fn profile<'a>(fed: impl IntoIterator<Item = &'a Fed>) -> Profile {
    let mut profile = Profile::default();
    for one in fed {
        match one {
            Fed::Worked(computed) => profile.worked(computed),
            Fed::Failed(at) => profile.failed(*at),
        }
    }
    profile
}

fn worker(number: i64) -> WorkerId {
    WorkerId::from_number(number).unwrap()
}

fn worked(slot: u32, handed_out: i64, reported: i64, compute_us: u64) -> Fed {
    let (handed_out, reported) = (Timestamp(handed_out), Timestamp(reported));
    Fed::Worked(Computed {
        worker: worker(1),
        slot,
        handed_out,
        reported,
        compute_us,
        flops: compute_us as f64,
    })
}

/// Attempts of one afternoon, and now and then of another year.
fn likely() -> impl Strategy<Value = Fed> {
    let moment = prop_oneof![20 => 0..20_000_000_i64, 1 => 0..40_000_000_000_i64];
    let flops = prop_oneof![(0..1_u64 << 40).prop_map(|flops| flops as f64), 0.0..1e21];
    (1..40_i64, 0..20_u32, moment, 0..100_000_u64, 0..=100_u64, flops, 0..10_u8).prop_map(
        |(by, slot, from, ms, percent, flops, kind)| {
            let reported = Timestamp(from).plus_ms(ms.cast_signed());
            if kind == 0 {
                return Fed::Failed(reported);
            }
            let (worker, compute_us) = (worker(by), ms * 10 * percent);
            Fed::Worked(Computed { worker, slot, handed_out: Timestamp(from), reported, compute_us, flops })
        },
    )
}

/// Whatever can stand in an attempt.
fn hostile() -> impl Strategy<Value = Fed> {
    let moment = || {
        prop_oneof![any::<i64>(), select(&[i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX][..])]
            .prop_map(Timestamp)
    };
    let compute_us = prop_oneof![any::<u64>(), select(&[0, 1, u64::MAX][..])];
    let flops = prop_oneof![prop::num::f64::ANY, select(&[f64::MAX, f64::INFINITY, f64::NAN, -1.0][..])];
    (0..=i64::MAX, any::<u32>(), moment(), moment(), compute_us, flops, any::<bool>()).prop_map(
        |(by, slot, handed_out, reported, compute_us, flops, failed)| {
            let computed = Computed { worker: worker(by), slot, handed_out, reported, compute_us, flops };
            if failed { Fed::Failed(reported) } else { Fed::Worked(computed) }
        },
    )
}

/// Sums of what was fed, by themselves.
fn fed_sums(fed: &[Fed]) -> Sums {
    let attempts = fed.iter().filter_map(|fed| match fed {
        Fed::Worked(computed) => Some(computed),
        Fed::Failed(_) => None,
    });
    let first = attempts.clone().map(|computed| computed.handed_out).min().unwrap_or_default();
    let last = attempts.clone().map(|computed| computed.reported).max().unwrap_or_default();
    let jobs = attempts.clone().count();
    Sums {
        jobs: jobs.try_into().unwrap(),
        errors: (fed.len() - jobs).try_into().unwrap(),
        busy_us: attempts.clone().map(|computed| computed.compute_us).sum(),
        flops: attempts.map(|computed| computed.flops).sum(),
        wall_ms: last.since(first),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    #[test]
    fn sums_of_the_bins_are_those_of_the_attempts(fed in prop::collection::vec(likely(), 0..300)) {
        let (sums, expected) = (profile(&fed).sums(), fed_sums(&fed));
        prop_assert_eq!(Sums { flops: 0.0, ..sums }, Sums { flops: 0.0, ..expected });
        // Operations are counted in whole ones.
        let rounding = fed.len() as f64 + expected.flops * 1e-12;
        prop_assert!((sums.flops - expected.flops).abs() <= rounding, "{} {}", sums.flops, expected.flops);
    }

    #[test]
    fn a_profile_is_the_same_in_every_order(
        (fed, shuffled) in prop::collection::vec(likely(), 0..300)
            .prop_flat_map(|fed| (Just(fed.clone()), Just(fed).prop_shuffle())),
    ) {
        prop_assert_eq!(profile(&fed).facts(), profile(&shuffled).facts());
    }

    #[test]
    fn lanes_and_the_rest_are_what_the_bins_hold(fed in prop::collection::vec(likely(), 0..600)) {
        let profile = profile(&fed);
        let in_lanes: u64 = profile.lanes.iter().flat_map(|(_, lane)| lane.busy.iter()).map(|(_, busy)| busy).sum();
        let rest = profile.facts().rest;
        prop_assert_eq!(profile.slot_sums().is_none(), !rest.is_empty());
        prop_assert_eq!(in_lanes + rest.iter().sum::<u64>(), profile.sums().busy_us);
    }

    #[test]
    fn whatever_comes_a_profile_stays_within_its_bounds(
        fed in prop::collection::vec(prop_oneof![hostile(), likely()], 0..400),
    ) {
        let profile = profile(&fed);
        let (facts, sums) = (profile.facts(), profile.sums());
        let bytes = facts.to_bytes();
        prop_assert!(bytes.len() <= MAX_PROFILE_BYTES);
        prop_assert_eq!(ProfileFacts::of_bytes(&bytes), Ok(facts));
        let most_us = MAX_COMPUTE_US * u64::try_from(fed.len()).unwrap();
        prop_assert!(sums.busy_us <= most_us && sums.flops <= most_us as f64 / 1e6 * MAX_FLOPS_PER_SECOND);
        prop_assert_eq!(sums.jobs + sums.errors, u64::try_from(fed.len()).unwrap());
    }

    #[test]
    fn a_reader_that_takes_only_changes_has_all_bins(
        steps in prop::collection::vec(prop::collection::vec(likely(), 0..20), 1..20),
    ) {
        let (mut profile, mut before) = (Profile::default(), None);
        let mut seen = std::collections::BTreeMap::new();
        for fed in &steps {
            for one in fed {
                match one {
                    Fed::Worked(computed) => profile.worked(computed),
                    Fed::Failed(at) => profile.failed(*at),
                }
            }
            let facts = profile.facts();
            let changes = facts.changed_since(before.as_ref());
            if changes.whole {
                seen.clear();
            }
            seen.extend(changes.bins);
            before = Some(facts);
        }
        let facts = profile.facts();
        let all: std::collections::BTreeMap<_, _> = facts.changed_since(None).bins.into_iter().collect();
        prop_assert_eq!(seen, all);
        prop_assert!(facts.changed_since(before.as_ref()).bins.is_empty());
    }
}

#[test]
fn work_lies_in_the_bins_of_its_time() {
    let bin = |busy_ms: u64, jobs, errors| {
        let busy_us = busy_ms * 1000;
        BinFacts { flops: busy_us as f64, busy_us, jobs, errors }
    };
    for (fed, first, bins) in [
        (vec![], 0, vec![]),
        (vec![worked(0, 1_000, 1_250, 250_000)], 4, vec![bin(250, 1, 0)]),
        (vec![worked(0, 0, 1_250, 100_000)], 4, vec![bin(100, 1, 0)]),
        (
            vec![worked(0, 0, 1_300, 600_000)],
            2,
            vec![bin(50, 0, 0), bin(250, 0, 0), bin(250, 0, 0), bin(50, 1, 0)],
        ),
        (vec![worked(0, 0, 1_250, 0), worked(1, 0, 1_250, 0)], 4, vec![bin(0, 2, 0)]),
        (
            vec![worked(0, 900, 1_250, 1_000), Fed::Failed(Timestamp(600))],
            2,
            vec![bin(0, 0, 1), bin(0, 0, 0), bin(1, 1, 0)],
        ),
        // The report came before the hand-out, by the clock.
        (vec![worked(0, 9_000, 500, 1_000)], 1, vec![bin(1, 1, 0)]),
    ] {
        let facts = profile(&fed).facts();
        assert_eq!((facts.width_ms, facts.first, facts.bins), (FIRST_BIN_MS, first, bins), "{fed:?}");
    }
}

#[test]
fn bins_double_when_there_would_be_too_many() {
    let minutes = |count: i64| (1..=count).map(|at| worked(0, 0, at * 60_000, 1_000)).collect::<Vec<_>>();
    for (count, width_ms, bins) in [(1, 250, 1), (3, 250, 481), (4, 500, 361), (1_000, 128_000, 469)] {
        let profile = profile(&minutes(count));
        let facts = profile.facts();
        assert_eq!((facts.width_ms, facts.bins.len()), (width_ms, bins), "{count}");
        assert_eq!(profile.sums().jobs, count.unsigned_abs());
    }
}

#[test]
fn the_first_slots_have_lanes_and_the_others_are_the_rest() {
    let fed: Vec<Fed> = (0..300).rev().map(|slot| worked(slot, 0, 500, 500_000)).collect();
    let facts = profile(&fed).facts();
    let slots: Vec<u32> = facts.lanes.iter().map(|lane| lane.slot).collect();
    assert_eq!(slots, (0..256).collect::<Vec<_>>());
    assert!(facts.lanes.iter().all(|lane| lane.shares == [255]), "{:?}", facts.lanes);
    assert_eq!(facts.rest, [44 * 500_000]);
    assert_eq!(profile(&fed[44..]).facts().rest, Vec::<u64>::new(), "256 slots have a lane each");
    let sums = profile(&fed[44..]).slot_sums();
    assert_eq!(sums, Some(SlotSums { slots: 256, span_ms: 256 * 500, busy_us: 256 * 500_000 }));
}

#[test]
fn changes_are_whole_where_bins_have_another_width() {
    let first = worked(0, 0, 9, 1);
    let (near, far) = (worked(0, 0, 60_000, 1), worked(0, 0, 240_000, 1));
    for (before, now, whole, bins) in [
        (None, vec![first], true, 1),
        (Some(vec![]), vec![first], true, 1),
        (Some(vec![first]), vec![first], false, 0),
        (Some(vec![first]), vec![first, near], false, 1),
        (Some(vec![near]), vec![near, first], false, 1),
        (Some(vec![first]), vec![first, far], true, 2),
    ] {
        let changes = profile(&now).facts().changed_since(before.map(|fed| profile(&fed).facts()).as_ref());
        assert_eq!((changes.whole, changes.bins.len()), (whole, bins), "{now:?}");
    }
}
