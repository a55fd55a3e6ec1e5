//! What jobs have left behind in a tab that rests, pauses, ends or is hidden: it comes to an end, and the tab uses no
//! processor time.

use std::time::Instant;

use serde_json::Value;
use weevil_e2e::{Browser, PATIENCE, Page, TestServer, cpu_seconds_below, pool_workflow};

use crate::manners::FAKES;

/// Each leaves a chain of promises, an interval and a loop of timeouts that never end.
const LEAVES: &str = "function weevil_main(n) {
    for (const end = Date.now() + 60; Date.now() < end;);
    setInterval(() => { for (const end = Date.now() + 20; Date.now() < end;); }, 1);
    (function again() { setTimeout(again, 0) })();
    (function on() { Promise.resolve().then(on) })();
    return n
}";
const HIDE: &str = "Object.defineProperty(document, 'hidden', { get: () => globalThis.away === true });";

/// How a tab comes to rest: its address, and what is done there.
const RESTS: [(&str, &str, &str); 4] = [
    ("paused", "/", "document.querySelector('#pause').click()"),
    ("finished", "/", "document.querySelector('#finish').click()"),
    (
        "hidden",
        "/",
        "document.querySelector('#pause-hidden').click(); away = true; document.dispatchEvent(new Event('visibilitychange'))",
    ),
    ("resting", "/?autostart&slots=1&duty=5", ""),
];

/// Milliseconds in which processor time is counted.
const WINDOW_MS: u32 = 2_000;
/// Seconds of it that the busiest process may take in the window, for all that a page does; a loop would take the window.
const CALM_SECONDS: f64 = 0.3;

#[test]
fn a_tab_at_rest_uses_no_processor_time_whatever_ran_in_it_before() {
    let server = TestServer::start(&[]);
    let jobs = format!("[{}]", vec!["1"; 5_000].join(","));
    let workflow = pool_workflow(&jobs, LEAVES, "function weevil_main(all) { return 1 }");
    for (name, address, act) in RESTS {
        let browser = Browser::start();
        let run = server.api().run(&workflow);
        let page = browser.open_with(&server.url(address), &format!("{FAKES}{HIDE}"));
        if address == "/" {
            page.click("#start");
        }
        server.api().begun(&run);
        page.eval(&format!("{act}; 0"));
        let deadline = Instant::now() + PATIENCE;
        // What does not stop by itself, Chromium ends two seconds after it was told to.
        while busiest(&browser, &page) > CALM_SECONDS {
            assert!(Instant::now() < deadline, "{name}: it goes on and on");
        }
        server.api().cancel(&run);
        page.close();
    }
}

/// Seconds of processor time that the busiest process of a browser takes in the window. The frame of the jobs has a process
/// of its own.
fn busiest(browser: &Browser, page: &Page<'_>) -> f64 {
    let before = cpu_seconds_below(browser.pid());
    let waited = page.eval(&format!("new Promise((resolve) => setTimeout(resolve, {WINDOW_MS}, true))"));
    assert_eq!(waited, Value::Bool(true));
    let after = cpu_seconds_below(browser.pid());
    let growth = after.iter().map(|(pid, seconds)| seconds - before.get(pid).unwrap_or(&0.0));
    growth.fold(0.0, f64::max)
}
