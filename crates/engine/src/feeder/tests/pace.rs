//! With each tick the pace follows the number of workers, and everybody sees who is connected.

use weevil_model::ContentHash;

use super::driven::{Driven, heartbeat};
use crate::feeder::Request;
use crate::testing::{Guest, HEARTBEAT_MS, LEASE_MS, THRESHOLD, new_job, worker};

#[actix::test]
async fn a_tick_sets_the_pace_for_all_that_are_connected() {
    let crowd = i64::from(THRESHOLD + HEARTBEAT_MS / 1_000);
    for (workers, stretch) in [(0, 1), (i64::from(THRESHOLD), 1), (crowd, 2)] {
        let guests = (1..=workers).map(|number| Guest::new(number).at(u8::try_from(number).unwrap()));
        let mut driven = Driven::with(guests);
        let before = driven.pacer.now();
        assert_eq!((before.heartbeat_ms, before.lease_ms), (HEARTBEAT_MS, LEASE_MS), "nobody has counted");
        driven.ask(Request::Tick);
        let batch = driven.work().await.remove(0);
        let pace = driven.pacer.now();
        assert_eq!(
            (pace.heartbeat_ms, pace.lease_ms, batch.lease_ms),
            (stretch * HEARTBEAT_MS, stretch * LEASE_MS, (stretch * LEASE_MS).into()),
            "{workers}"
        );
    }
}

#[actix::test]
async fn a_batch_says_how_long_leases_are_where_workers_are_and_how_answers_are_judged() {
    let mut driven = Driven::with([Guest::new(1).at(3)]);
    driven.ask(Request::Enqueue(Box::new(new_job(1))));
    let batch = driven.work().await.remove(0);
    assert_eq!(batch.lease_ms, i64::from(LEASE_MS));
    assert_eq!(batch.judging, driven.context().judging);
    assert_eq!(batch.company.place(worker(1)), Some(weevil_model::PlaceNumber::from_number(3)));
}

#[actix::test]
async fn the_fleet_is_shown_as_it_was_at_the_last_tick() {
    let mut driven = Driven::holding([(1, &[1, 2][..]), (2, &[])]).await;
    let device = ContentHash::of(b"key");
    driven.ask(Request::Identified { worker: worker(2), device });
    driven.ask(heartbeat(2, [], 0));
    assert_eq!(driven.board.fleet().borrow().slots, 0);
    driven.ask(Request::Tick);
    let fleet = driven.board.fleet().borrow().clone();
    let shown: Vec<_> =
        fleet.workers.iter().map(|worker| (worker.device, worker.slots, worker.in_flight)).collect();
    assert_eq!((shown, fleet.slots), (vec![(None, 1, 2), (Some(device), 1, 0)], 2));
}

#[actix::test]
async fn nothing_is_committed_where_nothing_is_asked() {
    let mut driven = Driven::with([Guest::new(1)]);
    assert!(driven.work().await.is_empty());
    driven.ask(Request::Resumed);
    assert!(driven.work().await.is_empty());
}
