//! Lists of jobs beside those of a run: a queue's, and what a worker was handed, by what is looked for.

use serde_json::json;
use weevil_api::{JobPage, WorkerAttemptPage};
use weevil_e2e::{Browser, DatabaseKind, FakeWorker, Page, TestServer, number, on_each_database, thrown};

use super::console::{press, write};
use super::looks::await_words;

/// A page of one after the other, to the end; each line is a job's key.
fn keys(server: &TestServer, search: &str) -> Vec<String> {
    let (mut found, mut after) = (Vec::new(), String::new());
    loop {
        let page: JobPage = server.api().json(&format!("/api/v1/jobs?queue=q&{search}{after}"));
        found.extend(page.jobs.into_iter().map(|job| job.path));
        let Some(next) = page.next else { return found };
        after = format!("&after={next}");
    }
}

fn handed(server: &TestServer, worker: &str, search: &str) -> Vec<String> {
    let (mut found, mut after) = (Vec::new(), String::new());
    loop {
        let path = format!("/api/v1/workers/{worker}/attempts?{search}{after}");
        let page: WorkerAttemptPage = server.api().json(&path);
        found.extend(page.attempts.into_iter().filter_map(|attempt| attempt.job).map(|job| job.path));
        let Some(next) = page.next else { return found };
        after = format!("&after={next}");
    }
}

/// Five jobs, of which a worker finishes `one` and `two` and fails at `three`; then it leaves. Answers which one it was.
fn queue_that_stumbles(server: &TestServer) -> String {
    let put = |key: &str| {
        let source = "function weevil_main() { return 1 }";
        server.api().put_job(&json!({ "queue": "q", "key": key, "source": source, "attempts": 1 }));
    };
    let mut worker = FakeWorker::join(&server.address, 1);
    let fleet = server.api().await_fleet(|fleet| fleet.workers.len() == 1);
    for (key, outcome) in [("one", number(1.0)), ("two", number(1.0)), ("three", thrown("out of Ink"))] {
        put(key);
        let held = worker.job();
        worker.report(vec![(held.key, outcome)]);
    }
    drop(worker);
    server.api().await_fleet(|fleet| fleet.workers.is_empty());
    put("four");
    put("five");
    fleet.workers[0].id.clone()
}

fn a_queue_and_a_workers_history_are_looked_through(kind: DatabaseKind) {
    let server = kind.server();
    let worker = queue_that_stumbles(&server);
    for (search, expected) in [
        ("limit=2", &["one", "two", "three", "four", "five"][..]),
        ("limit=1&sort=-created&state=FINISHED", &["two", "one"]),
        ("failed=true", &["three"]),
        ("q=INK", &["three"]),
        ("limit=1&state=ENQUEUED", &["four", "five"]),
        ("q=wrk_&state=FINISHED&limit=1", &["one", "two"]),
        ("q=four&failed=false", &["four"]),
        ("q=nowhere", &[]),
    ] {
        assert_eq!(keys(&server, search), expected, "{search}");
    }
    let page = |search: &str| -> JobPage { server.api().json(&format!("/api/v1/jobs?queue=q{search}")) };
    assert_eq!(page("&failed=true").jobs[0].error.as_deref(), Some("out of Ink"));
    assert_eq!(page("").jobs[2].error, None, "a plain page is read without");
    for (search, expected) in [
        ("limit=1&q=t", &["three", "two"][..]),
        ("failed=true", &["three"]),
        ("q=of%20ink", &["three"]),
        ("failed=true&q=one", &[]),
    ] {
        assert_eq!(handed(&server, &worker, search), expected, "{search}");
    }
    let long = "q".repeat(101);
    for path in [
        format!("/api/v1/jobs?queue=q&q={long}"),
        "/api/v1/jobs?queue=q&state=BUSY".to_owned(),
        "/api/v1/jobs?q=job_1&failed=true".to_owned(),
        "/api/v1/jobs?q=job_1&state=FAILED".to_owned(),
        format!("/api/v1/workers/{worker}/attempts?q={long}"),
        format!("/api/v1/workers/{worker}/attempts?state=FAILED"),
    ] {
        let (status, problem) = server.api().answer(&path).refusal();
        assert_eq!((status, problem.code.as_str()), (400, "badQuery"), "{path}");
    }
}

/// Rows of the table with this id, by what stands in their first cells.
fn await_rows(page: &Page<'_>, table: &str, expected: &[&str]) {
    let cells =
        format!("[...document.querySelectorAll('#{table} [data-job] a')].map((link) => link.textContent)");
    page.wait_for(&format!("JSON.stringify({cells}) === '{}'", json!(expected)));
}

#[test]
fn the_console_has_both_looked_through_and_keys_go_to_their_ends() {
    let server = TestServer::start(&[]);
    let worker = queue_that_stumbles(&server);
    let browser = Browser::start();
    let page = server.console(&browser, "#/queues/q");
    await_rows(&page, "jobs", &["one", "two", "three", "four", "five"]);
    page.eval("document.querySelector('#jobs [data-job] a').focus()");
    for (key, row) in [("End", "five"), ("Home", "one"), ("PageDown", "five"), ("PageUp", "one")] {
        press(&page, key);
        page.wait_for(&format!("document.activeElement.textContent.trim() === '{row}'"));
    }
    page.eval("document.querySelector('#jobs-text').focus()");
    write(&page, "INK");
    await_rows(&page, "jobs", &["three"]);
    await_words(&page, "#jobs", "out of Ink");
    assert_eq!(page.eval("location.hash"), "#/queues/q?q=INK");
    page.eval(
        "{ const states = document.querySelector('#jobs-state'); states.value = 'FINISHED'; states.dispatchEvent(new Event('change')) }",
    );
    await_words(&page, "#jobs-page .empty", "No job fits");
    page.click("#jobs-page .empty button");
    await_rows(&page, "jobs", &["one", "two", "three", "four", "five"]);
    assert_eq!(page.eval("location.hash"), "#/queues/q");

    page.eval(&format!("location.hash = '#/workers/{worker}'"));
    await_rows(&page, "handed", &["three", "two", "one"]);
    page.click("#only-errors");
    await_rows(&page, "handed", &["three"]);
    page.click("#only-errors");
    page.eval("document.querySelector('#handed-text').focus()");
    write(&page, "tw");
    await_rows(&page, "handed", &["two"]);
    assert_eq!(page.eval("location.hash"), json!(format!("#/workers/{worker}?q=tw")));
}

on_each_database! { a_queue_and_a_workers_history_are_looked_through }
