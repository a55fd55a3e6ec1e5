//! What a device is told of its own answers: over its connection, when something has changed; and what its page makes of that.

use weevil_e2e::{FakeWorker, TestServer, number};
use weevil_protocol::standing::{Standing, StandingRank};

use super::scene::{BEHIND_A_PROXY, answer, next, put_judged, volunteer};

const ONE: Standing = Standing {
    rank: StandingRank::Newcomer,
    given: 1,
    confirmed: 0,
    waiting: 1,
    refused: 0,
    rests_until: None,
};
const BELIEVED: Standing = Standing { confirmed: 1, waiting: 0, ..ONE };

fn await_standing(worker: &mut FakeWorker, expected: Standing) {
    while worker.standing() != expected {}
}

#[test]
fn a_device_hears_how_its_answers_stand() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let job = put_judged(&server, "quorum(2)", 0);
    let (mut first, mut second) = (volunteer(&server, 1), volunteer(&server, 2));
    answer(&mut first, job, number(1.0));
    assert_eq!(first.standing(), ONE, "its answer waits");
    answer(&mut second, job, number(1.0));
    assert_eq!(second.standing(), BELIEVED, "the answer that decides does not wait");
    // Which device speaks from it is known again once it may be handed something.
    drop(first);
    put_judged(&server, "quorum(2)", 0);
    let mut again = volunteer(&server, 1);
    next(&mut again);
    await_standing(&mut again, BELIEVED);
}

#[test]
fn a_device_hears_that_its_answer_differed() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let job = put_judged(&server, "quorum(2)", 0);
    for (by, value) in [(1, 2.0), (2, 1.0), (3, 1.0)] {
        answer(&mut volunteer(&server, by), job, number(value));
    }
    let job = put_judged(&server, "quorum(2)", 0);
    let mut again = volunteer(&server, 1);
    answer(&mut again, job, number(1.0));
    await_standing(&mut again, Standing { given: 2, refused: 1, ..ONE });
}
