//! What a worker that leaves has held comes back, each attempt once.

use weevil_queue::{AttemptEnd, Outcomes};

use super::driven::{Driven, complete, heartbeat};
use crate::feeder::Request;
use crate::testing::{claimed, ended, key, report, returned, settled, worker};

fn leave(number: i64, end: AttemptEnd) -> Request {
    Request::Leave { worker: worker(number), end }
}

/// A batch's parts, sorted: a worker holds its attempts in no order.
async fn sorted(driven: &mut Driven) -> Vec<String> {
    let mut parts = driven.parts().await;
    parts.sort();
    parts
}

#[actix::test]
async fn all_that_a_worker_holds_is_released_as_it_leaves() {
    for (end, expected) in
        [(AttemptEnd::Lost, ["lost 1", "lost 2"]), (AttemptEnd::Yielded, ["yielded 1", "yielded 2"])]
    {
        let mut driven = Driven::holding([(1, &[1, 2][..]), (2, &[3])]).await;
        driven.ask(leave(1, end));
        assert_eq!(sorted(&mut driven).await, expected);
    }
}

#[actix::test]
async fn no_attempt_is_released_twice() {
    let yielded = || Request::Yield { worker: worker(1), attempts: vec![key(1)], capacity: 0 };
    let two = ["lost 1", "lost 2"];
    for (requests, expected) in [
        (vec![leave(1, AttemptEnd::Lost), leave(1, AttemptEnd::Lost)], &two[..]),
        (vec![yielded(), leave(1, AttemptEnd::Lost)], &["lost 2", "yielded 1"]),
        (vec![leave(1, AttemptEnd::Lost), yielded()], &two),
        (vec![yielded(), yielded()], &["yielded 1"]),
        (vec![heartbeat(2, [key(1)], 0), leave(1, AttemptEnd::Lost)], &["lost 2", "renew 1"]),
        (vec![heartbeat(2, [key(1)], 0), yielded(), leave(2, AttemptEnd::Lost)], &["renew 1", "yielded 1"]),
    ] {
        let mut driven = Driven::holding([(1, &[1, 2][..]), (2, &[][..])]).await;
        for request in requests {
            driven.ask(request);
        }
        let parts = sorted(&mut driven).await;
        assert_eq!(parts, expected);
    }
}

#[actix::test]
async fn what_has_ended_before_is_not_released() {
    for outcomes in [
        Outcomes { completed: vec![settled(1, 1, ended())], ..Outcomes::default() },
        Outcomes { returned: vec![returned(1, 1, AttemptEnd::Expired)], ..Outcomes::default() },
        Outcomes { revoked: vec![(worker(1), key(1))], ..Outcomes::default() },
        Outcomes { disowned: vec![(worker(1), key(1))], ..Outcomes::default() },
    ] {
        let mut driven = Driven::holding([(1, &[1, 2][..])]).await;
        driven.ask(complete(1, vec![report(1)], 0));
        let told = format!("{outcomes:?}");
        driven.answered(outcomes).await;
        driven.ask(leave(1, AttemptEnd::Lost));
        assert_eq!(driven.parts().await, ["lost 2"], "{told}");
    }
}

#[actix::test]
async fn a_worker_that_has_left_is_told_nothing_and_asked_for_nothing() {
    let mut driven = Driven::holding([(1, &[1][..])]).await;
    driven.ask(heartbeat(1, [], 4));
    driven.ask(complete(1, vec![report(1)], 4));
    driven.ask(leave(1, AttemptEnd::Lost));
    let outcomes = Outcomes {
        completed: vec![settled(1, 1, ended())],
        claimed: vec![claimed(2, 1)],
        revoked: vec![(worker(1), key(3))],
        ..Outcomes::default()
    };
    assert_eq!(driven.answered(outcomes).await, ["report 1", "lost 1"]);
    assert_eq!(driven.heard().await, Vec::<String>::new());
}
