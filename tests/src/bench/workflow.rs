//! The figures of the workflow language and the scheduler: how long a large document takes to become a plan and what
//! that costs, how many nodes pass through executors, how long a wide graph takes through the database, and what a
//! pool of a million elements holds.

use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tempfile::TempDir;
use weevil_e2e::{Api, FakeWorker, Files, TestServer, answer_all, layered, pool_workflow, resident, status};
use weevil_model::{Encoded, RunState, Value};
use weevil_workflow::{Bundle, Plan};

use crate::report::Row;

const RUNS: usize = 5;
const POOL_RUNS: usize = 3;
const POOL_ELEMENTS: usize = 1_000_000;
const POOL_PATIENCE: Duration = Duration::from_mins(10);
const SEED: u64 = 3;
/// How this program is called to plan once, in a process of its own: a peak of memory belongs to one process.
pub(crate) const PLAN_ONCE: &str = "plan-once";

pub(crate) fn run(binary: &Path) -> Vec<Row> {
    let (seconds, megabytes) = plans();
    let (rate, bytes) = scheduling();
    vec![seconds, megabytes, rate, bytes, dag(binary), pool(binary)]
}

/// Prints seconds and megabytes.
pub(crate) fn plan_once() {
    let bundle = bundle(hundred_thousand());
    let before = own("VmRSS");
    let began = Instant::now();
    let plan = plan(&bundle);
    let seconds = began.elapsed().as_secs_f64();
    assert_eq!(plan.nodes().len(), 100_000);
    println!("{seconds} {}", own("VmHWM") - before + bundle.document().len() as f64 / 1e6);
}

fn plans() -> (Row, Row) {
    let program = std::env::current_exe().expect("this program has a path");
    let figures: Vec<(f64, f64)> = (0..RUNS)
        .map(|_| {
            let planned = Command::new(&program).arg(PLAN_ONCE).output().expect("this program runs");
            let text = String::from_utf8_lossy(&planned.stdout).into_owned();
            let (seconds, megabytes) = text.trim().split_once(' ').expect("two figures");
            (seconds.parse().expect("seconds"), megabytes.parse().expect("megabytes"))
        })
        .collect();
    let (seconds, megabytes) = figures.into_iter().unzip();
    (Row::median("plan_100k_s", "s", seconds), Row::median("plan_100k_mb", "MB", megabytes))
}

fn scheduling() -> (Row, Row) {
    let plan = plan(&bundle(hundred_thousand()));
    let one = Encoded::of(&Value::Number(1.0)).expect("numbers are small");
    let (mut rates, mut bytes) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let folder = TempDir::new().expect("a temporary folder can be made");
        let before = own("VmRSS");
        let took = weevil_server::rehearsal::schedule(plan.clone(), folder.path(), |_| one.clone())
            .expect("a database");
        rates.push(plan.nodes().len() as f64 / took.as_secs_f64());
        bytes.push((own("VmHWM") - before) * 1e6 / plan.nodes().len() as f64);
    }
    (Row::median("nodes_per_s", "nodes/s", rates), Row::median("node_bytes", "B", bytes))
}

/// From the upload's first byte to the durable end.
fn dag(binary: &Path) -> Row {
    let workflow = layered(100, 100, SEED);
    let server = with_fleet(binary);
    let figures = (0..RUNS).map(|_| {
        let began = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970").as_secs_f64();
        ended_at(&server.api(), &workflow) - began
    });
    Row::median("dag_10k_s", "s", figures.collect())
}

/// What the server holds at most beyond an idle one.
fn pool(binary: &Path) -> Row {
    let input = format!("[{}]", vec!["1"; POOL_ELEMENTS].join(","));
    let each = "function weevil_main(one) { return one }";
    let workflow = pool_workflow(&input, each, "function weevil_main(all) { return all.length }");
    let figures = (0..POOL_RUNS).map(|_| {
        let server = with_fleet(binary);
        let idle = resident(server.pid());
        ended_at(&Api::with_patience(&server.address, POOL_PATIENCE), &workflow);
        status(server.pid(), "VmHWM") - idle
    });
    Row::median("pool_1m_mb", "MB", figures.collect())
}

/// With two workers that answer at once.
fn with_fleet(binary: &Path) -> TestServer {
    let server = TestServer::start_binary(binary, &[]);
    for _ in 0..2 {
        let worker = FakeWorker::join(&server.address, 1024);
        thread::spawn(move || answer_all(worker));
    }
    server.api().await_fleet(|fleet| fleet.workers.len() == 2);
    server
}

/// Seconds since 1970, by the server's clock.
fn ended_at(api: &Api, workflow: &Files) -> f64 {
    let run = api.run(workflow);
    let view = api.await_end(&run);
    assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
    view.summary.finished_at.expect("an ended run has an end") as f64 / 1000.0
}

fn hundred_thousand() -> Files {
    layered(123, 813, SEED)
}

fn bundle(files: Files) -> Bundle {
    Bundle::new(files.into_iter().collect()).expect("the files are a workflow")
}

fn plan(bundle: &Bundle) -> Plan {
    weevil_workflow::load(bundle).unwrap_or_else(|problems| panic!("{problems:?}")).plan
}

/// Of this process, in MB.
fn own(field: &str) -> f64 {
    status(std::process::id(), field)
}
