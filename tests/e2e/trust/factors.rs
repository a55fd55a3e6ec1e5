//! `examples/factors`, as its page says: a browser alone is enough, since its answers are proved, and no lie gets through.

use serde_json::Value;
use weevil_e2e::{Browser, TestServer, workflow_in};
use weevil_model::RunState;
use weevil_protocol::frame::Outcome;

use super::scene::{BEHIND_A_PROXY, answer, ends, jobs, story, volunteer};

#[test]
fn one_browser_is_enough_and_a_liar_is_found() {
    let files = workflow_in("../examples/factors");
    let expected = files.iter().find(|file| file.0 == "expected.json").expect("expected.json");
    let expected: Value = serde_json::from_slice(&expected.1).expect("JSON");
    let server = TestServer::start(&BEHIND_A_PROXY);
    let run = server.api().run(&files);
    let first = jobs(&server, &run, 24).remove(0).id.parse().expect("the id of a job");
    // A list without factors.
    let lie = weevil_model::Encoded::of(&weevil_model::Value::Array(Vec::new())).expect("a value");
    answer(&mut volunteer(&server, 1), first, Outcome::Value(lie.as_bytes().to_vec().into()));
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=1"));
    let view = server.api().await_end(&run);
    assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
    assert_eq!(view.result.as_ref(), Some(&expected["result"]));
    let stats = view.stats;
    assert_eq!((stats.proved, stats.answers, stats.refuted), (Some(24), Some(25), Some(1)));
    assert_eq!(ends(&story(&server, first)), ["completed refuted", "completed agreed"]);
}
