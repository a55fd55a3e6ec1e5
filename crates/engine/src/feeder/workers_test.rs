//! What workers name, against what they hold.

use actix::Actor;
use weevil_model::{Needs, PlaceNumber, Timestamp};
use weevil_queue::AttemptKey;

use crate::contact::Contact;
use crate::feeder::copies_out::CopyOut;
use crate::feeder::doubts::MAX_DOUBTED;
use crate::feeder::fruitless::FruitlessNeeds;
use crate::feeder::workers::{ConnectedWorkers, Named, WorkerJoined};
use crate::fleet::FleetWorker;
use crate::testing::{Log, Recorder, claimed, key, worker};

const HEARTBEAT_MS: u32 = 10;
/// Until then heartbeats renew what is held.
const TERM_MS: i64 = 50;

fn keys(numbers: impl IntoIterator<Item = i64>) -> Vec<AttemptKey> {
    numbers.into_iter().map(key).collect()
}

/// Two workers; the first one holds attempts 1 to 3.
fn workers() -> ConnectedWorkers {
    let mut workers = ConnectedWorkers::default();
    for number in [1, 2] {
        let newcomer = WorkerJoined {
            worker: worker(number),
            place: PlaceNumber::from_number(1),
            network: None,
            contact: Contact::of(Recorder { name: String::new(), log: Log::default() }.start()),
            agent: String::new(),
            slots: 1,
            capacity: 9,
            has: Needs::JAVASCRIPT,
            adapter: None,
            keeps_gpu: false,
            trusted: false,
        };
        workers.join(newcomer, Timestamp(0));
    }
    for number in 1..=3 {
        let copy = CopyOut::of(&claimed(number, 1), false, Timestamp(0));
        workers.handed(key(number), copy, Timestamp(TERM_MS));
    }
    workers
}

fn names(
    workers: &mut ConnectedWorkers,
    by: i64,
    numbers: impl IntoIterator<Item = i64>,
    now: i64,
) -> (Vec<AttemptKey>, Vec<AttemptKey>) {
    let named = numbers.into_iter().map(|number| key(number).into()).collect();
    let Named { held, doubted } = workers.named(worker(by), named, Timestamp(now), HEARTBEAT_MS);
    (held.into_iter().map(|renew| renew.key).collect(), doubted)
}

#[actix::test]
async fn what_nobody_holds_is_doubted_and_what_somebody_holds_moves() {
    for (by, named, held, doubted, left) in [
        (1, [1, 3, 8], vec![1, 3], vec![8], [3, 0]),
        (2, [1, 3, 8], vec![1, 3], vec![8], [1, 2]),
        (9, [1, 3, 8], vec![], vec![], [3, 0]),
    ] {
        let mut workers = workers();
        assert_eq!(names(&mut workers, by, named, 0), (keys(held), keys(doubted)), "{by}");
        assert_eq!([1, 2].map(|of| workers.leave(worker(of)).0.len()), left, "{by}");
        assert_eq!(workers.held(), 0);
    }
}

#[actix::test]
async fn a_moved_attempt_is_given_back_once() {
    let mut workers = workers();
    assert_eq!(names(&mut workers, 2, [2], 0).0, keys([2]));
    assert_eq!(workers.given_back(worker(1), keys([1, 1, 9])), keys([1]), "its own, once");
    assert_eq!(workers.given_back(worker(2), keys([1, 2, 2])), keys([2]));
    assert_eq!((workers.leave(worker(1)).0, workers.leave(worker(2)).0), (keys([3]), vec![]));
    assert_eq!(workers.given_back(worker(2), keys([3])), [], "it has left");
}

#[actix::test]
async fn doubts_are_bounded_in_a_heartbeats_time() {
    let many = i64::from(MAX_DOUBTED);
    let mut workers = workers();
    for (by, now, asked, heard) in
        [(1, 0, 3_000, 3_000), (1, 9, 3_000, 1_096), (2, 9, 5_000, 4_096), (1, 10, many, many)]
    {
        let (held, doubted) = names(&mut workers, by, 100..100 + asked, now);
        assert_eq!((held.len(), doubted.len()), (0, usize::try_from(heard).unwrap()), "{by} {now}");
    }
    assert_eq!(
        names(&mut workers, 1, [1, 500], 10),
        (keys([1]), vec![]),
        "what is held is renewed all the same"
    );
}

#[actix::test]
async fn what_was_held_for_its_term_is_renewed_no_more_wherever_it_moves() {
    for (by, now, held) in [(1, TERM_MS, keys([1, 3])), (1, TERM_MS + 1, vec![]), (2, TERM_MS + 1, vec![])] {
        let mut workers = workers();
        assert_eq!(names(&mut workers, by, [1, 3], now), (held, vec![]), "{by} {now}");
        assert_eq!(workers.held(), 3, "its lease expires by itself");
    }
}

#[actix::test]
async fn what_a_worker_wants_stays_within_its_window() {
    let mut workers = workers();
    workers.line_mut(worker(1)).unwrap().heard(2_048, Timestamp(0));
    let wants = |workers: &ConnectedWorkers| {
        let asks = workers.appetites(&FruitlessNeeds::default());
        asks.iter().find(|ask| ask.worker == worker(1)).map_or(0, |ask| ask.wants)
    };
    assert_eq!(wants(&workers), 16 - 3);
    workers.finished(key(1), true, false);
    assert_eq!(wants(&workers), 17 - 2);
    workers.finished(key(2), false, false);
    assert_eq!(wants(&workers), 17 - 1);
    workers.expired(key(3));
    assert_eq!(wants(&workers), 16);
    workers.line_mut(worker(1)).unwrap().heard(5, Timestamp(0));
    assert_eq!(wants(&workers), 5);
}

#[actix::test]
async fn an_end_counts_for_whoever_holds_the_attempt() {
    let mut workers = workers();
    names(&mut workers, 2, [2], 0);
    workers.finished(key(2), false, true);
    workers.finished(key(2), true, false);
    let holders = [1, 1].map(|number| workers.dropped(key(number)).map(|copy| copy.holder));
    assert_eq!(holders, [Some(worker(1)), None]);
    workers.expired(key(3));
    let figures = |worker: &FleetWorker| (worker.in_flight, worker.done, worker.errors, worker.expired);
    let found: Vec<_> = workers.shown(Timestamp(0)).iter().map(figures).collect();
    assert_eq!(found, [(0, 0, 0, 1), (0, 1, 1, 0)]);
}
