//! SIGTERM: workers hand in what they run, nothing is computed twice afterwards, nothing counts as an error.

use std::collections::HashSet;

use weevil_e2e::{Browser, FakeWorker, Files, Form, TestServer, job_workflow, number, pool_workflow};
use weevil_model::RunState;
use weevil_protocol::frame::{ClientFrame, ServerFrame, Verdict};

const CODE: &str = "function weevil_main(...inputs) { return 1 }";
const SLOW: &str =
    "function weevil_main(n) { const end = Date.now() + 30; while (Date.now() < end); return n }";
const SUM: &str = "function weevil_main(all) { return all.reduce((a, b) => a + b, 0) }";

/// The first attempt that counted against a job would fail the run.
fn without_retries(mut files: Files) -> Files {
    let document = String::from_utf8(files[0].1.clone()).expect("text");
    let strict = document.replace("returntype=\"Number\">", "returntype=\"Number\" retries=\"0\">");
    let strict = strict
        .replace("id=\"pool\" returntype=\"Number\" retries=\"0\"", "id=\"pool\" returntype=\"Number\"");
    files[0].1 = strict.into_bytes();
    files
}

/// Waits for the server's word that it is about to end.
fn farewell(worker: &mut FakeWorker) -> u32 {
    loop {
        match worker.frame().expect("the connection stays") {
            ServerFrame::Drain { within_ms } => return within_ms,
            ServerFrame::Verdicts(_) | ServerFrame::Assign { .. } => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_runs_is_handed_in_and_what_waits_is_given_back() {
    let mut server = TestServer::start(&["--drain-seconds", "1000"]);
    let run = server.api().run(&without_retries(pool_workflow("[1,2,3,4,5,6]", CODE, CODE)));
    let mut worker = FakeWorker::join(&server.address, 4);
    let jobs = worker.jobs_until(4);
    server.terminate();
    assert_eq!(farewell(&mut worker), 1_000_000);
    let (status, error) = server.api().ready().refusal();
    assert_eq!((status, error.code.as_str()), (503, "notReady"), "{}", error.detail);
    let (status, error) = server.api().refused(&job_workflow(CODE, ""), &[]);
    assert_eq!((status, error.code.as_str()), (503, "notReady"), "{}", error.detail);
    assert!(FakeWorker::try_join(&server.address, 1).is_none(), "nobody new is taken");

    worker.capacity = 0;
    let done: HashSet<i64> = jobs[..2].iter().map(|job| job.key.job).collect();
    let answers = jobs[..2].iter().map(|job| (job.key, number(1.0))).collect();
    assert_eq!(worker.report(answers), [Verdict::Accepted, Verdict::Accepted]);
    let rest = jobs[2..].iter().map(|job| job.key).collect();
    worker.send(&ClientFrame::Yield { attempts: rest, capacity: 0 });
    assert!(worker.frame().is_none(), "the connection closes");
    assert!(server.await_death().success(), "nobody waits when nothing is held");

    server.restart();
    let mut worker = FakeWorker::join(&server.address, 6);
    let left = worker.jobs_until(4);
    assert!(
        left.iter().all(|job| !done.contains(&job.key.job)),
        "what was handed in is not handed out again"
    );
    worker.report(left.iter().map(|job| (job.key, number(1.0))).collect());
    let reducer = worker.job();
    worker.report(vec![(reducer.key, number(6.0))]);
    let view = server.api().await_end(&run);
    assert_eq!((view.summary.state, view.stats.jobs), (RunState::Finished, 7), "{:?}", view.error);
}

#[test]
fn a_worker_that_hands_in_too_late_is_not_waited_for() {
    let mut server = TestServer::start(&["--drain-seconds", "1"]);
    let run = server.api().run(&without_retries(pool_workflow("[1]", CODE, CODE)));
    let mut worker = FakeWorker::join(&server.address, 1);
    let job = worker.job();
    server.terminate();
    farewell(&mut worker);
    assert!(worker.frame().is_none(), "the connection closes");
    assert!(server.await_death().success());
    server.restart();
    let mut late = FakeWorker::join(&server.address, 0);
    assert_eq!(late.report(vec![(job.key, number(1.0))]), [Verdict::Accepted], "late, but the first");
    late.capacity = 1;
    late.send(&ClientFrame::Heartbeat {
        holding: vec![],
        slots: 1,
        capacity: 1,
        progress: vec![],
        duty: None,
    });
    let reducer = late.job();
    late.report(vec![(reducer.key, number(1.0))]);
    assert_eq!(server.api().await_end(&run).summary.state, RunState::Finished);
}

#[test]
fn a_second_signal_ends_the_server_at_once() {
    let mut server = TestServer::start(&["--drain-seconds", "1000"]);
    let run = server.api().run(&job_workflow(CODE, "retries=\"0\""));
    let mut worker = FakeWorker::join(&server.address, 1);
    worker.job();
    server.terminate();
    farewell(&mut worker);
    server.terminate();
    server.await_death();
    server.restart();
    let mut worker = FakeWorker::join(&server.address, 1);
    let job = worker.job();
    worker.report(vec![(job.key, number(1.0))]);
    assert_eq!(server.api().await_end(&run).summary.state, RunState::Finished);
}

#[test]
fn a_browser_hands_in_and_comes_back() {
    let mut server = TestServer::start(&["--drain-seconds", "50"]);
    let browser = Browser::start();
    let page = browser.open(&server.url("/?autostart&slots=2"));
    let input = format!("[{}]", vec!["1"; 150].join(","));
    let run = server.api().run_form(&Form::of(&without_retries(pool_workflow(&input, SLOW, SUM)))).run;
    for part in [30, 80] {
        server.api().await_run(&run, |view| view.summary.progress.done >= part);
        server.terminate();
        assert!(server.await_death().success());
        server.restart();
    }
    let view = server.api().await_end(&run);
    assert_eq!(
        (view.summary.state, &view.result),
        (RunState::Finished, &Some(150.into())),
        "{:?}",
        view.error
    );
    assert_eq!(view.stats.jobs, 151);
    page.wait_for("document.documentElement.dataset.state === 'waiting'");
    assert_eq!(page.eval("document.documentElement.dataset.done"), "151", "nothing is computed twice");
}
