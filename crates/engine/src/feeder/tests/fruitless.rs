//! Who has asked in vain is not asked for again until something may be ready.

use weevil_queue::batch::Change;
use weevil_queue::{AttemptEnd, Outcomes};

use super::driven::{Driven, complete, heartbeat};
use crate::feeder::Request;
use crate::testing::{
    GPU, Guest, RUN, alone, claimed, closing, ended, failed, key, new_job, path, report, returned, ruled,
    run, settled, stale, worker,
};

/// Workers 1 and 2 have asked in vain; worker 2 has a GPU, and worker 1 holds what it holds.
async fn in_vain() -> Driven {
    let mut driven = Driven::holding([(1, &[1][..])]).await;
    driven.ask(heartbeat(1, [], 3));
    let join = driven.join(Guest::new(2).wants(1).with(GPU));
    driven.ask(join);
    assert_eq!(driven.answered(Outcomes::default()).await, ["claim 1 for 2", "claim 2 for 1"]);
    driven
}

/// Who is claimed for when the next batch comes, which brings nothing else.
async fn claims(driven: &mut Driven) -> Vec<String> {
    driven.ask(Request::Probe);
    let parts = driven.parts().await;
    parts.into_iter().filter(|part| part.starts_with("claim")).collect()
}

#[actix::test]
async fn what_brought_nothing_is_learned_by_what_workers_have() {
    let both = vec!["claim 1 for 2", "claim 2 for 1"];
    for (claimed_for, cut, expected) in [
        (vec![], false, vec![]),
        (vec![], true, both),
        (vec![2], false, vec![]),
        (vec![1], true, vec!["claim 1 for 1", "claim 1 for 2"]),
        (vec![1, 1], false, vec![]),
    ] {
        let mut driven = Driven::with([Guest::new(1).wants(2), Guest::new(2).wants(1).with(GPU)]);
        let claimed = (1..).zip(&claimed_for).map(|(number, by)| claimed(number, *by)).collect();
        driven.answered(Outcomes { claimed, cut, ..Outcomes::default() }).await;
        assert_eq!(claims(&mut driven).await, expected, "{claimed_for:?} {cut}");
    }
}

#[actix::test]
async fn others_ask_on_while_some_would_ask_in_vain() {
    let mut driven = Driven::with([Guest::new(1).wants(2)]);
    driven.work().await;
    let join = driven.join(Guest::new(2).wants(1).with(GPU));
    driven.ask(join);
    assert_eq!(driven.parts().await, ["claim 1 for 2"]);
    let join = driven.join(Guest::new(3).wants(1));
    driven.ask(join);
    assert_eq!(driven.parts().await, Vec::<String>::new(), "it has what the first one has");
}

#[actix::test]
async fn it_is_forgotten_before_the_batch_that_may_bring_something() {
    let (reply, _gone) = tokio::sync::oneshot::channel();
    let reopened = Request::Reopen { job: Box::new(new_job(5)), message: String::new() };
    for (request, forgets) in [
        (Request::Enqueue(Box::new(new_job(5))), true),
        (Request::Submit { jobs: vec![alone(5)], reply }, true),
        (reopened, true),
        (Request::Close(closing("pool")), true),
        (Request::Resumed, true),
        (Request::Tick, false),
        (Request::Probe, false),
        (Request::CancelRun(run(RUN)), false),
        (heartbeat(1, [key(1)], 3), false),
        (complete(1, vec![report(1)], 3), false),
        (Request::Yield { worker: worker(1), attempts: vec![key(1)], capacity: 2 }, false),
    ] {
        let mut driven = in_vain().await;
        driven.ask(request);
        let parts = driven.parts().await;
        assert_eq!(parts.iter().any(|part| part.starts_with("claim")), forgets, "{parts:?}");
    }
}

#[actix::test]
async fn it_is_forgotten_after_a_batch_that_brought_something_back() {
    let none = Outcomes::default;
    for (outcomes, forgets) in [
        (none(), false),
        (Outcomes { completed: vec![settled(1, 1, ended())], ..none() }, false),
        (Outcomes { completed: vec![settled(1, 1, Change::Requeued)], ..none() }, true),
        (Outcomes { completed: vec![settled(1, 1, Change::CopyReturned)], ..none() }, true),
        (Outcomes { completed: vec![stale(1, weevil_queue::batch::Verdict::Superseded)], ..none() }, false),
        (Outcomes { returned: vec![returned(1, 1, AttemptEnd::Yielded)], ..none() }, true),
        (Outcomes { returned: vec![returned(1, 1, AttemptEnd::Lost)], ..none() }, true),
        (Outcomes { returned: vec![returned(1, 1, AttemptEnd::Expired)], ..none() }, true),
        (Outcomes { ruled: vec![ruled(1, Change::Requeued, None)], ..none() }, true),
        (Outcomes { ruled: vec![ruled(1, ended(), Some(1))], ..none() }, false),
        (Outcomes { answered: vec![(run(RUN), path(1))], ..none() }, false),
        (Outcomes { woken: 1, ..none() }, true),
        (Outcomes { revoked: vec![(worker(1), key(1))], ..none() }, false),
        (Outcomes { disowned: vec![(worker(1), key(1))], ..none() }, false),
    ] {
        let mut driven = in_vain().await;
        driven.ask(complete(1, vec![failed(1)], 3));
        let told = format!("{outcomes:?}");
        driven.answered(outcomes).await;
        assert_eq!(!claims(&mut driven).await.is_empty(), forgets, "{told}");
    }
}
