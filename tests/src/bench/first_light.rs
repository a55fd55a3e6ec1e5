//! The figures of the first whole path: how busy slots are, how many jobs pass, how soon the first one runs, how
//! much is downloaded, how small an idle server is. Beside them, as baselines of the same run, workers without a browser.

use std::collections::BTreeSet;
use std::path::Path;
use std::thread;
use std::time::Duration;

use weevil_e2e::{Api, Browser, FakeWorker, Files, TestServer, answer_all, pool_workflow, resident, shipped};
use weevil_model::RunState;

use crate::report::Row;

const RUNS: usize = 5;
const NO_OPS: u32 = 10_000;
/// Pi jobs of each utilisation run; the demo's size, so that the ends weigh little.
const PI_JOBS: usize = 1000;
const PI_RUNS: usize = 3;
const PI_PATIENCE: Duration = Duration::from_mins(10);
const PI_SAMPLES: &str = "5000000";

pub(crate) fn run(binary: &Path) -> Vec<Row> {
    let (native, tabs) = no_op_rates(binary);
    let ratio = Row::median("tabs2_over_native2", "ratio", vec![tabs.value / native.value]);
    let (utilisation, job_ms) = utilisation(binary);
    vec![utilisation, job_ms, tabs, native, ratio, click_to_job(binary), first_load(binary), idle_rss(binary)]
}

/// Jobs a second through two workers without a browser, and through two tabs; durable both.
pub(crate) fn no_op_rates(binary: &Path) -> (Row, Row) {
    let workflow = no_ops();
    let server = TestServer::start_binary(binary, &[]);
    for _ in 0..2 {
        let worker = FakeWorker::join(&server.address, 768);
        thread::spawn(move || answer_all(worker));
    }
    server.api().await_fleet(|fleet| fleet.workers.len() == 2);
    let native = (0..RUNS).map(|_| rate(&server.api(), &workflow)).collect();
    drop(server);

    let server = TestServer::start_binary(binary, &[]);
    let browser = Browser::start();
    let _tabs = [0, 1].map(|_| browser.open(&server.url("/?autostart&slots=1")));
    server.api().await_fleet(|fleet| fleet.slots == 2);
    let tabs = (0..RUNS).map(|_| rate(&server.api(), &workflow)).collect();
    (Row::median("native2_jobs_per_s", "jobs/s", native), Row::median("tabs2_jobs_per_s", "jobs/s", tabs))
}

fn no_ops() -> Files {
    let input = format!("[{}]", vec!["1"; NO_OPS as usize].join(","));
    pool_workflow(&input, "function weevil_main(n) { return 1 }", "function weevil_main(all) { return 1 }")
}

/// From the run's creation to its durable end, by the server's clock: the event stream's quarter of a second is not in it.
fn rate(api: &Api, workflow: &Files) -> f64 {
    let run = api.run(workflow);
    let view = api.await_end(&run);
    assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
    let ms = view.summary.finished_at.expect("an ended run has an end") - view.summary.created_at;
    f64::from(NO_OPS + 1) / ms as f64 * 1000.0
}

/// Two volunteers, each its own browser with one slot, as in the demo.
fn utilisation(binary: &Path) -> (Row, Row) {
    let mut workflow = shipped("pi");
    let samples = workflow.iter_mut().find(|file| file.0 == "samples.json").expect("pi has samples");
    samples.1 = format!("[{}]", vec![PI_SAMPLES; PI_JOBS].join(",")).into_bytes();
    let server = TestServer::start_binary(binary, &[]);
    let browsers = [Browser::start(), Browser::start()];
    let _tabs = browsers.each_ref().map(|browser| browser.open(&server.url("/?autostart&slots=1")));
    server.api().await_fleet(|fleet| fleet.slots == 2);
    let api = Api::with_patience(&server.address, PI_PATIENCE);
    let stats: Vec<_> = (0..PI_RUNS)
        .map(|_| {
            let run = api.run(&workflow);
            api.await_end(&run).stats
        })
        .collect();
    let percent = stats.iter().map(|stats| stats.utilisation * 100.0).collect();
    let job_ms = stats.iter().map(|stats| stats.compute_ms / f64::from(stats.jobs)).collect();
    (Row::median("utilisation_pct", "%", percent), Row::median("pi_job_ms", "ms", job_ms))
}

/// A fresh profile, a waiting job, a click.
fn click_to_job(binary: &Path) -> Row {
    let figures = (0..RUNS).map(|_| {
        let server = TestServer::start_binary(binary, &[]);
        server.api().run(&pool_workflow(
            "[1]",
            "function weevil_main(n) { return n }",
            "function weevil_main(all) { return 1 }",
        ));
        let browser = Browser::start();
        let page = browser.open(&server.url("/"));
        page.wait_for("document.documentElement.dataset.loaded !== undefined");
        page.click("#start");
        page.wait_for("document.documentElement.dataset.firstJobMs > 0");
        let ms = page.eval("Number(document.documentElement.dataset.firstJobMs)");
        ms.as_f64().expect("a number")
    });
    Row::median("click_to_job_ms", "ms", figures.collect())
}

/// Everything that the volunteer's page loads, as it travels: page, frame, scripts, styles, coordinator.
pub(crate) fn first_load(binary: &Path) -> Row {
    let server = TestServer::start_binary(binary, &[]);
    let mut waiting = vec!["/".to_owned(), "/sandbox".to_owned()];
    let mut seen = BTreeSet::new();
    let mut bytes = 0;
    while let Some(path) = waiting.pop() {
        if seen.insert(path.clone()) {
            let travelling = server.api().get_with(&path, &[("accept-encoding", "br")]);
            bytes += travelling
                .into_body()
                .into_with_config()
                .limit(u64::MAX)
                .read_to_vec()
                .expect("a body")
                .len();
            let plain = server.api().get(&path).into_body().read_to_vec().expect("a body");
            waiting.extend(assets(&String::from_utf8_lossy(&plain)));
        }
    }
    Row::median("first_load_kb", "KB", vec![bytes as f64 / 1000.0])
}

/// Names of built assets that a text mentions.
fn assets(text: &str) -> Vec<String> {
    let separators = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    let words = text.split(separators).filter(|word| word.contains('-'));
    let endings = [".js", ".css", ".wasm", ".svg"];
    words
        .filter(|word| endings.iter().any(|end| word.ends_with(end)))
        .map(|word| format!("/assets/{word}"))
        .collect()
}

fn idle_rss(binary: &Path) -> Row {
    let figures = (0..RUNS).map(|_| {
        let server = TestServer::start_binary(binary, &[]);
        server.api().get("/");
        // What is left after the start has settled is what an idle server costs.
        thread::sleep(Duration::from_secs(1));
        resident(server.pid())
    });
    Row::median("idle_rss_mb", "MB", figures.collect())
}
