//! A run of as many nodes as a workflow may have, and ten thousand workers: every page that tells of them stands in every light, can be
//! used, and no answer is large.

use std::time::Duration;

use serde_json::{Value, json};
use weevil_api::routes::Operation;
use weevil_api::{JobPage, RunCreated};
use weevil_e2e::{Browser, Fleet, Form, Habits, Page, TestServer, layered};

use super::console::press;
use super::console_states::{Place, keep, look_at_each, place};

const SEED: u64 = 9;
/// What the workflow is called, in both of its versions.
const NAME: &str = "layered";
/// Layers, and jobs of each: with the last node 99,901.
const SHAPE: (usize, usize) = (100, 999);
const NODES: usize = SHAPE.0 * SHAPE.1 + 1;
/// The same of the other version, which takes no time to check.
const OTHER_SHAPE: (usize, usize) = (3, 9);
const WORKERS: usize = 10_000;
/// Workers that have left before the others come: more than a page of the list.
const LEFT: usize = 200;
/// Jobs that have ended before the run is held: more than a table, a page and the lanes of a timeline show.
const ENDED: u32 = 2_000;
/// Jobs of a queue: more than a page.
const ALONE: usize = 500;
const QUEUE: &str = "many";
/// What a server that is not optimised may take to check so many nodes.
const CHECKED_WITHIN: Duration = Duration::from_mins(5);
/// Bytes of an answer, as they come out of it. A file of a workflow has as many as were uploaded.
const LARGEST: u64 = 2_000_000;
/// Notes the largest answer that is not such a file, and whose it is.
const WATCH: &str = "globalThis.largest = { bytes: 0, name: '' };
    new PerformanceObserver((list) => {
        for (const { decodedBodySize: bytes, name } of list.getEntries()) {
            const counts = name.includes('/api/') && !name.includes('/blobs/');
            if (counts && bytes > largest.bytes) globalThis.largest = { bytes, name };
        }
    }).observe({ type: 'resource', buffered: true })";
/// A graph, whichever way it is painted.
const DRAWN: &str = ".graph-figure, .graph-canvas";

/// A run that is held in the middle, and those who would go on with it.
struct Huge {
    server: TestServer,
    run: String,
    /// Content hash of its workflow, and of a small version under the same name.
    workflow: String,
    other: String,
    /// One of those who are there.
    worker: String,
    _fleet: Fleet,
}

impl Huge {
    fn made() -> Self {
        let server = TestServer::start(&[]);
        let [huge, small] = [SHAPE, OTHER_SHAPE].map(|(layers, width)| layered(layers, width, SEED));
        // Before a slow disk has so much to write that the server takes nothing in for a while.
        let other = keep(&server, NAME, &small);
        let form = Form::of(&huge).text("name", NAME);
        let RunCreated { run, workflow, .. } = server.api_with(CHECKED_WITHIN).run_form(&form);
        let start = |count| Fleet::start(&server.address, SEED, &[(count, Habits::at_once(1))]);
        let await_done = |done: u32| {
            server.api().await_run(&run, |run| run.summary.progress.done >= done);
        };
        let before = start(LEFT);
        await_done(ENDED / 2);
        drop(before);
        let fleet = start(WORKERS);
        await_done(ENDED);
        server.api().post(&Operation::PauseRun.path(&[&run]), "", &[], &[]);
        // The stream tells of no more than some hundred one by one.
        let all = |fleet: &weevil_api::Fleet| fleet.workers.len() + fleet.more as usize == WORKERS;
        let worker = server.api().await_fleet(all).workers.remove(0).id;
        fill_queue(&server);
        Self { server, run, workflow, other, worker, _fleet: fleet }
    }

    fn of_lists(&self) -> Vec<Place> {
        let worker = &self.worker;
        let gone = "#workers-page:has([value=gone]:checked) [data-worker]";
        vec![
            place("overview", "#/", "#overview-page:has([data-run]):has(#chart-errors canvas)"),
            place("runs", "#/runs", "[data-run]"),
            place("queue", "#/queue", "#queue-page .figures"),
            place("queue-jobs", &format!("#/queues/{QUEUE}"), "[data-job]"),
            place("workers", "#/workers", "[data-worker]"),
            place("workers-gone", "#/workers?state=gone", gone),
            place("worker", &format!("#/workers/{worker}"), "#handed [data-job], #nothing-handed"),
            place("settings", "#/settings", "#letters"),
        ]
    }

    fn of_versions(&self) -> Vec<Place> {
        let Self { workflow, other, .. } = self;
        let version = format!("#/workflows/{NAME}/{workflow}");
        // The document is too long for the text field, and says so; its check takes as long as the machine likes.
        let edited = "#editor-page:has(.text-pane > p) #checked";
        vec![
            place("workflows", "#/workflows", "[data-workflow]"),
            place("versions", &format!("#/workflows/{NAME}"), "[data-version] ~ [data-version]"),
            place("version", &version, DRAWN),
            place("editor", &format!("{version}/edit"), edited),
            place("diff", &format!("#/diff/{workflow}/{other}"), "#diff-page .file-diff"),
        ]
    }

    fn of_run(&self) -> Vec<Place> {
        let run = self.address();
        let job = "#job-page[data-state=FINISHED] [data-attempt]";
        vec![
            place("run-overview", &format!("{run}/overview"), "[data-node]"),
            place("run-graph", &run, DRAWN),
            place("run-graph-node", &format!("{run}?node=last"), "#node .facts"),
            place("run-graph-table", &format!("{run}?view=table"), "#graph-rows .row"),
            place("run-nodes", &format!("{run}/nodes"), "#all-nodes [data-node]"),
            place("run-jobs", &format!("{run}/jobs"), "[data-job]"),
            place("run-log", &format!("{run}/log"), ".empty"),
            place("run-timeline", &format!("{run}/timeline"), "canvas.timeline"),
            place("run-about", &format!("{run}/about"), ".facts"),
            place("job", &format!("#/jobs/{}", self.ended_job()), job),
        ]
    }

    /// Where the console shows the run.
    fn address(&self) -> String {
        format!("#/runs/{}", self.run)
    }

    /// A job of the run that has come to its end.
    fn ended_job(&self) -> String {
        let path = format!("{}?state=FINISHED&limit=1", Operation::RunJobs.path(&[&self.run]));
        let mut page: JobPage = self.server.api().json(&path);
        page.jobs.remove(0).id
    }
}

/// Waits for the end of the last job: nothing changes while pages are looked at.
fn fill_queue(server: &TestServer) {
    let source = "function weevil_main(n) { return n }";
    let job = |n: usize| json!({ "source": source, "input": [n], "queue": QUEUE });
    let kept = server.api().put_jobs(&(0..ALONE).map(job).collect::<Vec<Value>>());
    server.api().await_job(&kept[ALONE - 1].job);
}

#[test]
fn a_hundred_thousand_nodes_and_ten_thousand_workers_can_be_used() {
    let huge = Huge::made();
    let browser = Browser::start();
    drop(huge.server.console(&browser, ""));
    let page = browser.open_with(&huge.server.url("/console"), WATCH);
    page.wait_for("document.documentElement.dataset.live === 'true'");
    for places in [huge.of_lists(), huge.of_versions(), huge.of_run()] {
        look_at_each(&page, "huge", &places);
    }
    use_them(&page, &huge.address());
    let largest = page.eval("largest");
    assert!((1..=LARGEST).contains(&largest["bytes"].as_u64().expect("bytes")), "{largest}");
}

/// The far end of what is long is a key, or a word, away.
fn use_them(page: &Page<'_>, run: &str) {
    let go = |hash: &str, until: &str| {
        page.eval(&format!("location.hash = {}", json!(hash)));
        page.wait_for(&format!("document.querySelector('{until}')"));
    };
    go(&format!("{run}/nodes?q=n99_998"), "#all-nodes [data-node=n99_998]");
    go(&format!("{run}/nodes"), "#all-nodes [data-node=n0_0]");
    let rows = page.eval("document.querySelector('#all-nodes').getAttribute('aria-rowcount')");
    assert_eq!(rows, json!((NODES + 1).to_string()), "the nodes and their head");
    go("#/workers?sort=-done", "[data-worker]");
    page.eval("document.querySelector('[data-worker] a').focus()");
    press(page, "Enter");
    page.wait_for("location.hash.startsWith('#/workers/wrk_')");
    go(&format!("{run}?node=last"), "#more-ports");
    page.click("#more-ports");
    page.wait_for("document.querySelectorAll('#node .port').length === 40");
}
