//! Each page of the console, empty and full, light and dark, on a desk and on a phone: nothing that axe-core finds, nothing wider than
//! the screen, and a picture of each in `target/pages`. One server and one browser for all.

use serde_json::json;
use weevil_api::routes::Operation;
use weevil_e2e::{Browser, FakeWorker, Page, TestServer, job_workflow, layered, number, shipped, thrown};

use crate::looks::{judge, light, phone};

const DESK: [i32; 2] = [1280, 900];

/// A page, and what is there once it stands.
type Place<'a> = (&'a str, String, &'a str);

/// Looks at a page in each theme on each screen.
fn look(page: &Page<'_>, name: &str) {
    for scheme in ["light", "dark"] {
        light(page, scheme);
        let [width, height] = DESK;
        let desk = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        page.call("Emulation.setDeviceMetricsOverride", &desk);
        judge(page, &format!("console-{name}-{scheme}"));
        phone(page);
        judge(page, &format!("console-{name}-{scheme}-phone"));
    }
}

fn visit(page: &Page<'_>, state: &str, places: &[Place<'_>]) {
    for (name, hash, until) in places {
        page.eval(&format!("location.hash = '{hash}'"));
        page.wait_for(&format!("document.querySelector('{until}')"));
        assert_eq!(page.eval("document.querySelectorAll('h1').length"), json!(1), "{name}");
        look(page, &format!("{name}-{state}"));
    }
}

fn place<'a>(name: &'a str, hash: &str, until: &'a str) -> Place<'a> {
    (name, hash.to_owned(), until)
}

#[test]
fn every_page_empty_and_full() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = server.console(&browser, "");
    visit(
        &page,
        "empty",
        &[
            place("overview", "#/", "#no-runs"),
            place("runs", "#/runs", "#no-runs"),
            place("workflows", "#/workflows", "#workflows-page .empty"),
            place("queue", "#/queue", "#queue-page .figures"),
            place("queue-jobs", "#/queues/default", "#no-jobs"),
            place("workers", "#/workers", "#no-workers"),
            place("settings", "#/settings", "#letters"),
        ],
    );
    let mut worker = FakeWorker::join(&server.address, 1);
    let full = fill(&server, &mut worker);
    visit(&page, "full", &full);
}

/// Runs in every state, jobs that wait and a worker that holds one. Answers where to look at what.
fn fill(server: &TestServer, worker: &mut FakeWorker) -> Vec<Place<'static>> {
    let api = server.api();
    let finished = api.run(&shipped("add"));
    for value in [57.0, 157.0] {
        let job = worker.job();
        worker.report(vec![(job.key, number(value))]);
    }
    api.await_end(&finished);
    let failed = api.run(&job_workflow("function weevil_main() { null.x }", r#"retries="0""#));
    let job = worker.job();
    worker.report(vec![(job.key, thrown("Cannot read properties of null"))]);
    api.await_end(&failed);
    let cancelled = api.run(&shipped("pi"));
    api.cancel(&cancelled);
    let going = api.run(&layered(4, 6, 2));
    let alone = json!({ "source": "function weevil_main() { return 1 }", "key": "alone", "attempts": 2 });
    let alone = api.put_job(&alone).job;
    api.post(&Operation::PauseRun.path(&[&going]), "", &[], &[]);
    vec![
        place("overview", "#/", "#attention li"),
        place("runs", "#/runs", "#runs [data-state=FAILED]"),
        place("runs-none-fits", "#/runs?q=nobody", ".empty"),
        place("workflows", "#/workflows", "[data-workflow]"),
        place("run-finished", &format!("#/runs/{finished}"), "#result"),
        place("run-failed", &format!("#/runs/{failed}"), "#error"),
        place("run-cancelled", &format!("#/runs/{cancelled}"), "#cancelled"),
        place("run-going", &format!("#/runs/{going}"), "[data-node]"),
        place("run-jobs", &format!("#/runs/{going}/jobs"), "[data-job]"),
        place("run-about", &format!("#/runs/{going}/about"), ".facts"),
        place("run-refused", "#/runs/run_38fyq0j4r0000", "[role=alert] a"),
        place("queue", "#/queue", "#queue-page .figures"),
        place("queue-jobs", "#/queues/default", "[data-job]"),
        place("job", &format!("#/jobs/{alone}"), "#job-page[data-state]"),
        place("workers", "#/workers", "[data-worker]"),
    ]
}
