//! How much comes to a fresh browser for its first view, and how soon a page is there that can be used.

use std::path::Path;

use weevil_api::ConsoleLink;
use weevil_api::routes::Operation;
use weevil_e2e::{Browser, Page, TestServer, Wire};

use super::paced::{fleet, nodes};
use crate::measure::Figures;

/// What is there once a page shows what was asked for, in this release and in those without graphs.
const OVERVIEW: &str = "#overview-page:has(#runs [data-run]):has(#chart-waiting canvas), #home #runs > *";
const RUN: &str = "main .graph-figure, main .graph-canvas, main table.nodes tbody tr";
const WORKER: &str = "main [data-worker]";
/// Runs of so many nodes.
const LARGE: [usize; 2] = [10_000, 100_000];

/// All that travels until the console has begun to listen, with the heads of the answers.
pub(crate) fn first_view(binary: &Path, _: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let wire = Wire::to(&server.address);
    let browser = Browser::start();
    let page = browser.open(&wire.url(&format!("/console#link={}", link(&server))));
    page.wait_for("document.documentElement.dataset.live === 'true'");
    vec![vec![wire.received() as f64 / 1000.0]]
}

/// Milliseconds to the Overview, and to runs of 10,000 and 100,000 nodes.
pub(crate) fn views(binary: &Path, figures: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let runs = LARGE.map(|count| server.api().run(&nodes(count)));
    for run in &runs {
        server.api().await_run(run, |run| run.summary.progress.total > 0);
    }
    let browser = Browser::start();
    drop(server.console(&browser, ""));
    let [small, large] = runs.each_ref().map(|run| format!("#/runs/{run}"));
    let places = [("#/", OVERVIEW), (small.as_str(), RUN), (large.as_str(), RUN)];
    places.map(|place| times(&server, &browser, place, figures)).into()
}

/// Milliseconds to 10,000 workers.
pub(crate) fn many_workers(binary: &Path, figures: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let _fleet = fleet(&server);
    let browser = Browser::start();
    drop(server.console(&browser, ""));
    vec![times(&server, &browser, ("#/workers", WORKER), figures)]
}

fn link(server: &TestServer) -> String {
    let made = server.api().post(&Operation::MakeConsoleLink.path(&[]), "text/plain", &[], b"");
    made.created::<ConsoleLink>().link
}

fn times(server: &TestServer, browser: &Browser, (place, shown): (&str, &str), figures: usize) -> Figures {
    let url = server.url(&format!("/console{place}"));
    (0..figures).map(|_| time(browser.open(&url), shown)).collect()
}

/// From the navigation until what was asked for is shown and the page has answered a task behind it.
fn time(page: Page<'_>, shown: &str) -> f64 {
    page.wait_for(&format!(
        "document.documentElement.dataset.live === 'true' && document.querySelector('{shown}') !== null"
    ));
    let ms = page.eval(
        "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))",
    );
    page.close();
    ms.as_f64().expect("a number")
}
