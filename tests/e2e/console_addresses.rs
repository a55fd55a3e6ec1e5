//! What is copied is what the other person sees: an address is taken from one page of the console into another, which shows the
//! same panels, looks of values, tables and switches. A node has a page of its own.

use serde_json::json;
use weevil_e2e::{Browser, FakeWorker, Page, TestServer, shipped};
use weevil_protocol::frame::{AttemptResult, Outcome};

use super::console::press;
use super::console_palette::letter;
use super::lookback::a_run_that_stumbles;
use super::looks::{await_words, desk, look_at_console, phone};
use super::values::encoded;

fn hash(page: &Page<'_>) -> String {
    page.eval("location.hash").as_str().expect("a hash").to_owned()
}

fn await_hash(page: &Page<'_>, expected: &str) {
    page.wait_for(&format!("location.hash === '{expected}'"));
}

fn await_element(page: &Page<'_>, selector: &str) {
    page.wait_for(&format!("document.querySelector('{selector}')"));
}

fn await_none(page: &Page<'_>, selector: &str) {
    page.wait_for(&format!("!document.querySelector('{selector}')"));
}

fn go(page: &Page<'_>, place: &str, until: &str) {
    page.eval(&format!("location.hash = '{place}'"));
    await_element(page, until);
}

/// The same address in another page.
fn copied<'b>(server: &TestServer, browser: &'b Browser, page: &Page<'_>) -> Page<'b> {
    server.console(browser, &hash(page))
}

/// A job whose only attempt has logged something; a list of numbers is its result, and one is its input.
fn a_job_that_logged(server: &TestServer) -> String {
    let job = server.api().put_job(&json!({ "source": "function weevil_main() {}", "input": [1, 2, 3] })).job;
    let mut worker = FakeWorker::join(&server.address, 1);
    let key = worker.job().key;
    let numbers: Vec<u32> = (0..100).collect();
    let outcome = Outcome::Value(encoded(json!(numbers)).as_bytes().to_vec().into());
    let log = Some("a line".to_owned());
    worker.submit(vec![AttemptResult { key, outcome, slot: 0, compute_us: 1, flops: 1e6, log }]);
    server.api().await_job(&job);
    job
}

#[test]
fn what_is_open_of_a_job_and_how_its_values_are_looked_at_is_in_its_address() {
    let server = TestServer::start(&[]);
    let job = a_job_that_logged(&server);
    let browser = Browser::start();
    let page = server.console(&browser, &format!("#/jobs/{job}"));
    await_element(&page, "#result[data-face=line]");
    page.click("#job-code .code-text summary");
    page.click("details.log summary");
    page.click("#job-page details.value summary");
    await_element(&page, "#input[data-face=line]");
    page.click("input[name=face-input][value=histogram]");
    page.click("#input details.bins summary");
    page.click("input[name=face-result][value=table]");
    for order in ["ascending", "descending"] {
        page.click("#result .sort");
        await_element(&page, &format!("#result [aria-sort={order}]"));
    }
    let words = "panels=code%2Clog-1%2Cinput&faces=input%3Ahistogram.bins%2Cresult%3Atable.-0";
    await_hash(&page, &format!("#/jobs/{job}?{words}"));

    let other = copied(&server, &browser, &page);
    await_words(&other, "#job-code .code-text[open] pre", "weevil_main");
    await_words(&other, "details.log[open] pre", "a line");
    await_element(&other, "#input[data-face=histogram] details.bins[open] td");
    await_element(&other, "#result[data-face=table] [aria-sort=descending]");
    await_element(&other, "input[name=face-result][value=table]:checked");
    other.click("details.log summary");
    await_none(&other, "details.log[open]");
    other.click("input[name=face-result][value=line]");
    await_element(&other, "#result[data-face=line]");
    // What is as usual is not in the address.
    await_hash(&other, &format!("#/jobs/{job}?panels=code%2Cinput&faces=input%3Ahistogram.bins"));
    other.click("#job-page .back a");
    await_none(&other, "#job-page");
    await_hash(&other, "#/queues/default");

    // A page behind another one reads nothing.
    page.call("Page.bringToFront", &json!({}));
    let strange = format!("#/jobs/{job}?panels=nothing,code&faces=result:nothing,input");
    go(&page, &strange, "#result[data-face=line]");
    await_element(&page, ".code-text[open] pre");
    await_element(&page, "details.log:not([open])");
}

#[test]
fn a_node_is_a_page_and_what_is_open_of_it_is_in_the_address() {
    let server = TestServer::start(&[]);
    let run = a_run_that_stumbles(&server);
    let browser = Browser::start();
    let page = server.console(&browser, &format!("#/runs/{run}?node=pool"));
    await_element(&page, "#node[data-kind=pool] #node-value");
    page.click("[data-work=processor] .code-text summary");
    page.click("[data-port] details summary");
    await_element(&page, "[data-port] .viewer-body");
    page.click("[data-port] input[value=histogram]");
    await_element(&page, "[data-port] [data-face=histogram]");
    for part in ["node=pool", "panels=processor-code%2Cvalue-", "faces=value-", "histogram"] {
        page.wait_for(&format!("location.hash.includes('{part}')"));
    }
    let other = copied(&server, &browser, &page);
    await_words(&other, "[data-work=processor] .code-text[open] pre", "weevil_main");
    await_element(&other, "[data-port] details[open] [data-face=histogram]");
    // Another node has other panels.
    other.click("[data-port] a[data-to=input]");
    await_element(&other, "#node[data-kind=value]");
    other.wait_for("location.hash.includes('node=input') && !/panels=|faces=/.test(location.hash)");
    other.close();
    page.call("Page.bringToFront", &json!({}));
    it_leads_to_its_page_and_back(&page, &run);
}

fn it_leads_to_its_page_and_back(page: &Page<'_>, run: &str) {
    page.click("#node-page");
    page.wait_for("document.querySelector('#node[data-kind=pool]') && !document.querySelector('.graph')");
    await_hash(page, &format!("#/runs/{run}/node?node=pool"));
    await_words(page, ".trail", "pool");
    assert_eq!(
        page.eval("document.querySelector('.trail a[href^=\"#/runs/\"]').getAttribute('href')"),
        json!(format!("#/runs/{run}"))
    );
    assert_eq!(page.eval("document.querySelectorAll('.tabs [aria-current], #node-page').length"), json!(0));
    await_words(page, "#node .facts", "pool");
    page.click("[data-work=processor] .code-text summary");
    await_element(page, ".code-text[open] pre");
    await_hash(page, &format!("#/runs/{run}/node?node=pool&panels=processor-code"));
    page.click(".node-inputs a[data-to=input]");
    await_element(page, "#node[data-kind=value]");
    await_hash(page, &format!("#/runs/{run}/node?node=input"));
    look_at_console(page, "node-page");
    desk(page);
    page.click("#node-close");
    await_element(page, ".graph #node[data-kind=value]");
    page.click("#node-page");
    page.wait_for("document.querySelector('#node[data-kind=value]') && !document.querySelector('.graph')");
    press(page, "Escape");
    await_element(page, ".graph #node[data-kind=value]");
    go(page, &format!("#/runs/{run}/about"), "#origin");
    go(page, &format!("#/runs/{run}/node"), ".graph .graph-figure");
    await_hash(page, &format!("#/runs/{run}"));
    phone(page);
    go(page, &format!("#/runs/{run}?node=pool"), "#node[data-kind=pool] .facts");
    await_words(page, "#node-close", "Back to the graph");
    assert_eq!(page.eval("document.querySelectorAll('#node-page').length"), json!(0));
    page.click("#node-close");
    page.click("[data-layer=\"1\"] summary");
    await_element(page, "[data-layer=\"1\"] [data-node=pool]");
    page.wait_for("location.hash.includes('layers=1')");
    page.eval("window.before = true; location.reload()");
    page.wait_for("!window.before && document.querySelector('[data-layer=\"1\"][open] [data-node=pool]')");
}

#[test]
fn tables_and_switches_are_in_the_address() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&shipped("add"));
    let browser = Browser::start();
    let page = server.console(&browser, "#/");
    await_element(&page, "#chart-waiting canvas");
    letter(&page, "t");
    await_element(&page, "#chart-waiting details[open] td");
    page.wait_for("location.hash.startsWith('#/?panels=table-chart-')");
    let other = copied(&server, &browser, &page);
    await_element(&other, "#chart-waiting details[open] td");
    other.click("#chart-waiting summary");
    await_none(&other, "#chart-waiting details[open]");
    other.wait_for("!location.hash.includes('chart-waiting')");
    other.close();

    let switches = [
        (format!("#/runs/{run}"), "#graph-follow", "#graph-follow[aria-pressed=true]", "follow=1"),
        (format!("#/runs/{run}/log"), "#log-follow", "#log-follow:checked", "follow=1"),
        (format!("#/runs/{run}/overview"), "tr[data-node=val1] button", "#node-value", "node=val1"),
        (
            "#/workflows/copied/edit?from=add".to_owned(),
            "#preview-list",
            "#preview-list[aria-pressed=true]",
            "as=list",
        ),
    ];
    for (place, button, turned, word) in switches {
        go(&page, &place, button);
        page.click(button);
        await_element(&page, turned);
        page.wait_for(&format!("location.hash.includes('{word}')"));
        let other = copied(&server, &browser, &page);
        await_element(&other, turned);
        other.close();
    }
}
