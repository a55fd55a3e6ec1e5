//! The volunteer's page in a real browser: nothing starts without a click, and every button does what it says.

use weevil_e2e::{Browser, TestServer, job_workflow, pool_workflow};

use crate::manners::FAKES;

const SLOW: &str =
    "function weevil_main(n) { const end = Date.now() + 50; while (Date.now() < end); return n }";
const SUM: &str = "function weevil_main(all) { return all.reduce((a, b) => a + b, 0) }";

fn many_jobs(count: usize) -> weevil_e2e::Files {
    pool_workflow(&format!("[{}]", vec!["1"; count].join(",")), SLOW, SUM)
}

#[test]
fn nothing_starts_without_a_click_and_the_click_starts_it() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let run = server.api().run(&many_jobs(20));
    let page = browser.open_with(&server.url("/"), FAKES);
    page.wait_for("document.documentElement.dataset.loaded !== undefined");
    assert_eq!(server.api().fleet().workers.len(), 0, "loaded, but not connected");
    page.click("#start");
    assert_eq!(server.api().await_end(&run).result, Some(20.into()));
    page.wait_for("document.documentElement.dataset.done === '21'");
    page.wait_for("document.documentElement.dataset.state === 'waiting'");
}

#[test]
fn pause_resume_and_stop_do_what_they_say() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = browser.open(&server.url("/?autostart&slots=1"));
    let run = server.api().run(&many_jobs(400));
    server.api().await_run(&run, |view| view.summary.progress.done >= 5);
    page.click("#pause");
    page.wait_for("document.documentElement.dataset.state === 'paused'");
    let paused = server.api().await_run(&run, |view| view.summary.progress.running == 0);
    page.click("#resume");
    let later =
        server.api().await_run(&run, |view| view.summary.progress.done > paused.summary.progress.done + 5);
    assert_eq!(later.summary.progress.failed, 0);
    page.click("#stop");
    page.wait_for("document.documentElement.dataset.state === 'stopped'");
    server.api().await_fleet(|fleet| fleet.workers.is_empty());
    let left = server.api().await_run(&run, |view| view.summary.progress.running == 0);
    assert!(left.summary.progress.done < 400, "{:?}", left.summary.progress);
    let helper = browser.open(&server.url("/?autostart&slots=2"));
    assert_eq!(server.api().await_end(&run).result, Some(400.into()));
    helper.close();
}

#[test]
fn more_slots_compute_side_by_side() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = browser.open(&server.url("/?autostart&slots=2"));
    server.api().await_fleet(|fleet| fleet.slots == 2);
    let run = server.api().run(&many_jobs(20_000));
    let view = server.api().await_run(&run, |view| view.stats.slots == 2);
    assert_eq!(view.stats.workers, 1);
    assert!(view.stats.utilisation > 0.0, "{:?}", view.stats);
    page.close();
    server.api().await_fleet(|fleet| fleet.workers.is_empty());
}

#[test]
fn a_job_longer_than_its_lease_is_kept_by_heartbeats() {
    let server = TestServer::start(&["--lease-seconds", "6", "--heartbeat-seconds", "1"]);
    let browser = Browser::start();
    let page = browser.open(&server.url("/?autostart&slots=1"));
    let code =
        "function weevil_main() { const end = Date.now() + 13000; while (Date.now() < end); return 5 }";
    let view = server.api().await_end(&server.api().run(&job_workflow(code, "")));
    assert_eq!(view.result, Some(5.into()), "{:?}", view.error);
    server.api().await_fleet(|fleet| fleet.workers.iter().all(|worker| worker.in_flight == 0));
    // Handed out again it would have been computed twice.
    assert_eq!(page.eval("document.documentElement.dataset.done"), "1");
}
