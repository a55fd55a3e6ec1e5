//! Which part of a batch each request becomes, and in which order the parts stand.

use weevil_model::ContentHash;
use weevil_queue::{AttemptEnd, Outcomes};

use super::driven::{Driven, complete, heartbeat};
use crate::feeder::Request;
use crate::testing::{RUN, alone, closing, failed, job, key, new_job, report, run, worker};

fn requests() -> Vec<(&'static str, Request)> {
    let (reply, _) = tokio::sync::oneshot::channel();
    let (gone, _) = tokio::sync::oneshot::channel();
    let (job_of, end) = (|number| Box::new(new_job(number)), AttemptEnd::Lost);
    vec![
        ("probe", Request::Probe),
        ("job 21", Request::Enqueue(job_of(21))),
        ("doubt 99 of 1", heartbeat(1, [key(99)], 0)),
        ("reopen n22", Request::Reopen { job: job_of(22), message: String::new() }),
        ("close pool", Request::Close(closing("pool"))),
        ("cancel run 7", Request::CancelRun(run(RUN))),
        ("cancel job 23", Request::CancelJob { job: job(23), reply }),
        ("look", Request::Tick),
        ("renew 1", heartbeat(1, [key(1)], 0)),
        ("yielded 2", Request::Yield { worker: worker(1), attempts: vec![key(2)], capacity: 0 }),
        ("lost 11", Request::Leave { worker: worker(2), end }),
        ("report 3", complete(1, vec![report(3), failed(4)], 0)),
        ("job 24", Request::Submit { jobs: vec![alone(24), alone(25)], reply: gone }),
        ("", Request::Resumed),
        ("", Request::Identified { worker: worker(1), device: ContentHash::of(b"") }),
        ("", Request::Marked(7)),
        ("", complete(1, vec![], 0)),
        ("", Request::Leave { worker: worker(3), end }),
        ("claim 1 for 1", heartbeat(1, [], 5)),
    ]
}

async fn bed() -> Driven {
    Driven::holding([(1, &[1, 2, 3, 4][..]), (2, &[11])]).await
}

#[actix::test]
async fn each_request_becomes_its_own_part() {
    for (expected, request) in requests() {
        let mut driven = bed().await;
        driven.ask(request);
        let parts = driven.parts().await;
        assert_eq!(parts.first().map_or("", String::as_str), expected, "{parts:?}");
    }
}

#[actix::test]
async fn whatever_the_order_of_requests_the_parts_stand_in_one_order() {
    let expected = [
        "report 3",
        "report 4",
        "yielded 2",
        "lost 11",
        "renew 1",
        "look",
        "cancel run 7",
        "cancel job 23",
        "reopen n22",
        "close pool",
        "job 21",
        "job 22",
        "job 24",
        "job 25",
        "doubt 99 of 1",
        "claim 2 for 1",
        "probe",
    ];
    let mut driven = bed().await;
    for (_, request) in requests() {
        driven.ask(request);
    }
    assert_eq!(driven.parts().await, expected);
    assert_eq!(driven.parts().await, Vec::<String>::new(), "what was asked once is committed once");
}

#[actix::test]
async fn requests_of_one_kind_keep_their_order() {
    let mut driven = bed().await;
    for number in [33, 31, 32] {
        driven.ask(Request::Enqueue(Box::new(new_job(number))));
        driven.ask(complete(1, vec![report(number)], 0));
    }
    let expected = ["report 33", "report 31", "report 32", "job 33", "job 31", "job 32"];
    assert_eq!(driven.answered(Outcomes::default()).await, expected);
}

#[actix::test]
async fn a_pool_closes_once_in_a_batch() {
    let mut driven = bed().await;
    for pool in ["a", "b", "a"] {
        driven.ask(Request::Close(closing(pool)));
    }
    assert_eq!(driven.parts().await, ["close a", "close b"]);
    driven.ask(Request::Close(closing("a")));
    assert_eq!(driven.parts().await, ["close a"]);
}

#[actix::test]
async fn an_attempt_named_twice_is_renewed_once_with_the_last_word_on_its_progress() {
    for (told, kept) in
        [(&[Some(0.1), Some(0.4)][..], Some(0.4)), (&[Some(0.1), None], Some(0.1)), (&[None], None)]
    {
        let mut driven = bed().await;
        for progress in told {
            let renew = weevil_queue::Renew { key: key(1), progress: *progress };
            driven.ask(Request::Heartbeat {
                worker: worker(1),
                holding: vec![renew],
                slots: 1,
                capacity: 0,
                duty: None,
            });
        }
        let tried = driven.work().await;
        let renewed: Vec<_> = tried[0].renew.iter().map(|renew| (renew.key, renew.progress)).collect();
        assert_eq!(renewed, [(key(1), kept)], "{told:?}");
    }
}
