//! The throttle against tables, and against strangers who do what they like.

use proptest::prelude::*;
use weevil_model::AccountId;

use super::*;

const MINUTE: i64 = 60_000;

fn target(name: &str) -> Target {
    Target::of(&name.parse().unwrap())
}

fn browser(since: i64) -> KnownBrowser {
    KnownBrowser { account: AccountId::from_number(1).unwrap(), since: Timestamp(since) }
}

fn stranger(place: u64, name: &str) -> Attempt {
    Attempt::Stranger { place: PlaceNumber::from_number(place), target: target(name) }
}

/// Fails as often as it may, at one moment.
fn failures(throttle: &mut Throttle, attempt: Attempt, now: i64) -> usize {
    let mut count = 0;
    while throttle.begin(attempt, Timestamp(now)).is_ok() {
        throttle.failed(attempt, Timestamp(now));
        count += 1;
    }
    count
}

#[test]
fn each_count_has_its_bound() {
    let ada = target("ada");
    let link = Attempt::Link { place: PlaceNumber::from_number(1) };
    for (attempt, at_once, next_after_ms) in [
        (Attempt::Known { browser: browser(0), target: ada }, 10, 60 * MINUTE),
        (stranger(1, "ada"), 5, 60 * MINUTE),
        (link, 30, 10 * MINUTE),
    ] {
        let mut throttle = Throttle::default();
        assert_eq!(failures(&mut throttle, attempt, 0), at_once, "{attempt:?}");
        for (now, ms) in [(0, next_after_ms), (next_after_ms - 1, 1)] {
            assert_eq!(throttle.begin(attempt, Timestamp(now)), Err(Wait { ms }), "{attempt:?} at {now}");
        }
        assert_eq!(failures(&mut throttle, attempt, next_after_ms), at_once, "{attempt:?}");
    }
}

#[test]
fn a_place_may_fail_so_often_whatever_it_tries() {
    let mut throttle = Throttle::default();
    let names = ["ada", "bob", "eve", "joe", "kim", "lee"];
    for name in names {
        assert_eq!(failures(&mut throttle, stranger(1, name), 0), 5, "{name}");
    }
    let link = Attempt::Link { place: PlaceNumber::from_number(1) };
    for attempt in [stranger(1, "max"), link] {
        assert_eq!(throttle.begin(attempt, Timestamp(1)), Err(Wait { ms: 10 * MINUTE - 1 }), "{attempt:?}");
    }
    assert_eq!(throttle.begin(stranger(2, "max"), Timestamp(1)), Ok(()));
    assert_eq!(throttle.begin(stranger(1, "max"), Timestamp(10 * MINUTE)), Ok(()));
}

#[test]
fn what_succeeds_or_is_not_carried_out_counts_nowhere() {
    let mut throttle = Throttle::default();
    for attempt in [stranger(1, "ada"), Attempt::Known { browser: browser(0), target: target("ada") }] {
        for round in 0..100 {
            assert_eq!(throttle.begin(attempt, Timestamp(round)), Ok(()), "{attempt:?}");
            throttle.take_back(attempt, Timestamp(round));
        }
    }
}

#[test]
fn many_at_once_are_not_more_than_one_after_the_other() {
    let mut throttle = Throttle::default();
    let begun = (0..64).filter(|_| throttle.begin(stranger(1, "ada"), Timestamp(0)).is_ok()).count();
    assert_eq!(begun, 5);
}

#[test]
fn the_place_that_failed_longest_ago_is_forgotten() {
    let mut throttle = Throttle::default();
    let link = |place| Attempt::Link { place: PlaceNumber::from_number(place) };
    let places = MAX_THROTTLE_ENTRIES as u64 / 2;
    for place in [0, 1] {
        assert_eq!(failures(&mut throttle, link(place), 0), 30);
    }
    assert!((2..=places).all(|place| throttle.begin(link(place), Timestamp(0)).is_ok()));
    assert_eq!(throttle.begin(link(1), Timestamp(0)), Err(Wait { ms: 10 * MINUTE }));
    assert_eq!(throttle.begin(link(0), Timestamp(0)), Ok(()));
}

#[test]
fn an_account_under_attack_says_so_once_a_day_and_gives_places_less() {
    let mut throttle = Throttle::default();
    let mut attack = |from: i64| {
        let alarms = (0..1200_u64).filter(|place| throttle.failed(stranger(*place, "ada"), Timestamp(from)));
        alarms.count()
    };
    assert_eq!(attack(DAY_MS), 1);
    assert_eq!(failures(&mut throttle, stranger(5000, "ada"), DAY_MS), 2);
    assert_eq!(failures(&mut throttle, stranger(5000, "bob"), DAY_MS), 5);
    assert_eq!(failures(&mut throttle, stranger(5001, "ada"), 2 * DAY_MS), 5);
    let known = Attempt::Known { browser: browser(0), target: target("ada") };
    assert_eq!(failures(&mut throttle, known, DAY_MS), 10);
}

/// An attempt of somebody who is neither at the victim's place nor in its browser; with `near`, who may be at its place.
fn attempts(near: bool) -> impl Strategy<Value = Attempt> {
    let place = (u64::from(!near)..6).prop_map(PlaceNumber::from_number);
    let name = prop::sample::select(vec!["victim", "ada", "bob"]).prop_map(target);
    (place, name, 0..3_u8, 1..9_i64).prop_map(|(place, target, kind, since)| match kind {
        0 => Attempt::Known { browser: browser(since), target },
        1 => Attempt::Link { place },
        _ => Attempt::Stranger { place, target },
    })
}

proptest! {
    #[test]
    fn nobody_shuts_out_a_victim_elsewhere(
        attacks in prop::collection::vec((attempts(false), 0..5 * MINUTE), 0..1500), room in 2..40_usize,
    ) {
        let mut throttle = Throttle::with_room(room);
        let mut now = 0;
        for (attempt, later) in attacks {
            now += later;
            if throttle.begin(attempt, Timestamp(now)).is_ok() {
                throttle.failed(attempt, Timestamp(now));
            }
        }
        prop_assert_eq!(throttle.begin(stranger(0, "victim"), Timestamp(now)), Ok(()));
    }

    #[test]
    fn nobody_shuts_out_a_known_browser(attacks in prop::collection::vec(attempts(true), 0..1500)) {
        let mut throttle = Throttle::default();
        for attempt in attacks {
            if throttle.begin(attempt, Timestamp(0)).is_ok() {
                throttle.failed(attempt, Timestamp(0));
            }
        }
        let victim = Attempt::Known { browser: browser(0), target: target("victim") };
        prop_assert_eq!(failures(&mut throttle, victim, 0), 10);
    }

    #[test]
    fn no_hour_sees_more_failures_of_a_place_at_an_account(gaps in prop::collection::vec(0..40 * MINUTE, 0..60)) {
        let mut throttle = Throttle::default();
        let (mut now, mut taken) = (0, Vec::new());
        for gap in gaps {
            now += gap;
            if throttle.begin(stranger(1, "ada"), Timestamp(now)).is_ok() {
                taken.push(now);
            }
        }
        prop_assert!(taken.windows(6).all(|six| six[5] - six[0] >= 60 * MINUTE), "{:?}", taken);
    }
}
