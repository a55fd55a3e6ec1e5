//! A database that is away or refuses: the batch comes again unchanged, and what it will never take is set aside.

use tokio::sync::oneshot;
use weevil_queue::batch::Change;
use weevil_queue::{AttemptEnd, Opinion, Outcomes};

use super::driven::{Driven, complete, heartbeat, parts};
use crate::feeder::{NotStored, Request, ServerRequest};
use crate::testing::{
    RUN, alone, closing, ended, job, key, new_job, path, report, ruled, run, settled, worker,
};

/// All kinds of parts, for a batch of its own.
async fn asked() -> Driven {
    let mut driven = Driven::holding([(1, &[1, 2, 3][..])]).await;
    driven.listen("n9");
    driven.ask(complete(1, vec![report(1)], 4));
    driven.ask(Request::Enqueue(Box::new(new_job(9))));
    driven.ask(heartbeat(1, [key(2), key(99)], 4));
    driven.ask(Request::Close(closing("pool")));
    driven.ask(Request::Yield { worker: worker(1), attempts: vec![key(3)], capacity: 4 });
    driven.ask(Request::Tick);
    driven
}

const ASKED: [&str; 8] =
    ["report 1", "yielded 3", "renew 2", "look", "close pool", "job 9", "doubt 99 of 1", "claim 2 for 1"];

#[actix::test]
async fn a_refused_batch_comes_again_unchanged_but_does_not_look() {
    let mut driven = asked().await;
    driven.batches.fail();
    driven.batches.fail();
    driven.batches.answer(Outcomes { completed: vec![settled(1, 1, ended())], ..Outcomes::default() });
    let mut tried = driven.work().await;
    assert_eq!((tried.len(), parts(&tried[0])), (3, ASKED.map(str::to_owned).to_vec()));
    assert_eq!(tried[1], tried[2]);
    tried[0].look = false;
    assert_eq!(tried[0], tried[1]);
    assert_eq!(driven.heard().await, ["worker 1 is answered 1 ended"], "once");
}

#[actix::test]
async fn what_is_asked_while_the_database_is_away_waits_for_the_next_batch() {
    let mut driven = asked().await;
    driven.batches.fail();
    driven.work().await;
    driven.ask(Request::Enqueue(Box::new(new_job(10))));
    assert_eq!(driven.parts().await[0], "job 10");
}

#[actix::test]
async fn the_server_is_unready_until_something_was_written() {
    let mut driven = asked().await;
    driven.batches.fail();
    driven.work().await;
    assert!(driven.health.check().is_ok(), "the second try has written");
    driven.health.refused(&weevil_records::StoreError::Failed { doing: "testing", cause: "beside".into() });
    driven.ask(Request::Tick);
    driven.work().await;
    assert!(driven.health.check().is_err(), "looking writes nothing");
    driven.ask(Request::Probe);
    assert_eq!(driven.parts().await, ["probe"]);
    assert!(driven.health.check().is_ok());
}

#[actix::test]
async fn a_batch_that_is_refused_for_good_is_committed_in_pieces_in_its_order() {
    let mut driven = asked().await;
    driven.batches.refuse(|batch| parts(batch).len() > 1);
    let tried = driven.work().await;
    assert!(tried[..3].iter().all(|batch| parts(batch).len() >= 7), "three times whole");
    let alone = |batch: &&weevil_queue::Batch| parts(batch).len() == 1;
    let taken: Vec<String> = tried.iter().filter(alone).flat_map(parts).collect();
    let looked_before = ASKED.iter().filter(|part| **part != "look");
    assert_eq!(taken, looked_before.copied().collect::<Vec<_>>());
}

#[actix::test]
async fn what_the_database_never_takes_is_set_aside_and_whoever_asked_is_told() {
    let mut driven = asked().await;
    let (reply, mut stored) = oneshot::channel();
    driven.ask(Request::Submit { jobs: vec![alone(10)], reply });
    driven.batches.refuse(|batch| !batch.enqueue.is_empty());
    driven.work().await;
    assert_eq!(driven.heard().await, ["node n9 hears not stored: poison"]);
    assert_eq!(stored.try_recv(), Ok(Err(NotStored("poison".to_owned()))));
    assert_eq!(driven.parts().await, Vec::<String>::new(), "it is not tried again");
}

#[actix::test]
async fn whoever_asks_modules_hears_that_what_they_said_is_not_kept() {
    let mut driven = asked().await;
    let (reply, mut kept) = oneshot::channel();
    let digest = weevil_model::ContentHash::of(b"value");
    let said = Opinion { job: job(10), digest, about: None, proof: None, alike: [].into(), failed: None };
    driven.ask(Request::OfServer(ServerRequest::Opine { opinions: vec![said], reply }));
    driven.batches.refuse(|batch| !batch.opinions.is_empty());
    driven.work().await;
    assert_eq!(kept.try_recv(), Ok(Err(NotStored("poison".to_owned()))));
    assert_eq!(driven.parts().await, Vec::<String>::new(), "it is not tried again");
}

#[actix::test]
async fn what_the_pieces_of_a_batch_come_to_is_told_together() {
    let mut driven = Driven::with([]);
    for number in [1, 2] {
        driven.listen(&path(number));
        driven.ask(Request::Close(closing(&path(number))));
    }
    driven.batches.refuse(|batch| parts(batch).len() > 1);
    let ruled = vec![ruled(1, ended(), Some(2))];
    driven.batches.answer(Outcomes { ruled, ..Outcomes::default() });
    driven.batches.answer(Outcomes { answered: vec![(run(RUN), path(2))], ..Outcomes::default() });
    driven.work().await;
    assert_eq!(driven.heard().await, ["node n1 hears value of 2", "node n2 hears answered"]);
}

#[actix::test]
async fn a_closing_that_the_database_never_takes_is_dropped() {
    let mut driven = asked().await;
    driven.batches.refuse(|batch| !batch.close.is_empty());
    driven.work().await;
    assert_eq!(driven.heard().await, Vec::<String>::new());
    assert_eq!(driven.parts().await, Vec::<String>::new(), "it is not tried again");
}

#[actix::test]
async fn a_value_that_the_database_never_takes_is_the_error_of_its_attempt() {
    let mut driven = Driven::holding([(1, &[1, 2][..])]).await;
    driven.listen("n1");
    driven.ask(complete(1, vec![report(1)], 0));
    driven.ask(heartbeat(1, [key(2)], 0));
    driven.batches.refuse(|batch| {
        batch.complete.iter().any(|report| matches!(report.report, weevil_queue::Report::Value(_)))
    });
    driven.batches.answer(Outcomes::default());
    let retried = settled(1, 1, Change::Requeued);
    driven.batches.answer(Outcomes { completed: vec![retried], ..Outcomes::default() });
    let tried = driven.work().await;
    let weevil_queue::Report::Error(failure) = &tried.last().unwrap().complete[0].report else { panic!() };
    assert_eq!((failure.kind.as_str(), failure.message.as_str()), ("notStored", "poison"));
    assert_eq!(driven.heard().await, ["node n1 hears requeued", "worker 1 is answered 1 accepted"]);
}

#[actix::test]
async fn a_database_that_refuses_everything_loses_nothing() {
    let mut driven = asked().await;
    let (reply, mut gone) = oneshot::channel();
    driven.ask(Request::CancelJob { job: job(30), reply });
    driven.batches.refuse(|_| true);
    driven.work().await;
    assert_eq!(driven.heard().await, Vec::<String>::new());
    assert!(gone.try_recv().is_err());
    driven.batches.refuse(|_| false);
    let parts = driven.parts().await;
    let expected = [
        "report 1",
        "yielded 3",
        "renew 2",
        "cancel job 30",
        "close pool",
        "job 9",
        "doubt 99 of 1",
        "claim 2 for 1",
    ];
    assert_eq!(parts, expected);
    assert_eq!(gone.try_recv(), Ok(Ok(())));
}

#[actix::test]
async fn what_a_worker_that_leaves_held_comes_again_as_well() {
    let mut driven = Driven::holding([(1, &[1][..])]).await;
    driven.ask(Request::Leave { worker: worker(1), end: AttemptEnd::Lost });
    driven.batches.fail();
    let tried = driven.work().await;
    assert_eq!(tried.iter().map(parts).collect::<Vec<_>>(), [["lost 1"], ["lost 1"]]);
    assert_eq!(driven.parts().await, Vec::<String>::new());
}
