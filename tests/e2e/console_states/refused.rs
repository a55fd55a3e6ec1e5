//! The server refuses, or is not there: each page says so, and what was asked for comes by its own button once the server is back.

use serde_json::json;
use weevil_e2e::{Browser, Page, Wire};

use super::full::Full;
use super::place::{look, look_at_each, place};

/// Waits for the stream, as the mark at the top says: it asks for nothing that could be refused.
const TOLD: &str = "run-going";
/// What a page says of what it was refused.
const PROBLEM: &str = "main [role=alert]";

#[test]
fn every_page_while_the_server_is_away() {
    let full = Full::made();
    let wire = Wire::to(&full.server.address);
    let browser = Browser::start();
    let page = full.server.console_at(&wire.address, &browser, "");
    for place in full.asking().filter(|place| place.name != TOLD) {
        place.leave(&page);
        wire.cut();
        place.open(&page);
        page.wait_for(&format!("document.querySelector('{PROBLEM} button')"));
        look(&page, &format!("{}-refused", place.name));
        wire.restore();
        try_again(&page);
        place.await_it(&page);
    }
}

/// Presses each button that asks again.
fn try_again(page: &Page<'_>) {
    page.eval(&format!("document.querySelectorAll('{PROBLEM} button').forEach((button) => button.click())"));
}

#[test]
fn every_page_of_something_that_is_not_there() {
    let full = Full::made();
    let browser = Browser::start();
    let page = full.server.console(&browser, "");
    let nowhere = "0".repeat(64);
    let places = [
        place("run", "#/runs/run_38fyq0j4r0000", "[role=alert] a"),
        place("job", "#/jobs/job_38fyq0j4r0000", "[role=alert] a"),
        place("worker", "#/workers/wrk_38fyq0j4r0000", "[role=alert] a"),
        place("version", &format!("#/workflows/none/{nowhere}"), "[role=alert] a"),
        place("editor", &format!("#/workflows/none/{nowhere}/edit"), "[role=alert] a"),
        place("diff", &format!("#/diff/{nowhere}/{nowhere}"), "[role=alert] a"),
    ];
    look_at_each(&page, "unknown", &places);
    for place in &places {
        place.open(&page);
        place.await_it(&page);
        let leads = page.eval("document.querySelector('[role=alert] a').getAttribute('href')");
        assert!(leads.as_str().is_some_and(|to| to.starts_with("/docs/errors/")), "{}: {leads}", place.name);
        let told = page.eval("document.querySelector('[role=alert]').textContent.includes('Request ')");
        assert_eq!(told, json!(true), "{}", place.name);
    }
}
