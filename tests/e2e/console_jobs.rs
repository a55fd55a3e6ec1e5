//! The console in a real browser: runs and the queue that are paused, jobs with their attempts and results.

use serde_json::{Value as Json, json};
use weevil_api::{JobKept, QueueView};
use weevil_e2e::{Browser, FakeWorker, Page, TestServer, job_workflow, number, thrown};

use super::console::{press, write};
use crate::looks::judge;

const CODE: &str = "function weevil_main() { return 1 }";
/// What opens a page stays a text.
const NOTE: &str = "<img src=x onerror=alert(1)> new rack";

/// Puts jobs in, each with what is not as usual. Answers their ids.
fn submit(server: &TestServer, jobs: &[Json]) -> Vec<String> {
    let asked: Vec<Json> = jobs
        .iter()
        .map(|job| {
            let mut whole = json!({ "source": CODE });
            whole.as_object_mut().expect("an object").extend(job.as_object().expect("an object").clone());
            whole
        })
        .collect();
    let body = json!(asked).to_string();
    let answer = server.api().post("/api/v1/jobs", "application/json", &[], body.as_bytes());
    answer.json::<Vec<JobKept>>().into_iter().map(|kept| kept.job).collect()
}

fn queue(server: &TestServer) -> QueueView {
    server.api().json("/api/v1/queue")
}

fn focus(page: &Page<'_>, selector: &str) {
    page.wait_for(&format!("document.querySelector('{selector}:not([hidden])')"));
    page.eval(&format!("document.querySelector('{selector}').focus()"));
}

/// Waits until the element's text has this in it.
fn await_text(page: &Page<'_>, selector: &str, part: &str) {
    page.wait_for(&format!("document.querySelector('{selector}').innerText.includes({})", json!(part)));
}

#[test]
fn a_run_is_paused_and_resumed_by_keyboard_alone() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let run = server.api().run(&job_workflow(CODE, ""));
    let console = server.console(&browser, &format!("#/runs/{run}"));
    focus(&console, "#pause-run");
    press(&console, "Enter");
    console.wait_for("document.activeElement.id === 'pause-note'");
    write(&console, NOTE);
    judge(&console, "console-pause-note");
    press(&console, "Enter");
    await_text(&console, "#run-paused", "nothing of it is handed out");
    await_text(&console, "#run-paused", &format!("Note: {NOTE}"));
    await_text(&console, "#pause-run", "Resume run");
    assert_eq!(console.eval("document.activeElement.id"), "pause-run", "the focus is not lost");
    assert_eq!(server.api().view(&run).summary.paused_note.as_deref(), Some(NOTE));
    judge(&console, "console-run-paused");
    console.eval("location.hash = ''");
    console.wait_for("document.querySelector('[data-run] .state')?.textContent.includes('paused')");

    console.eval("history.back()");
    console.wait_for("!document.querySelector('#overview-page')");
    focus(&console, "#pause-run");
    press(&console, " ");
    await_text(&console, "#pause-run", "Pause run…");
    assert_eq!(console.eval("document.querySelector('#run-paused').innerText"), "");
    await_text(&console, "#run-page .state", "running");
    let mut worker = FakeWorker::join(&server.address, 1);
    let job = worker.job();
    worker.report(vec![(job.key, number(1.0))]);
    console.wait_for("document.querySelector('#run-page').dataset.state === 'FINISHED'");
    assert_eq!(console.eval("document.querySelector('#pause-run')"), json!(null));
    assert_eq!(console.eval("document.activeElement.tagName"), "H1", "the focus is not lost");
}

#[test]
fn a_pause_that_is_heard_from_elsewhere_is_shown_live() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let run = server.api().run(&job_workflow(CODE, ""));
    let console = server.console(&browser, &format!("#/runs/{run}"));
    for (verb, shown) in [("pause", "paused"), ("resume", "running")] {
        console.wait_for("document.querySelector('#pause-run')");
        server.api().post(&format!("/api/v1/runs/{run}/{verb}"), "", &[], &[]);
        await_text(&console, "#run-page .state", shown);
    }
}

#[test]
fn the_queue_is_counted_and_paused_on_its_page() {
    let server = TestServer::start(&[]);
    submit(&server, &[json!({}), json!({}), json!({ "delayMs": 3_600_000 })]);
    let browser = Browser::start();
    let console = server.console(&browser, "#/queue");
    await_text(&console, "#queue-line", "Queue: 2 wait, 0 run, 1 delayed");
    focus(&console, "#pause-queue");
    press(&console, "Enter");
    console.wait_for("document.activeElement.id === 'pause-note'");
    press(&console, "Escape");
    console.wait_for("document.activeElement.id === 'pause-queue'");
    assert!(queue(&server).paused_since.is_none(), "nobody has said yes");
    press(&console, "Enter");
    console.wait_for("document.activeElement.id === 'pause-note'");
    write(&console, NOTE);
    press(&console, "Enter");
    await_text(&console, "#queue-paused", "Paused since");
    await_text(&console, "#queue-paused", &format!("Note: {NOTE}"));
    await_text(&console, "#queue-paused", "nothing is handed out");
    await_text(&console, "#pause-queue", "Resume queue");
    assert!(queue(&server).paused_since.is_some());
    assert_eq!(console.eval("document.activeElement.id"), "pause-queue", "the focus is not lost");
    server.api().post("/api/v1/queue/resume", "", &[], &[]);
    console.wait_for("document.querySelector('#queue-paused').innerText === ''");
    assert!(queue(&server).paused_since.is_none());
}

#[test]
fn a_stand_alone_job_is_followed_from_its_error_to_its_result() {
    let server = TestServer::start(&[]);
    let jobs = submit(&server, &[json!({ "key": "twice", "retryMs": 10 })]);
    let browser = Browser::start();
    let console = server.console(&browser, &format!("#/jobs/{}", jobs[0]));
    await_text(&console, "#job-page", "Waits for a worker");
    let mut worker = FakeWorker::join(&server.address, 1);
    let first = worker.job();
    await_text(&console, "[data-attempt]", "running");
    worker.report(vec![(first.key, thrown("no such column"))]);
    await_text(&console, "[data-attempt]", "no such column");
    let second = worker.job();
    worker.report(vec![(second.key, number(42.0))]);
    console.wait_for("document.querySelector('#result').innerText === '42'");
    assert_eq!(console.eval("document.querySelector('#job-page').dataset.state"), "FINISHED");
    assert_eq!(console.eval("document.querySelectorAll('[data-attempt]').length"), json!(2));
    assert_eq!(console.eval("document.querySelector('#cancel-job')"), json!(null));
    assert_eq!(console.eval("document.querySelector('#job-page h1').innerText"), "twice");
}

#[test]
fn a_waiting_job_is_cancelled_on_its_page() {
    let server = TestServer::start(&[]);
    let jobs = submit(&server, &[json!({ "delayMs": 3_600_000, "capabilities": ["webcl"] })]);
    let browser = Browser::start();
    let console = server.console(&browser, &format!("#/jobs/{}", jobs[0]));
    await_text(&console, "#job-page", "needs webcl");
    focus(&console, "#cancel-job");
    press(&console, "Enter");
    console.click("#cancel-yes");
    console.wait_for("document.querySelector('#job-page').dataset.state === 'CANCELLED'");
    assert_eq!(console.eval("document.activeElement.tagName"), "H1", "the focus is not lost");
}

#[test]
fn a_queues_jobs_are_read_page_by_page() {
    let server = TestServer::start(&[]);
    let jobs: Vec<Json> = (0..60).map(|n| json!({ "queue": "50 %/_", "key": format!("k{n}") })).collect();
    let ids = submit(&server, &jobs);
    let browser = Browser::start();
    let console = server.console(&browser, "");
    console.eval("location.hash = '#/queues/default'");
    await_text(&console, "#no-jobs", "No jobs here");
    console.click("#to-queue");
    console.wait_for("document.querySelector('#queue-page #queue-name')");
    console.eval("document.querySelector('#queue-name').focus()");
    console.eval("document.querySelector('#queue-name').select()");
    write(&console, "50 %/_");
    press(&console, "Enter");
    await_text(&console, "#jobs-shown", "50 jobs shown, there are more");
    focus(&console, "#more-jobs");
    press(&console, "Enter");
    await_text(&console, "#jobs-shown", "60 jobs shown");
    assert_eq!(console.eval("document.querySelectorAll('[data-job]').length"), json!(60));
    assert_eq!(console.eval("document.activeElement.closest('[data-job]').dataset.job"), json!(ids[50]));
    press(&console, "Enter");
    console.wait_for("document.querySelector('#job-page').dataset.state === 'ENQUEUED'");
    assert_eq!(console.eval("document.title"), "k50: queued");
}

#[test]
fn the_jobs_of_a_run_are_reached_from_its_page() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow(CODE, ""));
    server.api().post(&format!("/api/v1/runs/{run}/pause"), "", &[], &[]);
    let browser = Browser::start();
    let console = server.console(&browser, &format!("#/runs/{run}"));
    console.click(r#"#run-page a[href$="/jobs"]"#);
    await_text(&console, "[data-job]", "waits: its run is paused");
    console.click("[data-job] a");
    console.wait_for("document.querySelector('#job-page').dataset.state === 'ENQUEUED'");
    assert_eq!(console.eval("document.querySelectorAll('#cancel-job').length"), json!(0), "its run can be");
}

#[test]
fn what_is_not_there_is_told_in_the_servers_words() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let console = server.console(&browser, "#/jobs/job_38fyq0j4r0000");
    await_text(&console, "#job-page", "there is no job job_38fyq0j4r0000");
    console.eval("location.hash = '#/runs/run_38fyq0j4r0000/jobs'");
    await_text(&console, "#run-page [role=alert]", "run_38fyq0j4r0000");
}
