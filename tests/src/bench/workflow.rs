//! The figures of the workflow language and the scheduler: how long a large document takes to become a plan and what
//! that costs, how long its layout takes, how many nodes pass through executors, how long a wide graph takes through the database, and what a
//! pool of a million elements holds.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tempfile::TempDir;
use weevil_e2e::{Api, FakeWorker, Files, TestServer, answer_all, layered, pool_workflow, resident, status};
use weevil_model::{Encoded, RunState, Value};
use weevil_records::Store;
use weevil_store::SqliteStore;
use weevil_workflow::layout::{Graph, GraphNode, Layout};
use weevil_workflow::{Bundle, Plan, PlanNode};

use crate::measure::Figures;

const POOL_ELEMENTS: usize = 1_000_000;
const POOL_PATIENCE: Duration = Duration::from_mins(10);
const SEED: u64 = 3;
/// Nodes of the large graph: as many as a document may have.
const NODES: usize = 100_000;
const LAYERS: usize = 123;
/// Layers and nodes of each, of a graph of 2,000 nodes and one.
const SMALL: (usize, usize) = (25, 80);
/// How this program is called to do one thing in a process of its own: a peak of memory belongs to one process.
pub(crate) const PLAN_ONCE: &str = "plan-once";
pub(crate) const SCHEDULE_ONCE: &str = "schedule-once";
pub(crate) const BARE_ONCE: &str = "bare-once";

pub(crate) fn plans(program: &Path, figures: usize) -> Vec<Figures> {
    let (seconds, megabytes) = alone(program, PLAN_ONCE, figures);
    vec![seconds, megabytes]
}

/// Nodes a second and bytes of each, nodes a second of actors without rules, and the first over the third.
pub(crate) fn schedules(program: &Path, figures: usize) -> Vec<Figures> {
    let (rates, bytes) = alone(program, SCHEDULE_ONCE, figures);
    let (bare, _) = alone(program, BARE_ONCE, figures);
    let over = rates.iter().zip(&bare).map(|(rate, bare)| rate / bare).collect();
    vec![rates, bytes, bare, over]
}

/// The two figures that each of several processes prints.
fn alone(program: &Path, what: &str, figures: usize) -> (Figures, Figures) {
    let figures = (0..figures).map(|_| {
        let done = Command::new(program).arg(what).output().expect("the program runs");
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        let (first, second) = text.trim().split_once(' ').unwrap_or_else(|| panic!("{done:?}"));
        (first.parse::<f64>().expect("a figure"), second.parse::<f64>().expect("a figure"))
    });
    figures.unzip()
}

/// Prints seconds, and megabytes beside the upload itself.
pub(crate) fn plan_once() {
    let bundle = bundle(hundred_thousand());
    let before = own("VmRSS");
    let began = Instant::now();
    let plan = plan(&bundle);
    let seconds = began.elapsed().as_secs_f64();
    assert_eq!(plan.nodes().len(), 100_000);
    println!("{seconds} {}", own("VmHWM") - before + bundle.document().len() as f64 / 1e6);
}

/// Prints nodes a second, and bytes for each node of a running run, its plan included.
pub(crate) fn schedule_once() {
    let before = own("VmRSS");
    let plan = plan(&bundle(hundred_thousand()));
    let nodes = plan.nodes().len() as f64;
    let one = Encoded::of(&Value::Number(1.0)).expect("numbers are small");
    let folder = TempDir::new().expect("a temporary folder can be made");
    // Planning had a peak of its own (proc(5): 5 resets it).
    std::fs::write("/proc/self/clear_refs", "5").expect("Linux forgets");
    let path = folder.path().join("rehearsal.db");
    let store = async { SqliteStore::open(&path).await.map(|store| Arc::new(store) as Arc<dyn Store>) };
    let took = weevil_engine::rehearsal::schedule(plan, store, |_| one.clone()).expect("a database");
    println!("{} {}", nodes / took.as_secs_f64(), (own("VmHWM") - before) * 1e6 / nodes);
}

/// Prints nodes a second where nodes are actors without rules, and bytes for each.
pub(crate) fn bare_once() {
    let before = own("VmRSS");
    let took = weevil_engine::rehearsal::bare(NODES);
    println!("{} {}", NODES as f64 / took.as_secs_f64(), (own("VmHWM") - before) * 1e6 / NODES as f64);
}

/// Milliseconds that a layout takes, of the small and of the large graph.
pub(crate) fn layouts(figures: usize) -> Vec<Figures> {
    let large = (LAYERS, (NODES - 1) / LAYERS);
    [SMALL, large].map(|(layers, width)| laid_out(&layered(layers, width, SEED), figures)).into()
}

/// As if each node ran a file of its own: nothing folds, so all of it is put in order.
fn laid_out(files: &Files, figures: usize) -> Figures {
    let plan = plan(&bundle(files.clone()));
    let node = |(code, node): (u32, &PlanNode)| GraphNode { kind: node.kind(), code: Some(code) };
    let nodes: Vec<_> = (0..).zip(plan.nodes()).map(node).collect();
    let targets = |(from, node): (usize, &PlanNode)| {
        node.outgoing.iter().map(move |outgoing| (from, outgoing.node.index())).collect::<Vec<_>>()
    };
    let edges: Vec<_> = plan.nodes().iter().enumerate().flat_map(targets).collect();
    let figures = (0..figures).map(|_| {
        let graph = Graph::new(nodes.clone(), edges.iter().copied(), None);
        let began = Instant::now();
        let layout = Layout::new(graph);
        let took = began.elapsed();
        assert_eq!(layout.nodes() as usize, nodes.len());
        took.as_secs_f64() * 1e3
    });
    figures.collect()
}

/// From the upload's first byte to the durable end.
pub(crate) fn dag(binary: &Path, figures: usize) -> Vec<Figures> {
    let workflow = layered(100, 100, SEED);
    let server = with_fleet(binary);
    let figures = (0..figures).map(|_| {
        let began = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970").as_secs_f64();
        ended_at(&server.api(), &workflow) - began
    });
    vec![figures.collect()]
}

/// What the server holds at most beyond an idle one.
pub(crate) fn pool(binary: &Path, figures: usize) -> Vec<Figures> {
    let input = format!("[{}]", vec!["1"; POOL_ELEMENTS].join(","));
    let each = "function weevil_main(n) { return n }";
    let workflow = pool_workflow(&input, each, "function weevil_main(all) { return all.length }");
    let figures = (0..figures).map(|_| {
        let server = with_fleet(binary);
        let idle = resident(server.pid());
        ended_at(&server.api_with(POOL_PATIENCE), &workflow);
        status(server.pid(), "VmHWM") - idle
    });
    vec![figures.collect()]
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
    layered(LAYERS, (NODES - 1) / LAYERS, SEED)
}

fn bundle(files: Files) -> Bundle {
    Bundle::new(files.into_iter().collect()).expect("the files are a workflow")
}

fn plan(bundle: &Bundle) -> Plan {
    weevil_workflow::load(bundle).unwrap_or_else(|problems| panic!("{problems:?}")).plan
}

/// A field of this process's status, in MB.
fn own(field: &str) -> f64 {
    status(std::process::id(), field)
}
