//! Which jobs spares are asked for, when, and for whom; and whose copy was first.

use std::time::Duration;

use weevil_queue::batch::Settled;
use weevil_queue::{AttemptKey, Claimed, Outcomes};

use super::driven::{Driven, complete, heartbeat};
use crate::feeder::Request;
use crate::health::Phase;
use crate::testing::{GPU, Guest, claimed, ended, job, report, settled, worker};

/// Worker 1, of place 1, holds job 1.
async fn slow() -> Driven {
    Driven::holding([(1, &[1][..])]).await
}

/// The guest has come, and asks in vain.
async fn in_vain(driven: &mut Driven, guest: Guest) {
    let join = driven.join(guest);
    driven.ask(join);
    driven.work().await;
}

/// What is asked of spares when so much time has passed.
async fn after(driven: &mut Driven, ms: i64) -> Vec<String> {
    driven.clock.advance(ms);
    let parts = driven.parts().await;
    parts.into_iter().filter(|part| part.starts_with("spare")).collect()
}

#[actix::test]
async fn who_would_leave_empty_handed_gets_a_spare_of_what_somebody_elsewhere_is_slow_at() {
    let guest = || Guest::new(2).at(2);
    for (guest, ms, expected) in [
        (guest().wants(1), 29_999, &[][..]),
        (guest().wants(1), 30_000, &["spare of 1", "spare 1 for 2"]),
        (guest().wants(9).slots(4), 30_000, &["spare of 1", "spare 4 for 2"]),
        (guest().wants(3).slots(4), 30_000, &["spare of 1", "spare 3 for 2"]),
        (guest().wants(0), 30_000, &[]),
        (guest().wants(1).at(1), 30_000, &[]),
        (guest().wants(1).with(GPU), 30_000, &["spare of 1", "spare 1 for 2"]),
    ] {
        let mut driven = slow().await;
        in_vain(&mut driven, guest).await;
        assert_eq!(after(&mut driven, ms).await, expected, "{ms}");
    }
}

#[actix::test]
async fn nobody_who_computes_as_much_as_it_can_gets_one() {
    for (slots, expected) in [(1, &[][..]), (2, &["spare of 1", "spare 1 for 2"])] {
        let mut driven = slow().await;
        in_vain(&mut driven, Guest::new(2).at(2).wants(9).slots(slots)).await;
        driven.ask(heartbeat(2, [], 9));
        driven.ask(Request::Resumed);
        driven.answered(Outcomes { claimed: vec![claimed(5, 2)], ..Outcomes::default() }).await;
        if slots == 2 {
            driven.ask(Request::Heartbeat {
                worker: worker(2),
                holding: vec![],
                slots,
                capacity: 9,
                duty: None,
            });
        }
        let expected: Vec<String> = expected.iter().map(|part| (*part).to_owned()).collect();
        assert_eq!(after(&mut driven, 30_000).await, expected, "{slots}");
    }
}

#[actix::test]
async fn a_code_whose_times_are_known_is_waited_for_as_long_as_they_say() {
    for (took_ms, early_ms) in [(1, 1999), (1000, 2999)] {
        let attempts: Vec<i64> = (1..=21).collect();
        let mut driven = Driven::holding([(1, &attempts[..])]).await;
        driven.clock.advance(took_ms);
        driven.ask(complete(1, (1..=20).map(report).collect(), 0));
        let completed = (1..=20).map(|number| settled(number, 1, ended())).collect();
        driven.answered(Outcomes { completed, ..Outcomes::default() }).await;
        in_vain(&mut driven, Guest::new(2).at(2).wants(1)).await;
        let passed = early_ms - took_ms;
        assert_eq!(after(&mut driven, passed).await, Vec::<String>::new(), "{took_ms}");
        assert_eq!(after(&mut driven, 1000).await, ["spare of 21", "spare 1 for 2"], "{took_ms}");
    }
}

#[actix::test]
async fn what_brought_nothing_is_asked_for_again_after_a_while() {
    let mut driven = slow().await;
    in_vain(&mut driven, Guest::new(2).at(2).wants(1)).await;
    for (ms, asks) in [(30_000, true), (1000, false), (8000, false), (1000, true), (9000, false)] {
        assert_eq!(!after(&mut driven, ms).await.is_empty(), asks, "{ms}");
    }
}

/// While others of a pool are ready, each who would take a spare gets one of those: that says nothing about the spare.
#[actix::test]
async fn who_got_something_else_is_asked_again_soon() {
    let mut driven = slow().await;
    driven.clock.advance(30_000);
    let join = driven.join(Guest::new(2).at(2).wants(1));
    driven.ask(join);
    driven.batches.answer(Outcomes { claimed: vec![claimed(5, 2)], ..Outcomes::default() });
    assert_eq!(driven.parts().await, ["claim 1 for 2", "spare of 1", "spare 1 for 2"]);
    driven.ask(complete(2, vec![report(5)], 1));
    let completed = vec![settled(5, 2, ended())];
    driven.answered(Outcomes { completed, ..Outcomes::default() }).await;
    assert_eq!(after(&mut driven, 1000).await, ["spare of 1", "spare 1 for 2"]);
    assert_eq!(after(&mut driven, 1000).await, Vec::<String>::new(), "nobody was given it");
}

#[actix::test]
async fn who_asks_for_jobs_as_well_is_granted_no_more_by_that() {
    let mut driven = slow().await;
    driven.clock.advance(30_000);
    let join = driven.join(Guest::new(2).at(2).wants(9).slots(2));
    driven.ask(join);
    let parts = driven.work().await.remove(0);
    assert_eq!(super::driven::parts(&parts), ["claim 9 for 2", "spare of 1", "spare 2 for 2"]);
    assert_eq!(parts.claim.tokens.len(), 11);
}

/// Worker 2 has the spare of job 1.
fn spare() -> Claimed {
    Claimed { key: AttemptKey { job: job(1), token: 100 }, ..claimed(1, 2) }
}

#[actix::test]
async fn a_job_has_one_spare_and_whose_copy_was_first_is_counted() {
    for won in [true, false] {
        let mut driven = slow().await;
        in_vain(&mut driven, Guest::new(2).at(2).wants(1)).await;
        driven.batches.answer(Outcomes { claimed: vec![spare()], ..Outcomes::default() });
        assert_eq!(after(&mut driven, 30_000).await, ["spare of 1", "spare 1 for 2"]);
        in_vain(&mut driven, Guest::new(3).at(3).wants(1)).await;
        assert_eq!(after(&mut driven, 60_000).await, Vec::<String>::new(), "two are out");
        let (by, first, other) = if won {
            (2, spare().key, (worker(1), claimed(1, 1).key))
        } else {
            (1, claimed(1, 1).key, (worker(2), spare().key))
        };
        driven.ask(complete(by, vec![weevil_queue::Submission { key: first, ..report(1) }], 0));
        let completed = vec![Settled { key: first, ..settled(1, by, ended()) }];
        driven.answered(Outcomes { completed, revoked: vec![other], ..Outcomes::default() }).await;
        let counted = |won| driven.metrics.queue.spares.get_or_create(&[("won", won)]).get();
        assert_eq!((counted("true"), counted("false")), (u64::from(won), u64::from(!won)));
    }
}

/// A look that is due and is not taken would be due for ever.
#[actix::test]
async fn a_server_that_drains_asks_for_none_and_does_not_wait_for_the_moment() {
    let mut driven = slow().await;
    in_vain(&mut driven, Guest::new(2).at(2).wants(1)).await;
    driven.clock.advance(30_000);
    assert_eq!(driven.feeder.until_spares(), Some(Duration::ZERO));
    driven.health.enter(Phase::Draining(Duration::ZERO));
    assert_eq!(driven.feeder.until_spares(), None);
    assert_eq!(after(&mut driven, 1).await, Vec::<String>::new());
}

#[actix::test]
async fn a_server_that_is_told_so_asks_for_none() {
    let mut driven = slow().await;
    driven.feeder.spares = crate::feeder::spares::SpareDesk::new(false);
    in_vain(&mut driven, Guest::new(2).at(2).wants(1)).await;
    assert_eq!(after(&mut driven, 90_000).await, Vec::<String>::new());
}
