//! Lists of the console, however long: rows that are far away are no elements, one stop of the tabulator, and a look at a row beside its list.

use serde_json::json;
use weevil_api::RunPage;
use weevil_api::routes::Operation;
use weevil_e2e::{Browser, FakeWorker, Form, Page, TestServer, job_workflow, shipped};

use super::console::press;
use super::console_palette::{letter, open_palette};
use crate::looks::{await_words, light, look_at_console};

/// Runs that are there from the start, more than the console has by itself.
const RUNS: usize = 450;
const FOCUSED: &str = "document.activeElement.closest('[data-row]')?.dataset.row";

fn many_runs() -> TestServer {
    let mut server = TestServer::start(&[]);
    let run = server.api().run(&shipped("add"));
    server.api().cancel(&run);
    server.kill();
    server.sql(&format!(
        "with recursive n(v) as (select 1 union all select v + 1 from n where v < {RUNS}) \
         insert into runs (id, workflow, name, seed, state, created_at, finished_at, summary, nodes, node_count) \
         select id - v * 2097152, workflow, name || v, seed, state, created_at - v, finished_at, summary, nodes, node_count \
         from runs, n"
    ));
    server.restart();
    server
}

fn drawn(page: &Page<'_>) -> u64 {
    page.eval("document.querySelectorAll('#runs [data-run]').length").as_u64().expect("a number")
}

#[test]
fn a_long_list_has_few_elements_and_one_stop() {
    let server = many_runs();
    let browser = Browser::start();
    let page = server.console(&browser, "#/runs");
    page.wait_for("document.querySelectorAll('#runs [data-run]').length === 200");
    letter(&page, "j");
    page.wait_for(&format!("{FOCUSED} !== undefined"));
    let first = page.eval(FOCUSED);
    for rows in [300, 400, RUNS + 1] {
        page.click("#earlier-runs");
        let all = if rows > RUNS { (rows + 1).to_string() } else { "-1".to_owned() };
        page.wait_for(&format!("document.querySelector('.counts').textContent === '{rows} runs shown' && document.querySelector('#runs').ariaRowCount === '{all}'"));
    }
    page.eval("document.querySelector('#runs').scrollIntoView({ block: 'end' }); 0");
    page.wait_for(&format!("document.querySelector('#runs [aria-rowindex=\"{}\"]')", RUNS + 2));
    page.wait_for("document.querySelectorAll('#runs .away').length > 0");
    assert!(drawn(&page) <= 350, "{} rows are elements", drawn(&page));
    let high = page.eval("document.querySelector('#runs').offsetHeight / (document.querySelector('#runs .row:not(.heads)').offsetHeight)");
    assert!(
        (high.as_f64().expect("a number") - RUNS as f64).abs() < 30.0,
        "those that are away keep their room: {high}"
    );
    let stops = "document.querySelectorAll('#runs [data-row] [tabindex=\"0\"]:first-child').length";
    assert!(page.eval(stops).as_u64().is_some_and(|stops| stops == 1), "one row is a stop");
    assert_eq!(
        page.eval("document.querySelectorAll('#runs [data-row] :is(a, button):not([tabindex])').length"),
        json!(0)
    );
    // Arrows go on beyond what was an element, and nothing is lost on the way.
    page.eval("document.querySelector('#runs [aria-rowindex=\"200\"] a')?.focus(); document.activeElement.scrollIntoView(); 0");
    page.eval("scrollTo(0, 0); 0");
    page.wait_for("document.querySelector('#runs [aria-rowindex=\"2\"]')");
    page.eval("document.querySelector('#runs [aria-rowindex=\"2\"] a').focus(); 0");
    assert_eq!(page.eval(FOCUSED), first);
    for _ in 0..120 {
        press(&page, "ArrowDown");
    }
    page.wait_for("document.activeElement.closest('[data-row]')?.getAttribute('aria-rowindex') === '122'");
    assert_eq!(page.barriers(), [""; 0]);
}

/// Opens a look at the first row by the keyboard; the focus stays on it.
fn peek(page: &Page<'_>, row: &str, words: &[&str]) {
    page.wait_for(&format!("document.querySelector('{row}')"));
    page.eval(&format!("document.querySelector('{row} a').focus()"));
    press(page, " ");
    page.wait_for("document.querySelector('#peek')");
    for words in words {
        await_words(page, "#peek", words);
    }
    assert_eq!(
        page.eval(&format!("document.activeElement === document.querySelector('{row} a')")),
        true,
        "{row}"
    );
}

fn close(page: &Page<'_>) {
    press(page, "Escape");
    page.wait_for("!document.querySelector('#peek')");
    assert!(page.eval(FOCUSED).is_string(), "the focus is where it was");
}

#[test]
fn a_row_is_looked_at_without_leaving_its_list() {
    let server = TestServer::start(&[]);
    let first = server.api().run(&shipped("add"));
    let run = server.api().run(&job_workflow("function weevil_main() {}", ""));
    server.api().await_waiting(&run, 1);
    server.api().put_job(&json!({ "source": "function weevil_main() {}", "queue": "sums", "key": "alone" }));
    let _worker = FakeWorker::join(&server.address, 0);
    let browser = Browser::start();
    let page = server.console(&browser, "#/runs");
    peek(&page, &format!("[data-run=\"{run}\"]"), &["running", "0 of 1 job", &run]);
    await_words(&page, "#announced", "running. Jobs: 0 of 1 job");
    letter(&page, "j");
    await_words(&page, "#peek", &first);
    letter(&page, "k");
    await_words(&page, "#peek", &run);
    look_at_console(&page, "peek-run");
    light(&page, "light");
    page.call("Emulation.clearDeviceMetricsOverride", &json!({}));
    // What happens to the row is told where somebody looks at it.
    server.api().post(&Operation::PauseRun.path(&[&run]), "", &[], &[]);
    await_words(&page, "#peek", "nothing of it is handed out");
    close(&page);
    open_palette(&page);
    super::console::write(&page, "look at the row");
    press(&page, "Enter");
    await_words(&page, "#peek", &run);
    page.click("#peek-close");
    page.wait_for("!document.querySelector('#peek')");
    assert_eq!(page.eval(FOCUSED), json!(run));
    page.eval("location.hash = '#/queues/sums'");
    peek(&page, "#jobs [data-job]", &["alone", "waits for a worker", "never handed out"]);
    close(&page);
    page.eval("location.hash = '#/workers'");
    peek(&page, "#workers [data-worker]", &["idle", "0 of 1", "Heard"]);
    look_at_console(&page, "peek-worker");
    page.call("Emulation.clearDeviceMetricsOverride", &json!({}));
    page.eval(&format!("location.hash = '#/runs/{first}/nodes'"));
    peek(&page, "#all-nodes [data-node=val1]", &["val1", "finished"]);
    letter(&page, "j");
    await_words(&page, "#peek", "val2");
    look_at_console(&page, "peek-node");
    press(&page, "Enter");
    page.wait_for(&format!("location.hash.startsWith('#/runs/{first}?node=val2')"));
}

/// By the keyboard; the address says so, and the list begins with this row.
fn sort(page: &Page<'_>, field: &str, steps: usize, word: &str, first: &str) {
    page.wait_for(&format!("document.querySelector('{field}')"));
    page.eval(&format!("document.querySelector('{field}').focus()"));
    for _ in 0..steps {
        press(page, "ArrowDown");
    }
    page.wait_for(&format!("location.hash.includes('sort={word}')"));
    page.wait_for(&format!("document.querySelector('[aria-rowindex=\"2\"]')?.matches({})", json!(first)));
}

#[test]
fn a_list_comes_in_the_order_that_is_asked_for() {
    let server = many_runs();
    let runs = |search: &str| server.api().json::<RunPage>(&format!("/api/v1/runs?limit=1&{search}")).runs;
    let run = |search: &str| runs(search).remove(0).id;
    let [first, last] = ["1", "2"].map(|key| {
        let job = json!({ "source": "function weevil_main() {}", "queue": "sums", "key": key });
        server.api().put_job(&job).job
    });
    let browser = Browser::start();
    let page = server.console(&browser, "#/runs");
    page.wait_for("document.querySelectorAll('#runs [data-run]').length === 200");
    for (steps, word) in [(1, "created"), (1, "name")] {
        let row = run(&format!("sort={word}"));
        sort(&page, "#run-sort", steps, word, &format!("[data-run='{row}']"));
    }
    // What comes now belongs behind what is shown, and the page knows that.
    let newest = server.api().run_form(&Form::of(&shipped("add")).text("name", "zebra")).run;
    assert!(
        page.eval(&format!("!document.querySelector('[data-run=\"{newest}\"]')")).as_bool().expect("a truth")
    );
    while page.eval("document.querySelector('#earlier-runs') !== null") == true {
        let rows = page.eval("document.querySelector('.counts').textContent");
        page.click("#earlier-runs");
        page.wait_for(&format!("document.querySelector('.counts').textContent !== {rows}"));
    }
    page.eval("document.querySelector('#runs').scrollIntoView({ block: 'end' }); 0");
    page.wait_for(&format!(
        "document.querySelector('[aria-rowindex=\"{}\"]')?.dataset.run === '{newest}'",
        RUNS + 3
    ));
    page.eval("location.hash = '#/queues/sums'");
    page.wait_for(&format!("document.querySelector('[aria-rowindex=\"2\"]')?.dataset.job === '{first}'"));
    sort(&page, "#job-sort", 1, "-created", &format!("[data-job='{last}']"));
    let some = run("sort=name");
    page.eval(&format!("location.hash = '#/runs/{some}/nodes'"));
    page.wait_for("document.querySelector('[aria-rowindex=\"2\"]')?.dataset.node === 'val1'");
    sort(&page, "#node-sort", 2, "id", "[data-node]");
    look_at_console(&page, "sorted-nodes");
}
