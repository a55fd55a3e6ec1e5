//! The page *Queue* in a real browser: classes of needs and named queues, and *Why?* wherever it stands, by keyboard and by pointer.

use serde_json::json;
use weevil_api::routes::Operation;
use weevil_e2e::{Browser, FakeWorker, Page, TestServer, shipped};

use super::console::press;
use crate::looks::{await_words, judge, look_at_console};

const CODE: &str = "function weevil_main() { return 1 }";
const OPEN: &str = "document.querySelector('dialog.why[open]')";

fn put(server: &TestServer, key: &str, capabilities: &[&str]) -> String {
    let job = json!({ "source": CODE, "queue": "sums", "key": key, "capabilities": capabilities });
    server.api().put_job(&job).job
}

/// Waits for words of a row that may be out of sight, where a browser tells no text as it is shown.
fn await_row(page: &Page<'_>, selector: &str, words: &str) {
    page.wait_for(&format!("document.querySelector('{selector}')?.textContent.includes({})", json!(words)));
}

/// Opens it by the keyboard, reads a reason, and closes it: the focus is where it was.
fn ask_by_keyboard(page: &Page<'_>, selector: &str, code: &str) {
    page.wait_for(&format!("document.querySelector('{selector}')"));
    page.eval(&format!("document.querySelector('{selector}').focus()"));
    press(page, "Enter");
    page.wait_for(&format!("{OPEN}?.querySelector('[data-code={code}]')"));
    assert_eq!(page.eval(&format!("{OPEN}.contains(document.activeElement)")), true, "{selector}");
    press(page, "Escape");
    page.wait_for(&format!("{OPEN} === null"));
    page.wait_for(&format!("document.activeElement === document.querySelector('{selector}')"));
}

fn ask_by_pointer(page: &Page<'_>, selector: &str, code: &str, words: &str) {
    page.wait_for(&format!("document.querySelector('{selector}')"));
    page.click(selector);
    page.wait_for(&format!("{OPEN}?.querySelector('[data-code={code}]')"));
    await_words(page, "dialog.why", words);
    page.click("dialog.why .buttons .button");
    page.wait_for(&format!("{OPEN} === null"));
}

#[test]
fn why_something_waits_is_read_by_keyboard_and_by_pointer() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let job = put(&server, "plain", &[]);
    put(&server, "gpu", &["webcl"]);
    let run = server.api().run(&shipped("add"));
    server.api().await_waiting(&run, 1);
    let page = server.console(&browser, "#/queue");

    let plain = "[data-class=\"javascript\"]";
    ask_by_keyboard(&page, &format!("{plain} .why-button"), "noWorker");
    await_row(&page, &format!("{plain} .nobody"), "None. Open the server's address");
    page.wait_for("document.querySelector('[data-queue=sums] .ready').textContent === '2'");
    look_at_console(&page, "queue-classes");
    let _worker = FakeWorker::join(&server.address, 0);
    let gpu = "[data-class=\"javascript, webcl\"]";
    page.wait_for(&format!("document.querySelector('{plain}').dataset.workers === '1'"));
    await_row(&page, &format!("{gpu} .nobody"), "Connect a worker that has what is missing");
    ask_by_pointer(&page, &format!("{gpu} .why-button"), "noneMeets", "`webcl` is missing");

    page.eval("document.querySelector('[data-queue=sums] a').focus()");
    press(&page, "Enter");
    page.wait_for("location.hash === '#/queues/sums'");
    page.eval(&format!("location.hash = '#/jobs/{job}'"));
    ask_by_keyboard(&page, "#job-page .why-button", "noneWants");
    page.eval(&format!("location.hash = '#/runs/{run}/overview'"));
    ask_by_pointer(&page, "#run-page .page-head .why-button", "portsOpen", "It waits for 1 value");
    ask_by_keyboard(&page, "[data-node=val3] .why-button", "noneWants");
    assert_eq!(page.eval("document.querySelector('[data-node=val1] .why-button').hidden"), true);
    page.eval("location.hash = '#/workers'");
    ask_by_pointer(&page, "[data-worker] .why-button", "ownPause", "It pauses by itself");
    page.click("[data-worker] .why-button");
    page.wait_for(&format!("{OPEN}?.querySelector('[data-code=ownPause]')"));
    judge(&page, "console-why");
}

#[test]
fn sentences_of_the_overview_nodes_and_a_worker_say_why() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let run = server.api().run(&shipped("add"));
    server.api().await_waiting(&run, 1);
    let page = server.console(&browser, "");
    ask_by_pointer(&page, "[data-entry=nobody] .why-button", "noWorker", "No worker is connected");
    page.eval(&format!("location.hash = '#/runs/{run}/nodes'"));
    ask_by_keyboard(&page, "#all-nodes [data-node=val3] .why-button", "noWorker");
    assert_eq!(page.eval("document.querySelector('#all-nodes [data-node=val1] .why-button').hidden"), true);
    page.eval(&format!("location.hash = '#/runs/{run}/graph?node=val4'"));
    ask_by_pointer(&page, "#node .why-button", "portsOpen", "It waits for 1 value");
    let _worker = FakeWorker::join(&server.address, 0);
    let fleet = server.api().await_fleet(|fleet| fleet.workers.len() == 1);
    page.eval(&format!("location.hash = '#/workers/{}'", fleet.workers[0].id));
    ask_by_keyboard(&page, "#worker-page .page-head .why-button", "ownPause");
    look_at_console(&page, "worker-why");
    server.api().post(&Operation::PauseRun.path(&[&run]), "", &[], &[]);
    page.eval("location.hash = '#/'");
    ask_by_pointer(&page, &format!("[data-entry=\"{run}\"] .why-button"), "runPaused", "weevil resume");
    look_at_console(&page, "overview-why");
}

#[test]
fn what_nobody_can_compute_and_a_disk_that_is_nearly_full_need_attention() {
    let server = TestServer::start(&["--least-room-mib", "4294967295"]);
    let browser = Browser::start();
    let _worker = FakeWorker::join(&server.address, 1);
    server.api().await_fleet(|fleet| fleet.workers.len() == 1);
    put(&server, "gpu", &["webcl"]);
    let page = server.console(&browser, "");
    ask_by_pointer(&page, "[data-entry=disk] .why-button", "diskNearlyFull", "--least-room-mib");
    ask_by_pointer(&page, "[data-entry^=unmet] .why-button", "noneMeets", "`webcl` is missing");
    look_at_console(&page, "overview-disk");
}
