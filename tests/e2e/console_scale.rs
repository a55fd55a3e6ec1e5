//! A run of as many nodes as a workflow may have, and ten thousand workers: every page that tells of them stands in every light, can be
//! used, and no answer is large.

use std::time::Duration;

use serde_json::json;
use weevil_api::routes::Operation;
use weevil_e2e::{Browser, Fleet, Habits, Page, TestServer, layered};

use super::console::press;
use super::console_states::{look_at_each, place};

const SEED: u64 = 9;
/// Layers, and jobs of each: with the last node 99,901.
const SHAPE: (usize, usize) = (100, 999);
const NODES: usize = SHAPE.0 * SHAPE.1 + 1;
const WORKERS: usize = 10_000;
/// Jobs that have ended before the run is held: more than a table, a page and the lanes of a timeline show.
const ENDED: u32 = 2_000;
/// What a server that is not optimised may take to check so many nodes.
const CHECKED_WITHIN: Duration = Duration::from_mins(5);
/// Bytes of an answer, as they come out of it.
const LARGEST: u64 = 2_000_000;
/// Notes the largest answer, and whose it is.
const WATCH: &str = "globalThis.largest = { bytes: 0, name: '' };
    new PerformanceObserver((list) => {
        for (const { decodedBodySize: bytes, name } of list.getEntries()) {
            if (name.includes('/api/') && bytes > largest.bytes) globalThis.largest = { bytes, name };
        }
    }).observe({ type: 'resource', buffered: true })";

/// A run that is held in the middle, and those who would go on with it.
struct Huge {
    server: TestServer,
    run: String,
    _fleet: Fleet,
}

impl Huge {
    fn made() -> Self {
        let server = TestServer::start(&[]);
        let (layers, width) = SHAPE;
        let run = server.api_with(CHECKED_WITHIN).run(&layered(layers, width, SEED));
        let fleet = Fleet::start(&server.address, SEED, &[(WORKERS, Habits::at_once(1))]);
        server.api().await_run(&run, |run| run.summary.progress.done >= ENDED);
        server.api().post(&Operation::PauseRun.path(&[&run]), "", &[], &[]);
        // The stream tells of no more than some hundred one by one.
        server.api().await_fleet(|fleet| fleet.workers.len() + fleet.more as usize == WORKERS);
        Self { server, run, _fleet: fleet }
    }
}

#[test]
fn a_hundred_thousand_nodes_and_ten_thousand_workers_can_be_used() {
    let huge = Huge::made();
    let browser = Browser::start();
    drop(huge.server.console(&browser, ""));
    let page = browser.open_with(&huge.server.url("/console"), WATCH);
    page.wait_for("document.documentElement.dataset.live === 'true'");
    let run = format!("#/runs/{}", huge.run);
    let workflow = huge.server.api().view(&huge.run).summary.workflow;
    let drawn = ".graph-figure, .graph-canvas";
    let places = [
        place("overview", "#/", "#overview-page:has([data-run]):has(#chart-errors canvas)"),
        place("runs", "#/runs", "[data-run]"),
        place("version", &format!("#/workflows/layered/{workflow}"), drawn),
        place("queue", "#/queue", "#queue-page .figures"),
        place("workers", "#/workers", "[data-worker]"),
        place("run-overview", &format!("{run}/overview"), "[data-node]"),
        place("run-graph", &run, drawn),
        place("run-graph-node", &format!("{run}?node=last"), "#node .facts"),
        place("run-graph-table", &format!("{run}?view=table"), "#graph-rows .row"),
        place("run-nodes", &format!("{run}/nodes"), "#all-nodes [data-node]"),
        place("run-jobs", &format!("{run}/jobs"), "[data-job]"),
        place("run-log", &format!("{run}/log"), ".empty"),
        place("run-timeline", &format!("{run}/timeline"), "canvas.timeline"),
        place("run-about", &format!("{run}/about"), ".facts"),
    ];
    look_at_each(&page, "huge", &places);
    use_them(&page, &run);
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
