//! Who puts stand-alone jobs in, ends one, or brings what modules say, is answered when that is durable: each for its own.

use std::sync::Arc;

use futures_util::FutureExt;
use tokio::sync::Notify;
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;
use weevil_model::ContentHash;
use weevil_queue::{Duplicate, Opinion, Outcomes};

use super::driven::Driven;
use crate::feeder::{Request, ServerRequest};
use crate::testing::{alone, job};

fn duplicate(asked: i64, kept: i64) -> Duplicate {
    Duplicate { asked: job(asked), kept: job(kept), equal: true }
}

#[actix::test]
async fn each_hears_of_its_own_duplicates() {
    let mut driven = Driven::with([]);
    let heard: Vec<_> = [vec![1, 2], vec![3], vec![4]]
        .into_iter()
        .map(|numbers| {
            let (reply, heard) = oneshot::channel();
            let jobs = numbers.into_iter().map(alone).collect();
            driven.ask(Request::Submit { jobs, reply });
            heard
        })
        .collect();
    let duplicates = vec![duplicate(4, 8), duplicate(2, 9), duplicate(1, 7)];
    driven.answered(Outcomes { duplicates, ..Outcomes::default() }).await;
    let heard: Vec<_> = heard.into_iter().map(|mut heard| heard.try_recv().unwrap().unwrap()).collect();
    assert_eq!(heard, [vec![duplicate(2, 9), duplicate(1, 7)], vec![], vec![duplicate(4, 8)]]);
}

#[actix::test]
async fn who_asks_later_is_answered_by_a_later_batch() {
    let mut driven = Driven::with([]);
    let (reply, mut first) = oneshot::channel();
    driven.ask(Request::CancelJob { job: job(1), reply });
    assert_eq!(driven.parts().await, ["cancel job 1"]);
    let (reply, mut second) = oneshot::channel();
    driven.ask(Request::CancelJob { job: job(1), reply });
    assert_eq!((first.try_recv(), second.try_recv()), (Ok(Ok(())), Err(TryRecvError::Empty)));
    driven.work().await;
    assert_eq!(second.try_recv(), Ok(Ok(())));
}

#[actix::test]
async fn whoever_asks_modules_hears_when_there_is_something_and_when_it_is_kept() {
    let mut driven = Driven::with([]);
    let bell = Arc::new(Notify::new());
    let rings = || bell.notified().now_or_never().is_some();
    driven.ask(Request::OfServer(ServerRequest::AskModules(bell.clone())));
    driven.ask(Request::Probe);
    driven.work().await;
    assert!(rings(), "for what was left before");
    for (questions, expected) in [(0, false), (2, true)] {
        driven.ask(Request::Probe);
        driven.answered(Outcomes { questions, ..Outcomes::default() }).await;
        assert_eq!(rings(), expected, "{questions}");
    }
    let (reply, mut kept) = oneshot::channel();
    let digest = ContentHash::of(b"value");
    let said = |number| Opinion {
        job: job(number),
        digest,
        about: None,
        proof: None,
        alike: [].into(),
        failed: None,
    };
    driven.ask(Request::OfServer(ServerRequest::Opine { opinions: vec![said(1), said(2)], reply }));
    assert_eq!(kept.try_recv(), Err(TryRecvError::Empty));
    assert_eq!(driven.parts().await, ["opinion on 1", "opinion on 2"]);
    assert_eq!(kept.try_recv(), Ok(Ok(())));
}

#[actix::test]
async fn whoever_has_gone_is_no_trouble() {
    let mut driven = Driven::with([]);
    let (reply, gone) = oneshot::channel();
    drop(gone);
    driven.ask(Request::Submit { jobs: vec![alone(1)], reply });
    assert_eq!(driven.parts().await, ["job 1"], "what was asked stays asked");
}
