//! Jobs and workers that misbehave: whom it concerns is told, and nobody else notices.

use tungstenite::Message;
use weevil_api::AttemptError;
use weevil_e2e::{Browser, FakeWorker, TestServer, job_workflow, number, shipped};
use weevil_model::RunState;
use weevil_protocol::frame::{AttemptKey, ClientFrame, Hello, ServerFrame, Verdict};

/// Runs a bad job in a real browser, then a good one in the same tab. Answers the bad one's first error.
fn after_which_add_still_works(code: &str, attributes: &str) -> AttemptError {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let tab = browser.open(&server.url("/?autostart&slots=1"));
    let view = server.api().await_end(&server.api().run(&job_workflow(code, attributes)));
    assert_eq!(view.summary.state, RunState::Failed);
    assert_eq!(view.summary.progress.failed, 1);
    let error = view.error.expect("a failed run says why");
    assert_eq!(error.node, "only");
    assert_eq!(server.api().await_end(&server.api().run(&shipped("add"))).result, Some(157.into()));
    tab.wait_for("document.documentElement.dataset.done === '2'");
    error.attempts.into_iter().next().expect("at least one attempt")
}

#[test]
fn a_job_that_throws_is_told_with_its_stack() {
    let code =
        "function helper() {\n  throw new RangeError('boom')\n}\nfunction weevil_main() { return helper() }";
    let error = after_which_add_still_works(code, r#"retries="0""#);
    assert_eq!((error.kind.as_str(), error.message.as_str()), ("thrown", "RangeError: boom"));
    assert!(error.stack.contains("Code.js:2:9") && error.stack.contains("weevil_main"), "{}", error.stack);
}

#[test]
fn a_job_that_never_ends_is_terminated() {
    let error =
        after_which_add_still_works("function weevil_main() { for (;;); }", r#"retries="0" timeout="1""#);
    assert_eq!((error.kind.as_str(), error.attempt), ("timeout", 1));
    assert!(error.message.contains("1000 ms"), "{}", error.message);
}

#[test]
fn a_job_without_the_function_is_told_so() {
    // The `eval` could define it: only running it shows that there is no function.
    let error = after_which_add_still_works("eval('var not_here')", r#"retries="0""#);
    assert_eq!(error.kind, "noMain");
    assert!(error.message.contains("Code.js") && error.message.contains("weevil_main"), "{}", error.message);
}

#[test]
fn code_that_does_not_parse_is_told_so() {
    // Code that cannot be checked is run as it is.
    let error = after_which_add_still_works("{}\n/x/.test('');\nfunction weevil_main( { }", r#"retries="0""#);
    assert_eq!(error.kind, "syntax");
}

#[test]
fn a_result_of_fifty_megabytes_is_refused_where_it_is_made() {
    let code = "function weevil_main() { return 'x'.repeat(50e6) }";
    let error = after_which_add_still_works(code, r#"retries="0""#);
    assert_eq!(error.kind, "tooLarge");
    assert!(error.message.contains("16777216"), "{}", error.message);
}

#[test]
fn what_cannot_travel_is_refused_by_name() {
    let code = "function weevil_main() { return { deep: [1, function () {}] } }";
    let error = after_which_add_still_works(code, r#"retries="0""#);
    assert_eq!(error.kind, "notAValue");
    assert!(error.message.contains("deep[1]"), "{}", error.message);
}

fn hello(version: u32) -> ClientFrame {
    ClientFrame::Hello(Hello {
        version,
        agent: "old".into(),
        slots: 1,
        capacity: 1,
        capabilities: None,
        memory_mb: None,
        adapter: None,
        keeps_gpu: None,
    })
}

#[test]
fn garbage_frames_end_only_their_own_connection() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    let mut good = FakeWorker::join(&server.address, 1);
    let job = good.job();
    for (what, message, words) in [
        ("noise", Message::binary(vec![0xff; 100]), "not a frame"),
        ("text", Message::text("hello"), "binary"),
        ("empty", Message::binary(vec![]), "not a frame"),
        (
            "a promise of 2^64 results",
            Message::binary(b"\x82\x01\x82\x9b\xff\xff\xff\xff\xff\xff\xff\xff".to_vec()),
            "not a frame",
        ),
        ("no hello", Message::binary(ClientFrame::Bye.encode()), "hello"),
        ("an old page", Message::binary(hello(0).encode()), "reload"),
    ] {
        let mut bad = FakeWorker::silent(&server.address);
        bad.send_raw(message);
        let Some(ServerFrame::Refused { message, reload }) = bad.frame() else {
            panic!("{what} is not refused")
        };
        assert!(message.contains(words), "{what}: {message}");
        assert_eq!(reload, what == "an old page");
        assert_eq!(bad.frame(), None, "{what}: the connection ends");
    }
    let mut flood = FakeWorker::join(&server.address, 0);
    let holding = vec![AttemptKey { job: 1, token: 1 }; 2049];
    flood.send(&ClientFrame::Heartbeat { holding, slots: 1, capacity: 0, progress: vec![], duty: None });
    assert!(matches!(flood.frame(), Some(ServerFrame::Refused { message, .. }) if message.contains("2049")));
    let mut twice = FakeWorker::join(&server.address, 0);
    twice.send(&hello(1));
    assert!(matches!(twice.frame(), Some(ServerFrame::Refused { .. })));
    assert_eq!(good.report(vec![(job.key, number(1.0))]), [Verdict::Accepted]);
    assert_eq!(server.api().await_end(&run).summary.state, RunState::Finished);
}

#[test]
fn a_forged_token_changes_nothing() {
    let server = TestServer::start(&[]);
    server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    let mut worker = FakeWorker::join(&server.address, 1);
    let key = worker.job().key;
    let mut thief = FakeWorker::join(&server.address, 0);
    let forged = AttemptKey { token: key.token ^ 1, ..key };
    assert_eq!(thief.report(vec![(forged, number(666.0))]), [Verdict::Unknown]);
    assert_eq!(worker.report(vec![(key, number(1.0))]), [Verdict::Accepted]);
}
