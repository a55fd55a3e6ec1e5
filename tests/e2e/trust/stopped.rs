//! A code that fails wherever it runs is stopped in its queue, whatever the policy of its jobs, and goes on once a person says so.

use serde_json::json;
use weevil_api::routes::Operation;
use weevil_api::{JobWait, QueueView, StoppedCodeView};
use weevil_e2e::{Browser, DatabaseKind, FakeWorker, TestServer, number, on_each_database, thrown};
use weevil_model::{ContentHash, JobId, NodeState};

use super::scene::{BEHIND_A_PROXY, answer, next, report, result, story, take, volunteer};
use crate::looks::{await_words, look_at_console};

const CODE: &str = "function weevil_main() { return nothing }";
const QUEUE: &str = "sums";

on_each_database!(a_code_that_fails_everywhere_waits_for_a_person, what_works_once_is_never_stopped);

/// Puts one job of this code in. It fails with its first error.
fn put(server: &TestServer, source: &str, priority: i32) -> JobId {
    let job = json!({ "source": source, "queue": QUEUE, "priority": priority, "attempts": 1 });
    server.api().put_job(&job).job.parse().expect("the id of a job")
}

fn three(server: &TestServer) -> [FakeWorker; 3] {
    [1, 2, 3].map(|number| volunteer(server, number))
}

/// So many jobs of the code fail, at each of the workers in turn. Answers the last one.
fn fail(server: &TestServer, workers: &mut [FakeWorker; 3], jobs: usize) -> JobId {
    let failed = (0..jobs).map(|at| {
        let job = put(server, CODE, 0);
        answer(&mut workers[at % 3], job, thrown("nothing is not defined"));
        assert_eq!(server.api().await_job(&job.to_string()).state, NodeState::Failed);
        job
    });
    failed.last().expect("some jobs")
}

fn stopped(server: &TestServer) -> Vec<StoppedCodeView> {
    server.api().json::<QueueView>(&Operation::ShowQueue.path(&[])).stopped
}

fn hash() -> String {
    ContentHash::of(CODE.as_bytes()).to_string()
}

/// `weevil resume` of this code, as a person types it.
fn resume(server: &TestServer, queue: &str) -> (i32, String) {
    let words = ["resume", "--queue", queue, "--code", &hash(), "--server", &server.url("")];
    let output = server.command().args(words).output().expect("the binary runs");
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into_owned())
}

fn a_code_that_fails_everywhere_waits_for_a_person(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let mut workers = three(&server);
    let example = fail(&server, &mut workers, 5);
    let (waiting, other) = (put(&server, CODE, 0), put(&server, "function weevil_main() { return 1 }", -9));
    let given = next(&mut workers[0]);
    assert_eq!(given.key.job, other.number(), "other code of the queue goes on");
    report(&mut workers[0], &given, number(1.0));
    for restarts in [false, true] {
        if restarts {
            server.kill();
            server.restart();
            workers = three(&server);
        }
        let [only] = &stopped(&server)[..] else { panic!("{:?}", stopped(&server)) };
        assert_eq!((&*only.queue, &only.code, &only.example), (QUEUE, &hash(), &example.to_string()));
        assert_eq!(story(&server, waiting).job.waits, Some(JobWait::Code));
    }
    assert_eq!(
        server.api().await_metric("weevil_codes_stopped", 1.0).get("weevil_codes_stopped").to_bits(),
        1.0_f64.to_bits()
    );
    assert_eq!(
        resume(&server, "another"),
        (0, format!("{} goes on in another\n", hash())),
        "it was not stopped there"
    );
    assert_eq!(stopped(&server).len(), 1);
    assert_eq!(resume(&server, QUEUE), (0, format!("{} goes on in {QUEUE}\n", hash())));
    assert_eq!(stopped(&server), []);
    answer(&mut workers[1], waiting, number(7.0));
    assert_eq!(result(&server, waiting), 7);
    server.audit();
}

fn what_works_once_is_never_stopped(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let mut workers = three(&server);
    fail(&server, &mut workers, 4);
    let works = put(&server, CODE, 0);
    answer(&mut workers[1], works, number(7.0));
    fail(&server, &mut workers, 6);
    let job = put(&server, CODE, 0);
    take(&mut workers[0], job);
    assert_eq!(stopped(&server), []);
    server.audit();
}

/// One who owns many tabs is one witness: nobody stops the code of others alone.
#[test]
fn one_network_alone_stops_nothing() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let mut tabs = [1, 1, 1].map(|number| volunteer(&server, number));
    fail(&server, &mut tabs, 9);
    assert_eq!(stopped(&server), []);
}

#[test]
fn people_see_it_and_let_it_go() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let mut workers = three(&server);
    fail(&server, &mut workers, 5);
    let (waiting, other) = (put(&server, CODE, 0), put(&server, "function weevil_main() { return 1 }", -9));
    answer(&mut workers[0], other, number(1.0));
    let browser = Browser::start();
    let console = server.console(&browser, "#/queue");
    await_words(&console, "#stopped-codes", &format!("code {} in queue {QUEUE} since", &hash()[..8]));
    look_at_console(&console, "stopped-code");
    console.eval(&format!("location.hash = '#/jobs/{waiting}'"));
    await_words(&console, "#job-page .job-waits", "its code was stopped, since it fails wherever it runs");
    look_at_console(&console, "job-of-a-stopped-code");
    let output =
        server.command().args(["explain", &waiting.to_string(), "--server", &server.url("")]).output();
    let told = String::from_utf8(output.expect("the binary runs").stdout).expect("text");
    let cure = format!("`weevil resume --queue {QUEUE} --code {}` lets it go", hash());
    assert!(told.contains(&cure), "{told}");
    console.eval("location.hash = '#/queue'");
    console.wait_for("document.querySelector('#stopped-codes button')");
    console.eval("document.querySelector('#stopped-codes button').click()");
    console.wait_for("!document.querySelector('#stopped-codes')");
    answer(&mut workers[1], waiting, number(7.0));
    assert_eq!(result(&server, waiting), 7);
}
