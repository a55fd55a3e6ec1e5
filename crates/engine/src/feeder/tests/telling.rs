//! Who hears of a batch, in which order, and nobody before it is durable.

use std::pin::pin;

use futures_util::FutureExt;
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;
use weevil_queue::batch::{Change, Enqueued, Verdict};
use weevil_queue::{AttemptEnd, Ended, Outcomes};

use super::driven::{Driven, complete};
use crate::feeder::Request;
use crate::testing::{
    RUN, alone, claimed, ended, failed, key, new_job, news, path, report, returned, ruled, run, settled,
    stale, value, worker,
};

/// Worker 1 has reported attempts 1 and 2, wants two more, and everybody listens.
async fn reported() -> Driven {
    let mut driven = Driven::holding([(1, &[1, 2][..]), (2, &[3, 4])]).await;
    for number in 1..=5 {
        driven.listen(&path(number));
        driven.wait(number);
    }
    // Everybody has begun to listen: from here on they hear in the order in which they are told.
    driven.heard().await;
    driven.ask(complete(1, vec![report(1), failed(2)], 4));
    driven.batches.answer(Outcomes {
        completed: vec![settled(1, 1, ended()), settled(2, 1, Change::Requeued)],
        returned: vec![returned(3, 2, AttemptEnd::Expired)],
        revoked: vec![(worker(2), key(4))],
        overdue: vec![news(4, Change::Ended(Ended::Overdue))],
        claimed: vec![claimed(5, 1)],
        ..Outcomes::default()
    });
    driven
}

#[actix::test]
async fn executors_hear_first_then_those_who_wait_then_workers() {
    let mut driven = reported().await;
    driven.work().await;
    let heard = driven.heard().await;
    assert_eq!(
        heard,
        [
            "node n1 hears value of 1",
            "node n2 hears requeued",
            "node n3 hears requeued",
            "node n4 hears overdue",
            "node n5 hears claimed",
            "waiter 1 hears the end",
            "waiter 4 hears the end",
            "worker 1 is answered 1 ended, 2 accepted",
            "worker 1 is handed 5",
            "worker 2 loses 4",
        ]
    );
}

#[actix::test]
async fn nobody_hears_before_the_commit() {
    let mut driven = reported().await;
    let (reply, mut stored) = oneshot::channel();
    driven.ask(Request::Submit { jobs: vec![alone(9)], reply });
    driven.batches.set_open(false);
    let Driven { bed, feeder } = &mut driven;
    let mut working = pin!(feeder.work());
    assert!((&mut working).now_or_never().is_none(), "the database is at it");
    assert_eq!((bed.heard().await, stored.try_recv()), (vec![], Err(TryRecvError::Empty)));
    bed.batches.set_open(true);
    working.await;
    assert_eq!((bed.heard().await.len(), stored.try_recv()), (10, Ok(Ok(vec![]))));
}

#[actix::test]
async fn an_end_that_was_there_already_is_told_to_the_node_alone() {
    let mut driven = Driven::with([]);
    driven.listen("n1");
    driven.wait(1);
    driven.ask(Request::Enqueue(Box::new(new_job(1))));
    let known = Enqueued { run: run(RUN), path: path(1), ended: Ended::Value(value()), reused: true };
    driven.answered(Outcomes { enqueued: vec![known], ..Outcomes::default() }).await;
    assert_eq!(driven.heard().await, ["node n1 hears value of another job"]);
}

#[actix::test]
async fn an_answer_that_was_there_already_is_told_to_the_node_alone() {
    let mut driven = Driven::with([]);
    driven.listen("n1");
    driven.wait(1);
    driven.ask(Request::Enqueue(Box::new(new_job(1))));
    driven.answered(Outcomes { answered: vec![(run(RUN), path(1))], ..Outcomes::default() }).await;
    assert_eq!(driven.heard().await, ["node n1 hears answered"]);
}

/// Worker 1 reports on jobs 1 and 2, and the lot of worker 2 is decided by it.
#[actix::test]
async fn what_is_decided_with_a_lot_is_told_behind_the_reports_with_its_own_work() {
    let mut driven = Driven::holding([(1, &[1, 2][..])]).await;
    for number in 1..=6 {
        driven.listen(&path(number));
    }
    driven.wait(4);
    driven.ask(complete(1, vec![report(1), report(2)], 0));
    let failed = Change::Ended(Ended::Failed(Vec::new()));
    driven
        .answered(Outcomes {
            completed: vec![settled(1, 1, ended()), settled(2, 1, Change::Answered)],
            ruled: vec![
                ruled(2, ended(), Some(1)),
                ruled(3, Change::Requeued, None),
                ruled(4, ended(), Some(2)),
                ruled(5, failed, None),
            ],
            answered: vec![(run(RUN), path(6))],
            claimed: vec![claimed(3, 1)],
            ..Outcomes::default()
        })
        .await;
    assert_eq!(
        driven.heard().await,
        [
            "node n1 hears value of 1",
            "node n2 hears answered",
            "node n2 hears value of 1",
            "node n3 hears requeued",
            "node n3 hears claimed",
            "node n4 hears value of 2",
            "node n5 hears failed",
            "node n6 hears answered",
            "waiter 4 hears the end",
            "worker 1 is answered 1 ended, 2 accepted",
            "worker 1 is handed 3",
        ]
    );
}

#[actix::test]
async fn answers_come_in_the_order_of_the_reports_each_to_its_reporter() {
    let mut driven = Driven::holding([(1, &[1, 2][..]), (2, &[3])]).await;
    for (by, numbers) in [(2, vec![2]), (1, vec![3, 1]), (2, vec![9])] {
        driven.ask(complete(by, numbers.into_iter().map(report).collect(), 0));
    }
    let completed = vec![
        settled(2, 1, ended()),
        settled(3, 2, Change::Requeued),
        stale(1, Verdict::Superseded),
        stale(9, Verdict::Unknown),
    ];
    driven.answered(Outcomes { completed, ..Outcomes::default() }).await;
    let mut heard = driven.heard().await;
    heard.sort();
    assert_eq!(
        heard,
        ["worker 1 is answered 3 accepted, 1 superseded", "worker 2 is answered 2 ended, 9 unknown"]
    );
}

#[actix::test]
async fn a_run_that_is_cancelled_is_not_heard_of_any_more() {
    let mut driven = Driven::holding([(1, &[1][..])]).await;
    driven.listen("n1");
    driven.ask(Request::CancelRun(run(RUN)));
    driven.answered(Outcomes { revoked: vec![(worker(1), key(1))], ..Outcomes::default() }).await;
    driven.answered(Outcomes { overdue: vec![news(1, ended())], ..Outcomes::default() }).await;
    assert_eq!(driven.heard().await, ["worker 1 loses 1"]);
}
