//! What a page costs that shows a run while it changes, and one that nobody sees.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use weevil_e2e::{Browser, Page, TestServer, cpu_seconds_below};

use super::paced::{nodes, worker};
use crate::measure::Figures;

const CHANGES_PER_S: u32 = 1_000;
const WINDOW: Duration = Duration::from_secs(10);
/// Jobs that have ended before a page is watched: what it takes to open it is another figure.
const SETTLED: u32 = 2_000;
/// What is watched for ten minutes: its nodes change for all of them.
const NODES: usize = 100_000;
const CHANGES_PER_S_FOR_LONG: u32 = 320;
const HALF: Duration = Duration::from_mins(5);
/// Nodes of the run, and whether somebody sees the page.
const PAGES: [(usize, bool); 3] = [(10_000, true), (100_000, true), (10_000, false)];
/// Counts the longest task of the page.
const TASKS: &str = "globalThis.longest = 0; new PerformanceObserver((list) => {
    for (const task of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, task.duration);
}).observe({ type: 'longtask' })";
/// After so long a page that nobody sees asks for nothing more.
const LEFT: Duration = Duration::from_secs(65);

/// Percent of a core for the page of a run of 10,000 nodes, of one of 100,000, and for one that nobody sees; the longest task in
/// milliseconds, and the heap at the end in megabytes.
pub(crate) fn watched(binary: &Path, _: usize) -> Vec<Figures> {
    let mut found = PAGES.map(|(count, seen)| watch(binary, count, seen));
    let [few, many, unseen] = found.each_mut().map(|page| vec![page.percent]);
    let (longest, heap) = found.iter().fold((0.0, 0.0), |(longest, heap), page| {
        (f64::max(longest, page.longest_ms), f64::max(heap, page.heap_mb))
    });
    vec![few, many, unseen, vec![longest], vec![heap]]
}

struct Watched {
    percent: f64,
    longest_ms: f64,
    heap_mb: f64,
}

fn watch(binary: &Path, count: usize, seen: bool) -> Watched {
    let server = TestServer::start_binary(binary, &[]);
    let run = server.api().run(&nodes(count));
    let browser = Browser::start();
    let page = server.console(&browser, &format!("#/runs/{run}"));
    let working = worker(&server, CHANGES_PER_S);
    server.api().await_run(&run, |run| run.summary.progress.done > SETTLED);
    page.eval(TASKS);
    let front = (!seen).then(|| leave(&browser, &page));
    let percent = busiest(browser.pid()) * 100.0;
    let found = Watched { percent, longest_ms: number(&page, "globalThis.longest"), heap_mb: heap(&page) };
    drop((server, front));
    working.join();
    found
}

/// Another tab in front of it, for as long as it takes the page to fall silent.
fn leave<'b>(browser: &'b Browser, page: &Page<'_>) -> Page<'b> {
    let front = browser.open("about:blank");
    front.call("Page.bringToFront", &json!({}));
    page.wait_for("document.visibilityState === 'hidden'");
    thread::sleep(LEFT);
    front
}

/// Megabytes of the heap of a page that has shown a run for ten minutes, and how much they are more than after five.
pub(crate) fn kept(binary: &Path, _: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let run = server.api().run(&nodes(NODES));
    let browser = Browser::start();
    let page = server.console(&browser, &format!("#/runs/{run}"));
    let working = worker(&server, CHANGES_PER_S_FOR_LONG);
    let [half, whole] = [(); 2].map(|()| {
        thread::sleep(HALF);
        heap(&page)
    });
    drop(server);
    working.join();
    vec![vec![whole], vec![whole - half]]
}

fn number(page: &Page<'_>, expression: &str) -> f64 {
    page.eval(expression).as_f64().expect("a number")
}

/// What is left after a collection.
fn heap(page: &Page<'_>) -> f64 {
    page.call("HeapProfiler.collectGarbage", &json!({}));
    let used = page.call("Runtime.getHeapUsage", &json!({}));
    used["usedSize"].as_f64().expect("a number") / 1e6
}

/// The share of one processor that the busiest process below the browser takes: that of the page.
fn busiest(browser: u32) -> f64 {
    let (start, before) = (Instant::now(), cpu_seconds_below(browser));
    thread::sleep(WINDOW);
    let (passed, after) = (start.elapsed(), cpu_seconds_below(browser));
    let growth = after.iter().map(|(pid, seconds)| seconds - before.get(pid).unwrap_or(&0.0));
    growth.fold(0.0, f64::max) / passed.as_secs_f64()
}
