//! The way between a tab and its server goes away and comes back.

use std::time::Instant;

use weevil_e2e::{Browser, Files, Page, TestServer, Wire, pool_workflow};

use super::{SUM, WATCHED, assert_calm, done, jobs};

const TRYING: &str = "document.documentElement.dataset.state === 'connecting'
    && document.querySelector('#retry').innerText.includes('Next try in')
    && document.querySelector('#sentence').innerText.includes('goes on trying')";

const NOTHING_IN_HAND: &str = "document.querySelector('#busy').innerText[0] === '0'
    && document.querySelector('#waiting').innerText === '0'";

/// No result was made in vain: each that was handed in was used.
fn assert_all_used(server: &TestServer) {
    let metrics = server.api().metrics();
    assert!(metrics.get("weevil_results_total{verdict=\"superseded\"}").abs() < 1e-9);
}

fn working<'b>(server: &TestServer, wire: &Wire, browser: &'b Browser, jobs: &Files) -> (Page<'b>, String) {
    let tab = browser.open_with(&wire.url("/?autostart&slots=1"), WATCHED);
    let run = server.api().run(jobs);
    server.api().await_run(&run, |view| view.summary.progress.done >= 3);
    (tab, run)
}

/// Thirty jobs, of which the fifth takes far longer than it takes to cut a way.
fn one_long_job() -> Files {
    let code = "function weevil_main(n) {
        const end = performance.now() + (n === 5 ? 6000 : 300);
        while (performance.now() < end);
        return 1
    }";
    let elements: Vec<_> = (1..=30).map(|n| n.to_string()).collect();
    pool_workflow(&format!("[{}]", elements.join(",")), code, SUM)
}

#[test]
fn what_is_finished_while_the_way_is_cut_is_handed_in_later() {
    let mut server = TestServer::start(&[]);
    let (wire, browser) = (Wire::to(&server.address), Browser::start());
    let (tab, run) = working(&server, &wire, &browser, &one_long_job());
    // It has something in hand.
    tab.wait_for(
        "document.documentElement.dataset.done >= 4 && document.querySelector('#busy').innerText[0] === '1'",
    );
    wire.cut();
    server.api().await_fleet(|fleet| fleet.workers.is_empty());
    let known = server.api().await_run(&run, |view| view.summary.progress.running == 0).summary.progress.done;
    tab.wait_for(TRYING);
    // What it still computed when the way is back would be handed out again.
    tab.wait_for(&format!("{NOTHING_IN_HAND} && Number(document.documentElement.dataset.done) > {known}"));
    assert_eq!(server.api().view(&run).summary.progress.done, known, "nobody has told the server");
    wire.restore();
    assert_eq!(server.api().await_end(&run).result, Some(30.into()));
    assert_eq!(done(&tab), 31, "nothing was computed twice");
    assert_all_used(&server);
    assert_calm(&tab);
    server.audit();
}

/// No close and no reset: only that answers are missing tells.
#[test]
fn a_way_on_which_everything_vanishes_is_noticed_and_left() {
    let mut server = TestServer::start(&["--lease-seconds", "8", "--heartbeat-seconds", "1"]);
    let (wire, browser) = (Wire::to(&server.address), Browser::start());
    let (tab, run) = working(&server, &wire, &browser, &jobs(30, 300));
    wire.swallow();
    let since = Instant::now();
    tab.wait_for(TRYING);
    eprintln!("a lease of 8 s: noticed after {:?}", since.elapsed());
    server.api().await_fleet(|fleet| fleet.workers.is_empty());
    let passed = wire.passed();
    wire.restore();
    assert_eq!(server.api().await_end(&run).result, Some(30.into()));
    assert!(wire.passed() > passed);
    assert_all_used(&server);
    assert_calm(&tab);
    server.audit();
}
