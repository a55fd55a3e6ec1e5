//! A tab that its browser freezes: nothing of it runs, not even the coordinator, and then everything at once.

use std::time::Instant;

use serde_json::{Value, json};
use weevil_e2e::{Browser, Page, TestServer};

use super::{SHORT_LEASE, WATCHED, assert_calm, done, jobs};

fn set(page: &Page<'_>, state: &str) {
    page.call("Page.setWebLifecycleState", &json!({ "state": state }));
}

/// Time passes in another tab: a minute is as long as one question to a browser may take.
fn three_minutes(other: &Page<'_>) {
    for _ in 0..4 {
        other.eval("new Promise((resolve) => setTimeout(resolve, 45_000))");
    }
}

#[test]
fn jobs_that_nobody_took_meanwhile_are_taken_up_again() {
    let mut server = TestServer::start(&SHORT_LEASE);
    let browser = Browser::start();
    let tab = browser.open_with(&server.url("/?autostart&slots=1"), WATCHED);
    let run = server.api().run(&jobs(40, 100));
    server.api().await_run(&run, |view| view.summary.progress.done >= 5);
    set(&tab, "frozen");
    server.api().await_fleet(|fleet| fleet.workers.is_empty());
    let frozen = server.api().await_run(&run, |view| view.summary.progress.running == 0);
    set(&tab, "active");
    let thawed = Instant::now();
    let next = frozen.summary.progress.done + 1;
    server.api().await_run(&run, |view| view.summary.progress.done >= next);
    eprintln!("the next result {:?} after the thaw", thawed.elapsed());
    assert_eq!(server.api().await_end(&run).result, Some(40.into()));
    assert_calm(&tab);
    server.audit();
}

/// Four times what the job needs, for a busy machine; less than the tab is frozen.
const TIMEOUT_MS: u32 = 12_000;
const FROZEN_MS: u32 = 20_000;
/// Works for three seconds of its own time, and answers the longest time in which it did not.
const GAP: &str = "function weevil_main() {
    weevil.progress(0.5);
    let worked = 0, gap = 0, last = Date.now();
    while (worked < 3000) {
        const now = Date.now(), step = now - last;
        if (step < 500) worked += step; else gap = Math.max(gap, step);
        last = now;
    }
    return gap
}";

#[test]
fn a_job_stands_still_with_its_tab_and_is_not_charged_for_it() {
    let mut server = TestServer::start(&["--heartbeat-seconds", "1"]);
    let browser = Browser::start();
    let tab = browser.open_with(&server.url("/?autostart&slots=1"), WATCHED);
    let job = server.api().put_job(&json!({ "source": GAP, "timeoutMs": TIMEOUT_MS, "attempts": 1 })).job;
    server
        .api()
        .await_history(&job, |history| history.attempts.iter().any(|attempt| attempt.progress.is_some()));
    set(&tab, "frozen");
    let clock = browser.open("about:blank");
    clock.eval(&format!("new Promise((resolve) => setTimeout(resolve, {FROZEN_MS}))"));
    set(&tab, "active");
    let end = server.api().await_job(&job);
    let gap = end.result.as_ref().and_then(Value::as_f64).unwrap_or_default();
    eprintln!("frozen for {FROZEN_MS} ms, the job stood still for {gap} ms");
    assert!(gap > f64::from(TIMEOUT_MS), "{end:?}");
    assert_calm(&tab);
    server.audit();
}

#[test]
fn three_minutes_are_survived_while_another_one_ends_the_run() {
    let mut server = TestServer::start(&[]);
    let browser = Browser::start();
    let tab = browser.open_with(&server.url("/?autostart&slots=1"), WATCHED);
    let run = server.api().run(&jobs(60, 100));
    server.api().await_run(&run, |view| view.summary.progress.done >= 5);
    set(&tab, "frozen");
    let helper = browser.open_with(&server.url("/?autostart&slots=1"), WATCHED);
    three_minutes(&helper);
    assert_eq!(server.api().await_end(&run).result, Some(60.into()), "its jobs were taken back");
    let before = done(&tab);
    // Closed, it would give the screen to the frozen one, which thaws by that.
    helper.click("#stop");
    server.api().await_fleet(|fleet| fleet.workers.is_empty());
    set(&tab, "active");
    let thawed = Instant::now();
    let second = server.api().run(&jobs(5, 100));
    assert_eq!(server.api().await_end(&second).result, Some(5.into()));
    eprintln!("five jobs within {:?} of the thaw", thawed.elapsed());
    tab.wait_for("document.documentElement.dataset.state === 'waiting'");
    assert!(done(&tab) >= before + 6);
    assert_calm(&tab);
    assert_eq!(server.audit().open, 0);
}
