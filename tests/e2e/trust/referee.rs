//! The server computes modules again that a volunteer has answered: what it says is believed at once, and what it cannot say goes to
//! others.

use weevil_api::AttemptView;
use weevil_e2e::{
    Browser, DatabaseKind, FakeWorker, Files, Form, Guest, TestServer, number, on_each_database,
};
use weevil_failpoint::Point;
use weevil_model::{Capabilities, JobId, Needs, NodeState};
use weevil_protocol::frame::Outcome;

use super::scene::{answer, ends, jobs, put_judged, result, story, tab_of};
use crate::looks::{await_words, look_at_console};
use crate::wasm::{constant, numbers};

/// Behind a proxy, and a whole core of it may check answers.
pub(super) const A_CORE: [&str; 4] = ["--trusted-proxy", "127.0.0.1", "--referee-percent", "100"];
/// The same, and it checks nothing.
const NOTHING: [&str; 4] = ["--trusted-proxy", "127.0.0.1", "--referee-percent", "0"];
/// Nobody can say what comes out of it.
const TRAP: &str = r#"(func (export "weevil_main") (result i32) (unreachable))"#;

on_each_database!(
    it_says_at_once_what_is_right,
    what_it_cannot_say_goes_to_volunteers,
    a_server_that_dies_over_a_check_makes_it_anew,
);

/// A volunteer who is independent of all others, and runs modules as well.
fn volunteer(server: &TestServer, number: u8) -> FakeWorker {
    let capabilities = Capabilities::JAVASCRIPT.and(Capabilities::WASM);
    let place = format!("198.51.{number}.7");
    let has = Some(Needs { capabilities, memory_mb: 0 });
    tab_of(server, Some(number), Guest { place: Some(&place), has, ..Guest::default() })
}

/// Starts a run of this module alone. Answers its job.
fn put(server: &TestServer, files: &Files) -> JobId {
    let run = server.api().run_form(&Form::of(files).text("trust", "credible(0.001)")).run;
    jobs(server, &run, 1).remove(0).id.parse().expect("the id of a job")
}

/// A job of the number seven, and somebody has said this of it.
pub(super) fn said(server: &TestServer, outcome: Outcome) -> JobId {
    let job = put(server, &constant(7));
    answer(&mut volunteer(server, 1), job, outcome);
    job
}

fn engines(attempts: &[AttemptView]) -> Vec<&str> {
    attempts.iter().filter_map(|attempt| attempt.answer.as_ref()).map(|answer| &*answer.engine).collect()
}

fn it_says_at_once_what_is_right(database: DatabaseKind) {
    let mut server = database.server_with(&A_CORE);
    for (value, fate) in [(7.0, "completed agreed"), (8.0, "completed refuted")] {
        let job = said(&server, number(value));
        assert_eq!(result(&server, job), 7);
        let found = story(&server, job);
        assert_eq!(ends(&found), [fate, "completed agreed"]);
        assert_eq!(engines(&found.attempts), ["other", "server"]);
        assert_eq!(found.attempts[1].worker, "server");
        assert_eq!(found.job.basis.as_deref(), Some("referee"));
    }
    let metrics = server.api().metrics();
    let counted = [
        r#"weevil_checks_total{by="referee"}"#,
        r#"weevil_checks_total{by="trusted"}"#,
        "weevil_answers_refuted_total",
    ];
    assert_eq!(format!("{:?}", counted.map(|name| metrics.get(name))), "[2.0, 0.0, 1.0]");
    assert!(metrics.get("weevil_referee_seconds_total") > 0.0);
    assert!(
        server.api().fleet().workers.iter().all(|worker| worker.agent == "fake"),
        "the server is no worker"
    );
    server.audit();
}

/// JavaScript, a module that traps, and all of a server that is to check nothing.
fn what_it_cannot_say_goes_to_volunteers(database: DatabaseKind) {
    for (settings, module, tried) in
        [(A_CORE, Some(TRAP), true), (A_CORE, None, false), (NOTHING, Some(TRAP), false)]
    {
        let mut server = database.server_with(&settings);
        let mut three = [1, 2, 3].map(|number| volunteer(&server, number));
        let job = match module {
            Some(fields) => put(&server, &numbers(fields)),
            None => put_judged(&server, "credible(0.001)", 0),
        };
        answer(&mut three[0], job, number(7.0));
        let found = server.api().await_history(&job.to_string(), |found| (found.attempts.len() > 1) == tried);
        assert_eq!(found.job.state, NodeState::Answered);
        for worker in &mut three[1..] {
            answer(worker, job, number(7.0));
        }
        assert_eq!(result(&server, job), 7);
        let mut expected = vec!["completed agreed"; 3];
        if tried {
            expected.insert(1, "yielded");
        }
        assert_eq!(ends(&story(&server, job)), expected);
        server.audit();
    }
}

fn a_server_that_dies_over_a_check_makes_it_anew(database: DatabaseKind) {
    let mut server = database.server_with(&A_CORE);
    server.kill();
    assert!(server.restart_to_die(Point::Judged, 1));
    let job = said(&server, number(7.0));
    server.await_death();
    server.restart();
    assert_eq!(result(&server, job), 7);
    assert_eq!(ends(&story(&server, job)), ["completed agreed", "lost", "completed agreed"]);
    server.audit();
}

#[test]
fn people_see_that_the_server_has_checked() {
    let server = TestServer::start(&A_CORE);
    let job = said(&server, number(8.0));
    assert_eq!(result(&server, job), 7);
    let browser = Browser::start();
    let console = server.console(&browser, &format!("#/jobs/{job}"));
    await_words(&console, "#job-page", "Answered by this server, which checked it: value");
    look_at_console(&console, "checked-by-the-server");
    let output = server.command().args(["explain", &job.to_string(), "--server", &server.url("")]).output();
    let told = String::from_utf8(output.expect("the binary runs").stdout).expect("text");
    for words in ["  2. server, waited", "answered by the server itself (server, check): value"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}
