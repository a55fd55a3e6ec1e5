//! The figures of the first whole path: how busy slots are, how many jobs pass, how soon the first one runs, how
//! much is downloaded, how small an idle server is. Beside them, as baselines of the same run, workers without a browser.

use std::path::Path;
use std::thread;
use std::time::Duration;

use weevil_e2e::{
    Api, Browser, FakeWorker, Files, Firefox, TestServer, Wire, answer_all, pool_workflow, resident, shipped,
};
use weevil_model::RunState;

use crate::measure::Figures;
use crate::report::Spread;

const NO_OPS: u32 = 10_000;
/// Pi jobs of each utilisation run; the demo's size, so that the ends weigh little.
const PI_JOBS: usize = 1000;
const PI_PATIENCE: Duration = Duration::from_mins(10);
const PI_SAMPLES: &str = "5000000";

/// Jobs that each cost their job worker.
const REPLACING: u32 = 50;
const NO_OP: &str = "function weevil_main(n) { return 1 }";
const ASYNC_NO_OP: &str = "async function weevil_main(n) { return 1 }";
/// What each job leaves behind: a chain of promises that never ends.
const CHAIN: &str = "function weevil_main(n) { (function on() { Promise.resolve().then(on) })(); return 1 }";

/// Jobs a second through two tabs: the first run apart, since what a worker may hold grows with what it has delivered.
pub(crate) fn tabs(binary: &Path, figures: usize) -> Vec<Figures> {
    let rates = in_chromium(binary, NO_OP, NO_OPS, figures);
    vec![rates[..1].to_vec(), rates]
}

pub(crate) fn async_tabs(binary: &Path, figures: usize) -> Vec<Figures> {
    vec![in_chromium(binary, ASYNC_NO_OP, NO_OPS, figures)]
}

/// A server from before ends no chain, and would compute the last ones for ever.
pub(crate) fn replacing_tabs(binary: &Path, figures: usize) -> Vec<Figures> {
    vec![in_chromium(binary, CHAIN, REPLACING, figures)]
}

fn in_chromium(binary: &Path, code: &str, jobs: u32, figures: usize) -> Figures {
    let server = TestServer::start_binary(binary, &[]);
    let browser = Browser::start();
    let _tabs = [0, 1].map(|_| browser.open(&server.url("/?autostart&slots=1")));
    rates(&server, code, jobs, figures)
}

pub(crate) fn firefox_tabs(binary: &Path, figures: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let browser = Firefox::start();
    let _tabs = [0, 1].map(|_| browser.open(&server.url("/?autostart&slots=1")));
    vec![rates(&server, NO_OP, NO_OPS, figures)]
}

fn rates(server: &TestServer, code: &str, jobs: u32, figures: usize) -> Figures {
    server.api().await_fleet(|fleet| fleet.slots == 2);
    let workflow = no_ops(code, jobs);
    (0..figures).map(|_| rate(&server.api(), &workflow, jobs)).collect()
}

/// Jobs a second through two tabs, and through two workers without a browser, durable both; the first over the second.
pub(crate) fn no_op_rates(binary: &Path, figures: usize) -> Vec<Figures> {
    let workflow = no_ops(NO_OP, NO_OPS);
    let server = TestServer::start_binary(binary, &[]);
    for _ in 0..2 {
        let worker = FakeWorker::join(&server.address, 768);
        thread::spawn(move || answer_all(worker));
    }
    server.api().await_fleet(|fleet| fleet.workers.len() == 2);
    let native: Figures = (0..figures).map(|_| rate(&server.api(), &workflow, NO_OPS)).collect();
    drop(server);
    let tabs = in_chromium(binary, NO_OP, NO_OPS, figures);
    let over = vec![Spread::of(&tabs).value / Spread::of(&native).value];
    vec![tabs, native, over]
}

fn no_ops(code: &str, jobs: u32) -> Files {
    let input = format!("[{}]", vec!["1"; jobs as usize].join(","));
    pool_workflow(&input, code, "function weevil_main(all) { return 1 }")
}

/// From the run's creation to its durable end, by the server's clock: the event stream's quarter of a second is not in it.
fn rate(api: &Api, workflow: &Files, jobs: u32) -> f64 {
    let run = api.run(workflow);
    let view = api.await_end(&run);
    assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
    let ms = view.summary.finished_at.expect("an ended run has an end") - view.summary.created_at;
    f64::from(jobs + 1) / ms as f64 * 1000.0
}

/// Two volunteers, each its own browser with one slot, as in the demo.
pub(crate) fn utilisation(binary: &Path, figures: usize) -> Vec<Figures> {
    let mut workflow = shipped("pi");
    let samples = workflow.iter_mut().find(|file| file.0 == "samples.json").expect("pi has samples");
    samples.1 = format!("[{}]", vec![PI_SAMPLES; PI_JOBS].join(",")).into_bytes();
    let server = TestServer::start_binary(binary, &[]);
    let browsers = [Browser::start(), Browser::start()];
    let _tabs = browsers.each_ref().map(|browser| browser.open(&server.url("/?autostart&slots=1")));
    server.api().await_fleet(|fleet| fleet.slots == 2);
    let api = server.api_with(PI_PATIENCE);
    let stats: Vec<_> = (0..figures)
        .map(|_| {
            let run = api.run(&workflow);
            api.await_end(&run).stats
        })
        .collect();
    let percent = stats.iter().map(|stats| stats.utilisation * 100.0).collect();
    let job_ms = stats.iter().map(|stats| stats.compute_ms / f64::from(stats.jobs)).collect();
    vec![percent, job_ms]
}

/// A fresh profile, a waiting job, a click.
pub(crate) fn click_to_job(binary: &Path, figures: usize) -> Vec<Figures> {
    let figures = (0..figures).map(|_| {
        let server = TestServer::start_binary(binary, &[]);
        server.api().run(&no_ops(NO_OP, 1));
        let browser = Browser::start();
        let page = browser.open(&server.url("/"));
        page.wait_for("document.documentElement.dataset.loaded !== undefined");
        page.click("#start");
        page.wait_for("document.documentElement.dataset.firstJobMs > 0");
        let ms = page.eval("Number(document.documentElement.dataset.firstJobMs)");
        ms.as_f64().expect("a number")
    });
    vec![figures.collect()]
}

/// Everything that comes to a fresh browser until its first job is done, as it travels, with the heads of the answers.
pub(crate) fn first_load(binary: &Path, _: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let wire = Wire::to(&server.address);
    let browser = Browser::start();
    let _tab = browser.open(&wire.url("/?autostart&slots=1"));
    let api = server.api();
    api.await_end(&api.run(&no_ops(NO_OP, 1)));
    vec![vec![wire.received() as f64 / 1000.0]]
}

pub(crate) fn idle_rss(binary: &Path, figures: usize) -> Vec<Figures> {
    let figures = (0..figures).map(|_| {
        let server = TestServer::start_binary(binary, &[]);
        server.api().get("/");
        // What is left after the start has settled is what an idle server costs.
        thread::sleep(Duration::from_secs(1));
        resident(server.pid())
    });
    vec![figures.collect()]
}
