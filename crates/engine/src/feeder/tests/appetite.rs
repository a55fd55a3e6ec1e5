//! How much is claimed for whom: what each worker wants beyond what it holds, within its window and its place's bounds.

use weevil_queue::batch::Change;
use weevil_queue::{AttemptEnd, Outcomes};

use super::driven::{Driven, complete, heartbeat};
use crate::feeder::Request;
use crate::testing::{GPU, Guest, claimed, ended, key, report, returned, settled, worker};

#[actix::test]
async fn each_worker_asks_for_what_it_wants_within_its_window() {
    for (guests, claims) in [
        (vec![], &[][..]),
        (vec![Guest::new(1)], &[]),
        (vec![Guest::new(1).wants(3)], &["claim 3 for 1"]),
        (
            vec![Guest::new(1).wants(3), Guest::new(2), Guest::new(3).wants(1)],
            &["claim 1 for 3", "claim 3 for 1"],
        ),
        (vec![Guest::new(1).wants(2_048)], &["claim 16 for 1"]),
        (vec![Guest::new(1).wants(2_048).slots(20)], &["claim 21 for 1"]),
        (vec![Guest::new(1).wants(2_048).slots(u32::MAX)], &["claim 33 for 1"]),
        (vec![Guest::new(1).wants(2).with(GPU)], &["claim 2 for 1"]),
    ] {
        let mut driven = Driven::with(guests);
        assert_eq!(driven.parts().await, claims);
    }
}

#[actix::test]
async fn a_claim_has_a_token_for_each_job_and_what_each_worker_has() {
    let mut driven = Driven::with([Guest::new(1).wants(3), Guest::new(2).wants(4).with(GPU)]);
    let claim = driven.work().await.remove(0).claim;
    let mut tokens = claim.tokens.clone();
    tokens.sort_unstable();
    tokens.dedup();
    assert_eq!(tokens.len(), 7);
    for ask in &claim.asks {
        assert_eq!(ask.has.meet(GPU), ask.worker == worker(2), "{ask:?}");
    }
}

#[actix::test]
async fn what_a_worker_says_and_holds_changes_what_it_asks_for() {
    let capacity = |capacity| heartbeat(1, [], capacity);
    let reported = |capacity| complete(1, vec![report(1)], capacity);
    let yielded = |capacity| Request::Yield { worker: worker(1), attempts: vec![key(2)], capacity };
    for (request, claims) in [
        (capacity(2), 0),
        (capacity(3), 1),
        (capacity(0), 0),
        (reported(2), 0),
        (reported(5), 3),
        (yielded(1), 0),
        (yielded(3), 2),
    ] {
        let mut driven = Driven::holding([(1, &[1, 2][..])]).await;
        driven.ask(request);
        let asked: u32 =
            driven.work().await.iter().flat_map(|batch| &batch.claim.asks).map(|ask| ask.wants).sum();
        assert_eq!(asked, claims, "it held two");
    }
}

#[actix::test]
async fn what_has_been_handed_out_is_not_asked_for_again() {
    let mut driven = Driven::with([Guest::new(1).wants(3)]);
    for (handed, next) in [(vec![1, 2], "claim 1 for 1"), (vec![3], "")] {
        let claimed = handed.iter().map(|number| claimed(*number, 1)).collect();
        // There is more: else nobody is asked for.
        let outcomes = Outcomes { claimed, cut: true, ..Outcomes::default() };
        driven.answered(outcomes).await;
        let parts = driven.answered(Outcomes { cut: true, ..Outcomes::default() }).await;
        assert_eq!(parts.first().map_or("", String::as_str), next, "{handed:?}");
    }
}

#[actix::test]
async fn a_worker_holds_more_with_each_value_and_few_after_an_expiry() {
    let attempts: Vec<i64> = (1..=16).collect();
    let mut driven = Driven::holding([(1, &attempts[..])]).await;
    driven.ask(complete(1, attempts[..4].iter().copied().map(report).collect(), 2_048));
    let completed =
        (1..=4).map(|number| settled(number, 1, if number < 4 { ended() } else { Change::Requeued }));
    driven.answered(Outcomes { completed: completed.collect(), cut: true, ..Outcomes::default() }).await;
    assert_eq!(driven.parts().await, ["claim 7 for 1"], "three values, twelve held");
    driven.ask(Request::Tick);
    let returned = vec![returned(5, 1, AttemptEnd::Expired)];
    driven.answered(Outcomes { returned, cut: true, ..Outcomes::default() }).await;
    assert_eq!(driven.parts().await, ["claim 5 for 1"], "as if it had just come, eleven held");
}

#[actix::test]
async fn newcomers_of_one_place_hold_few_jobs_together() {
    let slots = |number, place| Guest::new(number).at(place).slots(32).wants(2_048);
    let mut driven = Driven::with((1..=20).map(|number| slots(number, 1)).chain([slots(21, 2)]));
    let asks = driven.work().await.remove(0).claim.asks;
    let wanted = |elsewhere: bool| -> u32 {
        let of_place = asks.iter().filter(|ask| (ask.worker == worker(21)) == elsewhere);
        of_place.map(|ask| ask.wants).sum()
    };
    assert_eq!((wanted(false), wanted(true)), (512, 33));
}

#[actix::test]
async fn one_claim_is_bounded_however_many_ask() {
    let guests =
        (1..=90).map(|number| Guest::new(number).at(u8::try_from(number).unwrap()).slots(32).wants(99));
    let mut driven = Driven::with(guests);
    assert_eq!(driven.work().await.remove(0).claim.tokens.len(), 1_024);
}
