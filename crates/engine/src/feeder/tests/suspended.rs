//! Who is given nothing, for how long, and what becomes of what a banned worker holds.

use weevil_model::{ContentHash, Timestamp};
use weevil_queue::AttemptEnd;
use weevil_records::{Suspension, Term};

use super::driven::Driven;
use crate::feeder::gather::Feeder;
use crate::feeder::{FeederContext, Request, Suspended};
use crate::testing::{Bed, Guest, worker};

fn device() -> ContentHash {
    ContentHash::of(b"one")
}

fn identify(number: i64) -> Request {
    Request::Identified { worker: worker(number), device: device() }
}

fn paused(until: i64) -> Suspension {
    Suspension { term: Term::Paused { until: Timestamp(until) }, note: "too hot".into() }
}

fn banned() -> Suspension {
    Suspension { term: Term::Banned { since: Timestamp(0) }, note: String::new() }
}

/// Who is asked for once somebody might be.
async fn asked(driven: &mut Driven) -> Vec<i64> {
    driven.ask(Request::Resumed);
    let batch = driven.work().await.pop();
    let asks = batch.map(|batch| batch.claim.asks).unwrap_or_default();
    let mut workers: Vec<i64> = asks.iter().map(|ask| ask.worker.number()).collect();
    workers.sort_unstable();
    workers
}

#[actix::test]
async fn who_is_suspended_is_given_nothing_until_that_is_over() {
    let mut driven = Driven::with([1, 2, 3].map(|number| Guest::new(number).wants(1)));
    driven.ask(identify(1));
    driven.ask(identify(2));
    let start = driven.context().clock.now();
    let (its, lone) = (Suspended::Device(device()), Suspended::Worker(worker(3)));
    for (case, request, after_ms, expected) in [
        ("at first", Request::Tick, 0, &[1, 2, 3][..]),
        ("its device is paused", Request::Suspend(its, paused(start.0 + 60_000)), 0, &[3]),
        ("a tab comes", driven.join(Guest::new(4).wants(1)), 0, &[3]),
        ("which is of the device", identify(4), 0, &[3]),
        ("who has said nothing is given nothing for a while", driven.join(Guest::new(5).wants(1)), 0, &[3]),
        ("and not for ever", Request::Tick, 2_000, &[3, 5]),
        ("shortly before the end", Request::Tick, 57_999, &[3, 5]),
        ("the pause is over", Request::Tick, 1, &[1, 2, 3, 4, 5]),
        ("nobody waits any more", driven.join(Guest::new(6).wants(1)), 0, &[1, 2, 3, 4, 5, 6]),
        ("a worker is paused", Request::Suspend(lone, paused(i64::MAX)), 0, &[1, 2, 4, 5, 6]),
        ("and goes on", Request::LetGoOn(lone), 0, &[1, 2, 3, 4, 5, 6]),
        ("its device is paused for longer", Request::Suspend(its, paused(i64::MAX)), 0, &[3, 5, 6]),
        ("and goes on", Request::LetGoOn(its), 0, &[1, 2, 3, 4, 5, 6]),
    ] {
        driven.clock.advance(after_ms);
        driven.ask(request);
        assert_eq!(asked(&mut driven).await, expected, "{case}");
    }
}

/// The second worker is shown alone, and what the first one held is lost to it.
async fn assert_first_has_lost_all(driven: &mut Driven) {
    let shown: Vec<i64> =
        driven.board.fleet().borrow().workers.iter().map(|worker| worker.id.number()).collect();
    assert_eq!(shown, [2]);
    let mut parts = driven.parts().await;
    parts.sort();
    assert_eq!(parts, ["lost 1", "lost 2"]);
}

#[actix::test]
async fn what_a_banned_device_holds_is_lost_to_it_at_once() {
    let mut driven = Driven::holding([(1, &[1, 2][..]), (2, &[3])]).await;
    driven.ask(identify(1));
    driven.ask(Request::Suspend(Suspended::Device(device()), banned()));
    assert!(driven.board.left_worker(worker(1)).is_some(), "it is kept");
    assert_first_has_lost_all(&mut driven).await;
    assert_eq!(driven.heard().await, ["worker 1 is banned"]);
    driven.ask(Request::Leave { worker: worker(1), end: AttemptEnd::Lost });
    assert_eq!(driven.parts().await, [""; 0], "its connection ends, and nothing is left");
}

#[actix::test]
async fn a_worker_sent_away_loses_what_it_holds_and_may_come_again() {
    let mut driven = Driven::holding([(1, &[1, 2][..]), (2, &[3])]).await;
    driven.ask(Request::SendAway(worker(1)));
    assert_first_has_lost_all(&mut driven).await;
    assert_eq!(driven.heard().await, ["worker 1 is sent away"]);
    driven.ask(Request::SendAway(worker(1)));
    assert_eq!(driven.heard().await, [""; 0], "it has left");
    let join = driven.join(Guest::new(4).wants(1));
    driven.ask(join);
    assert_eq!(asked(&mut driven).await, [4]);
}

#[actix::test]
async fn what_was_suspended_before_the_start_stays_so() {
    let bed = Bed::default();
    let feeder = Feeder::new(FeederContext { suspended: vec![(device(), banned())], ..bed.context() });
    let mut driven = Driven { bed, feeder };
    for number in [1, 2] {
        let join = driven.join(Guest::new(number).wants(1));
        driven.ask(join);
    }
    assert_eq!(asked(&mut driven).await, [0; 0]);
    driven.ask(identify(1));
    driven.clock.advance(2_000);
    driven.ask(Request::Tick);
    assert_eq!(asked(&mut driven).await, [2]);
    assert_eq!(driven.heard().await, ["worker 1 is banned"]);
    assert!(driven.board.all_left().is_empty(), "it leaves nothing, however often it comes");
}
