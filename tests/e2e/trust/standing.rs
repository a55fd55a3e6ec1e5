//! What a device is told of its own answers: over its connection, when something has changed; and what its page makes of that.

use weevil_api::JobHistory;
use weevil_e2e::{Browser, FakeWorker, TestServer, number};
use weevil_protocol::standing::{Standing, StandingRank};

use super::scene::{BEHIND_A_PROXY, answer, next, put_judged, result, volunteer};
use super::trusted::trusted;
use crate::looks::{light, phone};
use crate::volunteer_looks::{look, speak};

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

/// It is a stranger to the server that agrees three times with a trusted device, and then does not.
#[test]
fn the_page_of_a_browser_that_was_found_wrong_says_that_it_rests() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let mut honest = trusted(&server, 9);
    let browser = Browser::start();
    let page = browser.open(&server.url("/?autostart&slots=1"));
    light(&page, "light");
    for said in [1, 1, 1, 2] {
        let job = put_judged(&server, "credible(0.01)", 0);
        let has_answer =
            |history: &JobHistory| history.attempts.iter().any(|attempt| attempt.answer.is_some());
        server.api().await_history(&job.to_string(), has_answer);
        answer(&mut honest, job, number(said.into()));
        assert_eq!(result(&server, job), said);
    }
    page.wait_for("!rest.hidden && given.innerText === '4' && confirmed.innerText === '3' && differed.innerText === '1'");
    look(&page, "found-wrong");
    phone(&page);
    light(&page, "dark");
    for language in ["de", "zh-Hans"] {
        speak(&page, language);
        look(&page, &format!("found-wrong-phone-dark-{language}"));
    }
}
