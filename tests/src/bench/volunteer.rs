//! The figures of the volunteer's browser, and how its slots keep their pace: utilisation, duty, big values, start.

use std::path::Path;

use serde_json::json;
use weevil_api::{JobHistory, RunStats};
use weevil_e2e::{Api, Browser, Files, TestServer, pool_workflow};
use weevil_model::{NodeState, RunState};

use crate::measure::Figures;

/// Until then code is fetched and compiled, and memory grows.
const WARM_UP: usize = 3;
const SHORT_JOBS: usize = 500;
/// A job that is busy for so many milliseconds.
pub(crate) const SHORT: &str = "function weevil_main(n) { const end = performance.now() + n; while (performance.now() < end); return 1 }";
pub(crate) const SHORT_MS: u64 = 20;
/// Elements of a `Float64Array` of 10 MB.
const ELEMENTS: usize = 1_250_000;
pub(crate) const ONE_SLOT: &str = "/?autostart&slots=1";

/// A pool of `jobs` jobs that each get `n`.
pub(crate) fn pool(jobs: usize, n: u64, processor: &str) -> Files {
    let input = format!("[{}]", vec![n.to_string(); jobs].join(","));
    pool_workflow(&input, processor, "function weevil_main(all) { return 1 }")
}

pub(crate) fn stats(api: &Api, workflow: &Files) -> RunStats {
    let view = api.await_end(&api.run(workflow));
    assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
    view.stats
}

pub(crate) fn utilisation(binary: &Path, figures: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url(ONE_SLOT));
    let workflow = pool(SHORT_JOBS, SHORT_MS, SHORT);
    let figures = (0..figures).map(|_| stats(&server.api(), &workflow).utilisation * 100.0);
    vec![figures.collect()]
}

/// From the hand-out of a job with 10 MB in to its durable end with 10 MB out, by the server's clock.
pub(crate) fn round_trip(binary: &Path, figures: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url(ONE_SLOT));
    let values: Vec<f64> = (0..ELEMENTS).map(|n| n as f64).collect();
    let input = json!([{ "$typed": "Float64Array", "values": values }]);
    let figures = (0..WARM_UP + figures).map(|_| {
        let job = json!({ "source": "function weevil_main(a) { return a }", "input": input });
        let job = server.api().put_job(&job).job;
        let history = server.api().await_history(&job, |history| history.job.state == NodeState::Finished);
        took(&history)
    });
    vec![figures.skip(WARM_UP).collect()]
}

fn took(history: &JobHistory) -> f64 {
    let attempt = history.attempts.last().expect("it was handed out");
    (attempt.ended_at.expect("it has ended") - attempt.started_at) as f64
}

/// From the page's wish for one more job worker to its word that it is ready. A browser that has just begun does much else
/// meanwhile.
pub(crate) fn slot_start(binary: &Path, figures: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let browser = Browser::start();
    let page = browser.open(&server.url(ONE_SLOT));
    server.api().await_fleet(|fleet| fleet.slots == 1);
    let figures = (0..figures).map(|run| {
        let ms = page.eval(&format!(
            "new Promise((resolve) => {{
                const frame = document.querySelector('iframe.sandbox').contentWindow;
                const {{ port1, port2 }} = new MessageChannel();
                const start = performance.now();
                port1.onmessage = () => resolve(performance.now() - start);
                frame.postMessage({{ kind: 'open', slot: {}, generation: 1 }}, '*', [port2]);
            }})",
            100 + run
        ));
        ms.as_f64().expect("a number")
    });
    vec![figures.collect()]
}
