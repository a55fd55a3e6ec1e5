//! A server that is about to end: nothing is handed out, what is handed in still counts, and the last batch is the last.

use std::time::Duration;

use futures_util::FutureExt;
use weevil_queue::Outcomes;

use super::driven::{Driven, complete};
use crate::feeder::{Request, channel};
use crate::health::Phase;
use crate::testing::{Bed, Guest, ended, new_job, report, settled};

#[actix::test]
async fn a_server_that_drains_hands_nothing_out_and_takes_what_is_handed_in() {
    let mut driven = Driven::holding([(1, &[1, 2][..])]).await;
    driven.ask(complete(1, vec![report(1)], 9));
    driven.health.enter(Phase::Draining(Duration::ZERO));
    let completed = vec![settled(1, 1, ended())];
    assert_eq!(driven.answered(Outcomes { completed, ..Outcomes::default() }).await, ["report 1"]);
    assert_eq!(driven.heard().await, ["worker 1 is answered 1 ended"]);
    driven.ask(Request::Enqueue(Box::new(new_job(3))));
    assert_eq!(driven.parts().await, ["job 3"]);
}

#[actix::test]
async fn a_drain_ends_with_the_last_attempt_that_workers_hold() {
    let mut driven = Driven::holding([(1, &[1, 2][..])]).await;
    driven.health.enter(Phase::Draining(Duration::ZERO));
    for (number, nothing_held) in [(1, false), (2, true)] {
        driven.ask(complete(1, vec![report(number)], 0));
        let completed = vec![settled(number, 1, ended())];
        driven.answered(Outcomes { completed, ..Outcomes::default() }).await;
        assert_eq!(driven.health.nothing_held().now_or_never().is_some(), nothing_held, "{number}");
    }
}

#[actix::test]
async fn what_is_asked_before_the_end_is_in_the_last_batch() {
    let bed = Bed::default();
    let (feeder, inbox) = channel(bed.metrics.queue.asks.clone());
    let join = bed.join(Guest::new(1));
    for request in [join, Request::Enqueue(Box::new(new_job(1))), Request::End, Request::Probe] {
        feeder.ask(request);
    }
    bed.context().run(inbox).await;
    let tried = bed.batches.take();
    assert_eq!(tried.iter().map(|batch| batch.enqueue.len()).collect::<Vec<_>>(), [1]);
}

#[actix::test]
async fn the_end_waits_for_a_database_that_has_not_taken_everything() {
    let mut driven = Driven::with([]);
    driven.ask(Request::Enqueue(Box::new(new_job(1))));
    driven.ask(Request::End);
    driven.batches.refuse(|_| true);
    driven.work().await;
    assert!(!driven.feeder.has_ended());
    driven.batches.refuse(|_| false);
    driven.work().await;
    assert!(driven.feeder.has_ended());
}

#[actix::test]
async fn a_feeder_that_nobody_can_ask_any_more_ends() {
    let bed = Bed::default();
    let (feeder, inbox) = channel(bed.metrics.queue.asks.clone());
    drop(feeder);
    bed.context().run(inbox).await;
    assert!(bed.batches.take().is_empty());
}
