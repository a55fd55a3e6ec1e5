//! Attempts that workers name and nobody here has given them: whom the database is asked about, and who hears of it.

use weevil_peer::Flow;
use weevil_queue::Outcomes;

use super::driven::{Driven, heartbeat};
use crate::feeder::doubts::MAX_DOUBTED;
use crate::testing::{Guest, HEARTBEAT_MS, key, worker};

#[actix::test]
async fn what_is_held_is_renewed_and_everything_else_is_doubted() {
    for (by, named, expected) in [
        (1, [1, 8], ["renew 1", "doubt 8 of 1"].as_slice()),
        (2, [1, 8], &["renew 1", "doubt 8 of 2"]),
        (1, [2, 3], &["renew 2", "renew 3"]),
        (9, [1, 8], &[]),
    ] {
        let mut driven = Driven::holding([(1, &[1, 2][..]), (2, &[3])]).await;
        driven.ask(heartbeat(by, named.map(key), 0));
        assert_eq!(driven.parts().await, expected, "{by} {named:?}");
    }
}

#[actix::test]
async fn whoever_named_an_attempt_is_told_that_it_is_not_theirs() {
    let mut driven = Driven::with([Guest::new(1), Guest::new(2)]);
    driven.ask(heartbeat(2, [key(5)], 0));
    driven.answered(Outcomes { disowned: vec![(worker(2), key(5))], ..Outcomes::default() }).await;
    assert_eq!(driven.heard().await, ["worker 2 loses 5"]);
}

#[actix::test]
async fn an_attempt_is_taken_from_the_connection_that_holds_it_now() {
    let mut driven = Driven::holding([(1, &[1][..]), (2, &[2])]).await;
    driven.ask(heartbeat(2, [key(1)], 0));
    driven.answered(Outcomes { revoked: vec![(worker(1), key(1))], ..Outcomes::default() }).await;
    assert_eq!(driven.heard().await, ["worker 2 loses 1"], "it has named it since");
}

#[actix::test]
async fn the_database_is_asked_about_so_many_in_a_heartbeats_time() {
    let most = usize::try_from(MAX_DOUBTED).unwrap();
    let mut driven = Driven::with([Guest::new(1).at(1), Guest::new(2).at(2)]);
    let all = || (1..=i64::from(MAX_DOUBTED) + 9).map(key);
    for (by, later_ms, asked) in [(1, 0, most), (1, 0, 0), (2, 0, most), (1, i64::from(HEARTBEAT_MS), 1_365)]
    {
        driven.clock.advance(later_ms);
        driven.ask(heartbeat(by, all(), 0));
        let parts = driven.parts().await;
        assert_eq!(parts.len(), asked, "worker {by}, {later_ms} ms later");
    }
}

#[actix::test]
async fn workers_of_one_place_share_what_may_be_doubted() {
    let mut driven = Driven::with([Guest::new(1), Guest::new(2)]);
    for (by, many, asked) in [(1, 3_000, 3_000), (2, 3_000, 1_096)] {
        driven.ask(heartbeat(by, (1..=many).map(key), 0));
        assert_eq!(driven.parts().await.len(), asked, "worker {by}");
    }
    assert_eq!(driven.budget.left(driven.peer(1), Flow::Unasked), 0);
}
