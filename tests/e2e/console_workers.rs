//! What the console shows of workers and over time: from the button of an empty list to a run, its lines, and a worker that people in
//! charge pause, let go on, ban and send away, by keyboard alone and by pointer. One server, a volunteer's real tab.

use serde_json::{Value, json};
use weevil_api::WorkerView;
use weevil_api::routes::Operation;
use weevil_e2e::{Browser, FakeWorker, Guest, Page, TestServer};
use weevil_protocol::frame::ServerFrame;

use super::console::{OVERVIEW, press, write};
use super::console_palette::letter;
use crate::looks::{await_words, judge, phone};

const NOTE: &str = "its fan is loud <b>";

fn go(page: &Page<'_>, hash: &str, until: &str) {
    page.eval(&format!("location.hash = '{hash}'"));
    page.wait_for(&format!("document.querySelector('{until}')"));
}

fn does(page: &Page<'_>, what: &str) {
    page.wait_for(&format!("document.querySelector('#worker-page').dataset.doing === '{what}'"));
}

fn focused(page: &Page<'_>, selector: &str) {
    page.wait_for(&format!("document.activeElement.matches('{selector}')"));
}

fn show(server: &TestServer, worker: &str) -> WorkerView {
    server.api().json(&Operation::ShowWorker.path(&[&worker]))
}

#[test]
fn a_fleet_is_seen_over_time_and_looked_after() {
    let server = TestServer::start(&[]);
    let (browser, other) = (Browser::start(), Browser::start());
    let console = server.console(&browser, "#/runs");
    let volunteer = other.open(&server.url("/?autostart&slots=1&duty=60"));
    an_example_runs(&server, &console);
    lines_are_drawn(&console);
    let worker = a_worker_is_found(&server, &console);
    it_is_paused_and_resumed_by_keyboard(&server, &console, &worker);
    it_is_banned_by_pointer(&server, &console, &worker);
    await_words(&volunteer, "body", "banned this device");
    a_worker_without_a_key_is_sent_away_and_not_banned(&server, &console);
}

/// By keyboard: the button has no other way to be reached than the others.
fn an_example_runs(server: &TestServer, console: &Page<'_>) {
    console
        .wait_for("document.querySelector('#run-example') && document.querySelector('[data-example=add]')");
    console.eval("document.querySelector('#run-example').focus()");
    press(console, "Enter");
    console.wait_for("document.querySelector('#run-page')?.dataset.state === 'STARTED'");
    let run = server.api().runs().pop().expect("a run");
    assert_eq!(run.name, "pi");
    server.api().await_run(&run.id, |view| view.summary.progress.done > 2);
    console.click(OVERVIEW);
    console.wait_for(
        "document.querySelector('#run-mflops canvas') && document.querySelector('#run-busy canvas')",
    );
    its_profile_comes_with_its_frames(server, console, &run.id);
}

/// Nobody asks for the whole again and again, and nothing changes while somebody holds the page still.
fn its_profile_comes_with_its_frames(server: &TestServer, console: &Page<'_>, run: &str) {
    let done = || server.api().view(run).summary.progress.done;
    let chart = "document.querySelector('#run-mflops').textContent";
    let missed = "Number(/held by you, (\\d+)/.exec(document.querySelector('#live').innerText)?.[1] ?? 0)";
    let before = console.eval(chart);
    console.wait_for(&format!("{chart} !== {before}"));
    console.click("#hold-still");
    console.wait_for(&format!("{missed} > 0"));
    let (held, news, begun) = (console.eval(chart), console.eval(missed), done());
    server.api().await_run(run, |view| view.summary.progress.done > begun + 3);
    console.wait_for(&format!("{missed} > {news}"));
    assert_eq!(console.eval(chart), held);
    console.click("#hold-still");
    console.wait_for(&format!("{chart} !== {held}"));
    let asked =
        "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/profile')).length";
    assert!(console.eval(asked).as_u64().is_some_and(|times| times <= 2), "the stream tells it");
}

/// Every figure has its line, all cursors are at one moment, and a key shows the same as tables.
fn lines_are_drawn(console: &Page<'_>) {
    go(console, "#/", "#overview-page");
    console.wait_for("document.querySelectorAll('#over-time .chart canvas').length === 6");
    await_words(console, "#chart-workers", "Chrome 1");
    // Somebody reads: nothing moves below the pointer.
    console.click("#live");
    let middle = console.eval(
        "(() => { const { x, y, width, height } = document.querySelector('#chart-jobs .u-over').getBoundingClientRect();
            return { x: x + width - 2, y: y + height / 2 } })()",
    );
    let at = json!({ "type": "mouseMoved", "x": middle["x"], "y": middle["y"] });
    console.call("Input.dispatchMouseEvent", &at);
    console.wait_for("document.querySelectorAll('.chart-moment').length === 6");
    let moments = "new Set([...document.querySelectorAll('.chart-moment')].map((one) => one.innerText)).size";
    assert_eq!(console.eval(moments), json!(1), "one moment for all");
    console.click("#live");
    letter(console, "t");
    console.wait_for("document.querySelectorAll('details[open] tbody tr:first-child').length === 6");
    judge(console, "console-overview-tables");
    letter(console, "t");
    console.wait_for("document.querySelectorAll('details[data-table][open]').length === 0");
    console.click("#span [value=\"7d\"]");
    await_words(console, "#chart-jobs", "The first sample comes in five minutes.");
    assert_eq!(console.eval("location.hash"), "#/?span=7d");
    go(console, "#/queue?span=2h", "#chart-depth");
    assert_eq!(console.eval("document.querySelector('#span :checked').value"), "2h");
}

/// By keyboard, from anywhere. Answers its id.
fn a_worker_is_found(server: &TestServer, console: &Page<'_>) -> String {
    letter(console, "g");
    letter(console, "f");
    console.wait_for("document.querySelector('[data-worker]')");
    letter(console, "/");
    focused(console, "#filter-worker");
    write(console, "nobody");
    await_words(console, "#workers-page .empty", "No worker fits");
    assert_eq!(console.eval("location.hash"), "#/workers?q=nobody");
    press(console, "Escape");
    go(console, "#/workers?q=chrome&sort=-done", "[data-worker]");
    assert_eq!(console.eval("document.querySelector('#worker-sort').value"), "-done");
    letter(console, "j");
    press(console, "Enter");
    does(console, "computing");
    let fleet = server.api().fleet();
    let [worker] = &fleet.workers[..] else { panic!("{fleet:?}") };
    assert_eq!(worker.duty, Some(60));
    assert_eq!(console.eval("location.hash"), json!(format!("#/workers/{}", worker.id)));
    assert_eq!(console.eval("document.querySelector('h1').innerText"), json!(worker.agent));
    console.wait_for("document.querySelector('#handed [data-job]')");
    await_words(console, "dl.facts", "of the time, as it said");
    worker.id.clone()
}

/// From the title, past *Why?*.
fn tab_to(console: &Page<'_>, selector: &str) {
    focused(console, "h1");
    press(console, "Tab");
    focused(console, ".page-head .why-button");
    press(console, "Tab");
    focused(console, selector);
}

fn it_is_paused_and_resumed_by_keyboard(server: &TestServer, console: &Page<'_>, worker: &str) {
    tab_to(console, "#pause-worker");
    press(console, "Enter");
    focused(console, "#pause-note");
    write(console, NOTE);
    judge(console, "console-worker-pause");
    press(console, "Enter");
    does(console, "paused");
    await_words(console, ".worker-words", &format!("finishes what it holds. Note: {NOTE}"));
    let back = show(server, worker).held_back.expect("it is paused");
    assert_eq!((back.banned, back.note.as_str(), back.paused_until.is_some()), (false, NOTE, true));
    judge(console, "console-worker-paused");
    tab_to(console, "#resume-worker");
    press(console, "Enter");
    does(console, "computing");
    assert_eq!(show(server, worker).held_back, None);
}

fn it_is_banned_by_pointer(server: &TestServer, console: &Page<'_>, worker: &str) {
    console.click("#ban-worker");
    phone(console);
    judge(console, "console-worker-ban-phone");
    console.click("dialog .button:not(.danger)");
    console.wait_for("!document.querySelector('dialog')");
    assert_eq!(show(server, worker).held_back, None, "nobody has said yes");
    console.click("#ban-worker");
    console.click("dialog .danger");
    does(console, "banned");
    assert!(show(server, worker).held_back.is_some_and(|back| back.banned));
    assert_eq!(console.eval("document.querySelector('#ban-worker')"), Value::Null);
}

fn a_worker_without_a_key_is_sent_away_and_not_banned(server: &TestServer, console: &Page<'_>) {
    let mut worker = FakeWorker::join_as(&server.address, Guest { agent: "lone", ..Guest::default() });
    let lone = |view: &&WorkerView| view.agent == "lone";
    let fleet = server.api().await_fleet(|fleet| fleet.workers.iter().any(|view| lone(&view)));
    let id = &fleet.workers.iter().find(lone).expect("it is there").id;
    go(console, &format!("#/workers/{id}"), "#ban-worker[aria-disabled=true]");
    await_words(console, "#ban-worker", "Cannot be banned: it has no device key");
    console.click("#ban-worker");
    assert_eq!(console.eval("document.querySelector('dialog')"), Value::Null);
    console.click("#send-away");
    await_words(console, "dialog", "may come again");
    console.click("dialog .danger");
    while let Some(frame) = worker.frame() {
        if let ServerFrame::SentAway { message } = frame {
            assert!(message.contains("sent this tab away"), "{message}");
            return console
                .wait_for("!document.querySelector('#send-away') && !document.querySelector('dialog')");
        }
    }
    panic!("it was not sent away");
}
