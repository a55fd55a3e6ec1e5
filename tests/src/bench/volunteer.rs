//! The figures of the volunteer's browser: what sandbox, wire and queue take from a job, beside the same code in a bare
//! worker of the same browser.

use std::path::Path;

use serde_json::json;
use weevil_e2e::{Api, Browser, Files, Page, TestServer, pool_workflow, shipped, workflow_in};
use weevil_model::{NodeState, RunState};
use weevil_protocol::api::{JobHistory, RunStats};

use crate::report::Row;
use crate::{first_light, gpu};

const RUNS: usize = 5;
/// Jobs of one run; each takes about 50 ms.
const JOBS: usize = 100;
const PI_SAMPLES: u64 = 5_000_000;
const FLOPS_TURNS: u64 = 20_000_000;
const ZETA_TERMS: u64 = 60_000_000;
/// Percent, and as many short jobs as take ten seconds with their rests.
const DUTIES: [(u32, usize); 4] = [(10, 50), (25, 125), (50, 250), (75, 375)];
const SHORT_JOBS: usize = 500;
const SHORT: &str = "function weevil_main(n) { const end = performance.now() + n; while (performance.now() < end); return 1 }";
const SHORT_MS: u64 = 20;
/// Of a `Float64Array` of 10 MB.
const ELEMENTS: usize = 1_250_000;
const ONE_SLOT: &str = "/?autostart&slots=1";

pub(crate) fn run(binary: &Path) -> Vec<Row> {
    let (_, tabs) = first_light::no_op_rates(binary);
    vec![
        ratio(binary, "js_ratio", &inner("pi", "pi_approx.js"), PI_SAMPLES),
        ratio(binary, "flops_ratio", &inner("flops", "FLOPS.js"), FLOPS_TURNS),
        module_ratio(binary),
        gpu::ratio(binary),
        tabs,
        utilisation(binary),
        duty_error(binary),
        round_trip(binary),
        slot_start(binary),
        first_light::first_load(binary),
    ]
}

/// The function of a shipped processor, under the name `inner`.
fn inner(workflow: &str, file: &str) -> String {
    let files = shipped(workflow);
    let (_, code) = files.iter().find(|(name, _)| name == file).expect("the workflow has it");
    String::from_utf8_lossy(code).replace("function weevil_main", "function inner")
}

/// The same for a module: `examples/wasm-c`, which `cargo xtask examples` builds, beside its bare instance.
fn module_ratio(binary: &Path) -> Row {
    let files = workflow_in("../examples/wasm-c");
    let (_, module) = files.into_iter().find(|(name, _)| name == "Zeta.wasm").expect("the example is built");
    let server = TestServer::start_binary(binary, &[]);
    let browser = Browser::start();
    let bare = browser.open("about:blank");
    let _tab = browser.open(&server.url(ONE_SLOT));
    server.api().await_fleet(|fleet| fleet.slots == 1);
    let set_up = format!(
        "const module = new WebAssembly.Module(Uint8Array.from([{}]));
         const weevil = {{ progress() {{}}, flops() {{}}, log() {{}} }};
         const inner = new WebAssembly.Instance(module, {{ weevil }}).exports.weevil_main;",
        module.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
    );
    let workflow = module_pool(module);
    let figures = (0..RUNS).map(|_| {
        let bare_ms = bare_ms(&bare, &set_up, ZETA_TERMS);
        bare_ms / (stats(&server.api(), &workflow).wall_ms as f64 / JOBS as f64)
    });
    Row::median("wasm_ratio", "ratio", figures.collect())
}

fn module_pool(module: Vec<u8>) -> Files {
    let mut files = pool(JOBS, ZETA_TERMS, "");
    for (name, bytes) in &mut files {
        if name == "workflow.xml" {
            let document = String::from_utf8_lossy(bytes);
            *bytes = document.replace("id=\"each\"", "id=\"each\" jobtype=\"wasm\"").into_bytes();
        }
    }
    files.retain(|(name, _)| name != "Each.js");
    files.push(("Each.wasm".to_owned(), module));
    files
}

/// How far the share of time that jobs compute is from the duty that was chosen, at most and at each of four.
fn duty_error(binary: &Path) -> Row {
    let server = TestServer::start_binary(binary, &[]);
    let browser = Browser::start();
    let figures = DUTIES.map(|(percent, jobs)| {
        let page = browser.open(&server.url(&format!("{ONE_SLOT}&duty={percent}")));
        let duty = f64::from(percent) / 100.0;
        let stats = stats(&server.api(), &pool(jobs, SHORT_MS, SHORT));
        page.close();
        // The rest after the last job is over when nobody looks any more.
        let last_rest = SHORT_MS as f64 * (1.0 - duty) / duty;
        let share = stats.compute_ms / (stats.wall_ms as f64 + last_rest);
        (share / duty - 1.0).abs() * 100.0
    });
    Row::median("duty_error_pct", "%", figures.to_vec())
}

/// Speed of jobs through the whole system over that of the same function in a bare worker: each time one after the other.
fn ratio(binary: &Path, name: &'static str, inner: &str, n: u64) -> Row {
    let server = TestServer::start_binary(binary, &[]);
    let browser = Browser::start();
    let bare = browser.open("about:blank");
    let _tab = browser.open(&server.url(ONE_SLOT));
    server.api().await_fleet(|fleet| fleet.slots == 1);
    let processor = format!("{inner}\nfunction weevil_main(n) {{ inner(n); return 1 }}");
    let workflow = pool(JOBS, n, &processor);
    let figures = (0..RUNS).map(|_| {
        let bare_ms = bare_ms(&bare, inner, n);
        bare_ms / (stats(&server.api(), &workflow).wall_ms as f64 / JOBS as f64)
    });
    Row::median(name, "ratio", figures.collect())
}

/// Milliseconds of a call in a worker without sandbox, wire and queue; its own `Math.random`.
fn bare_ms(page: &Page<'_>, inner: &str, n: u64) -> f64 {
    let work = format!(
        "const weevil = {{ flops() {{}} }};\n{inner}\nconst start = performance.now();
         for (let i = 0; i < {JOBS}; i++) inner({n});
         postMessage((performance.now() - start) / {JOBS});"
    );
    let text = serde_json::to_string(&work).expect("texts are JSON");
    let ms = page.eval(&format!(
        "new Promise((resolve) => {{
            const worker = new Worker(URL.createObjectURL(new Blob([{text}])));
            worker.onmessage = (event) => {{ worker.terminate(); resolve(event.data); }};
        }})"
    ));
    ms.as_f64().expect("a number")
}

fn pool(jobs: usize, n: u64, processor: &str) -> Files {
    let input = format!("[{}]", vec![n.to_string(); jobs].join(","));
    pool_workflow(&input, processor, "function weevil_main(all) { return 1 }")
}

fn stats(api: &Api, workflow: &Files) -> RunStats {
    let view = api.await_end(&api.run(workflow));
    assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
    view.stats
}

fn utilisation(binary: &Path) -> Row {
    let server = TestServer::start_binary(binary, &[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url(ONE_SLOT));
    let workflow = pool(SHORT_JOBS, SHORT_MS, SHORT);
    let figures = (0..RUNS).map(|_| stats(&server.api(), &workflow).utilisation * 100.0);
    Row::median("util_20ms_pct", "%", figures.collect())
}

/// From the hand-out of a job with 10 MB in to its durable end with 10 MB out, by the server's clock.
fn round_trip(binary: &Path) -> Row {
    let server = TestServer::start_binary(binary, &[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url(ONE_SLOT));
    let values: Vec<f64> = (0..ELEMENTS).map(|n| n as f64).collect();
    let input = json!([{ "$typed": "Float64Array", "values": values }]);
    let figures = (0..=RUNS).map(|_| {
        let job = json!({ "source": "function weevil_main(a) { return a }", "input": input });
        let job = server.api().put_job(&job).job;
        let history = server.api().await_history(&job, |history| history.job.state == NodeState::Finished);
        took(&history)
    });
    // The first one fetches the code and starts the engine.
    Row::median("roundtrip_10mb_ms", "ms", figures.skip(1).collect())
}

fn took(history: &JobHistory) -> f64 {
    let attempt = history.attempts.last().expect("it was handed out");
    (attempt.ended_at.expect("it has ended") - attempt.started_at) as f64
}

/// From the page's wish for one more job worker to its word that it is ready.
fn slot_start(binary: &Path) -> Row {
    let server = TestServer::start_binary(binary, &[]);
    let browser = Browser::start();
    let page = browser.open(&server.url(ONE_SLOT));
    server.api().await_fleet(|fleet| fleet.slots == 1);
    let figures = (0..RUNS).map(|run| {
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
    Row::median("slot_start_ms", "ms", figures.collect())
}
