//! The console in a real browser: upload, watch, read the result; live, without a reload.

use serde_json::json;
use tempfile::TempDir;
use weevil_api::WorkflowKept;
use weevil_e2e::{
    Browser, FakeWorker, Files, Form, Page, TestServer, answer_all, files, job_workflow, layered, number,
    shipped, zipped,
};
use weevil_model::RunState;

/// The tab of a run that tells how it ended.
pub(super) const OVERVIEW: &str = "#run-page a[href$=\"/overview\"]";

/// Files on disk, as a person would choose them.
fn on_disk(files: &Files) -> (TempDir, Vec<String>) {
    let folder = TempDir::new().expect("a folder");
    let paths = files.iter().map(|(path, bytes)| {
        let place = folder.path().join(path);
        std::fs::write(&place, bytes).expect("a file can be written");
        place.to_string_lossy().into_owned()
    });
    let paths = paths.collect();
    (folder, paths)
}

/// Keeps a workflow under this name without running it.
fn keep(server: &TestServer, name: &str, files: &Files) {
    let form = Form::of(files).text("name", name);
    let _kept: WorkflowKept = server.api().submit("/api/v1/workflows", &form).created();
}

/// Presses and lets go of one key.
pub(super) fn press(page: &Page<'_>, key: &str) {
    let (code, text) = match key {
        "PageUp" => (33, ""),
        "PageDown" => (34, ""),
        "End" => (35, ""),
        "Home" => (36, ""),
        "ArrowLeft" => (37, ""),
        "ArrowUp" => (38, ""),
        "ArrowRight" => (39, ""),
        "ArrowDown" => (40, ""),
        "Enter" => (13, "\r"),
        "Escape" => (27, ""),
        "Tab" => (9, ""),
        " " => (32, " "),
        character if character.len() == 1 => (character.as_bytes()[0].to_ascii_uppercase().into(), character),
        other => panic!("the code of {other} is unknown"),
    };
    for kind in ["keyDown", "keyUp"] {
        let event = json!({ "type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code });
        page.call("Input.dispatchKeyEvent", &event);
    }
}

/// Writes into what has the focus.
pub(super) fn write(page: &Page<'_>, text: &str) {
    page.call("Input.insertText", &json!({ "text": text }));
}

fn strs(paths: &[String]) -> Vec<&str> {
    paths.iter().map(String::as_str).collect()
}

#[test]
fn an_uploaded_workflow_is_followed_to_its_result() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let console = server.console(&browser, "");
    console.wait_for("document.documentElement.dataset.live !== undefined");
    let (_folder, paths) = on_disk(&shipped("add"));
    console.choose("#files", &strs(&paths));
    console.wait_for("document.querySelector('#run-page') && document.querySelector('#run-page').dataset.state === 'STARTED'");
    let _volunteer = browser.open(&server.url("/?autostart&slots=1"));
    console.wait_for("document.querySelector('#run-page').dataset.state === 'FINISHED'");
    console.click(OVERVIEW);
    console.wait_for("document.querySelector('#result')?.innerText === '157'");
    assert_eq!(console.eval("document.querySelectorAll('tr[data-node]').length"), json!(5));
    console.eval("location.hash = ''");
    console.wait_for("document.querySelector('[data-run]').dataset.state === 'FINISHED'");
}

#[test]
fn a_refused_workflow_shows_its_mistakes_where_they_are() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let console = server.console(&browser, "");
    console.wait_for("document.documentElement.dataset.live !== undefined");
    let (_folder, paths) = on_disk(&job_workflow("nothing", r#"colour="red""#));
    console.choose("#files", &strs(&paths));
    console.wait_for("document.querySelectorAll('#report [data-code]').length === 2");
    let report = console.eval("document.querySelector('#report').innerText");
    for part in ["workflow.xml:1:", "W0114", "unknown attribute"] {
        assert!(report.as_str().is_some_and(|text| text.contains(part)), "{part}: {report}");
    }
    assert_eq!(console.eval("document.querySelectorAll('#report a').length"), json!(0), "no page is served");
}

#[test]
fn a_failed_run_shows_the_workers_stack() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _volunteer = browser.open(&server.url("/?autostart&slots=1"));
    let code = "function weevil_main() {\n  null.x\n}";
    let run = server.api().run(&job_workflow(code, r#"retries="0""#));
    server.api().await_end(&run);
    let console = server.console(&browser, &format!("#/runs/{run}/overview"));
    console.wait_for("document.querySelector('#error')");
    let shown = console.eval("document.querySelector('#error').innerText");
    assert!(
        shown.as_str().is_some_and(|text| text.contains("TypeError") && text.contains("Code.js:2")),
        "{shown}"
    );
}

#[test]
fn a_run_is_cancelled_after_one_question_by_keyboard_alone() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let run = server.api().run(&job_workflow("function weevil_main() {}", ""));
    let console = server.console(&browser, &format!("#/runs/{run}/overview"));
    console.wait_for("document.querySelector('#cancel-run')");
    console.eval("document.querySelector('#cancel-run').focus()");
    press(&console, "Enter");
    console.wait_for("document.querySelector('dialog').open");
    assert_ne!(console.eval("document.activeElement.id"), "cancel-yes", "the harmless answer comes first");
    press(&console, "Escape");
    console.wait_for("!document.querySelector('dialog')");
    assert_eq!(console.eval("document.activeElement.id"), "cancel-run");
    assert_eq!(server.api().result(&run).state, RunState::Started);
    press(&console, "Enter");
    console.wait_for("document.querySelector('dialog').open");
    console.eval("document.querySelector('#cancel-yes').focus()");
    press(&console, "Enter");
    console.wait_for("document.querySelector('#run-page').dataset.state === 'CANCELLED'");
    console.wait_for("document.querySelector('#cancelled')");
    assert_eq!(console.eval("document.querySelector('#cancel-run')"), json!(null));
    assert_eq!(console.eval("document.activeElement.tagName"), "H1", "the focus is not lost");
    assert_eq!(server.api().result(&run).state, RunState::Cancelled);
}

#[test]
fn a_run_that_is_over_cannot_be_cancelled() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let run = server.api().run(&job_workflow("function weevil_main() {}", ""));
    server.api().cancel(&run);
    let console = server.console(&browser, &format!("#/runs/{run}"));
    console.wait_for("document.querySelector('#run-page').dataset.state === 'CANCELLED'");
    assert_eq!(console.eval("document.querySelector('#cancel-run')"), json!(null));
}

#[test]
fn a_zip_is_uploaded_listed_and_run_again() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let console = server.console(&browser, "");
    console.wait_for("document.documentElement.dataset.live !== undefined");
    let (_folder, paths) = on_disk(&vec![("plus.zip".to_owned(), zipped("plus/", &shipped("add")))]);
    console.choose("#files", &strs(&paths));
    console.wait_for("document.querySelector('#run-page').dataset.state === 'STARTED'");
    console.eval("location.hash = '#/workflows'");
    console.click("[data-workflow=plus] button");
    console.wait_for("document.querySelector('#run-page').dataset.state === 'STARTED'");
    let runs = server.api().await_runs(|runs| runs.len() == 2);
    assert_eq!(runs[0].workflow, runs[1].workflow);
    assert!(runs.iter().all(|run| run.name == "plus"), "{runs:?}");
}

#[test]
fn one_document_is_a_whole_workflow_and_a_broken_zip_is_told_in_words() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let console = server.console(&browser, "");
    console.wait_for("document.documentElement.dataset.live !== undefined");
    let (_one, broken) = on_disk(&files(&[("broken.zip", "PK\x03\x04")]));
    console.choose("#files", &strs(&broken));
    console.wait_for("document.querySelector('#report').innerText.includes('zip')");
    let document = r#"<workflow><nodes><value id="only" value="7" returntype="Number"/></nodes><edges/><finalnode id="only"/></workflow>"#;
    let (_two, single) = on_disk(&files(&[("seven.xml", document)]));
    console.choose("#files", &strs(&single));
    console.click(OVERVIEW);
    console.wait_for("document.querySelector('#result')?.innerText === '7'");
}

#[test]
fn a_stored_workflow_runs_with_other_values_by_keyboard_alone() {
    let server = TestServer::start(&[]);
    keep(&server, "add", &shipped("add"));
    let browser = Browser::start();
    let console = server.console(&browser, "#/workflows");
    let opener = "[data-workflow=add] [aria-haspopup=dialog]";
    console.wait_for(&format!("document.querySelector('{opener}')"));
    console.eval(&format!("document.querySelector('{opener}').focus()"));
    press(&console, "Enter");
    // The form knows the value nodes, with what they have now.
    let at_the_first = "document.activeElement.dataset.input === 'val1'";
    console.wait_for(at_the_first);
    press(&console, "Escape");
    console.wait_for("!document.querySelector('dialog')");
    assert_eq!(console.eval("document.activeElement.textContent"), "Run with…", "the focus is back");

    press(&console, "Enter");
    console.wait_for(at_the_first);
    console.eval("document.activeElement.select()");
    write(&console, "many");
    press(&console, "Enter");
    assert_eq!(console.eval("document.activeElement.validity.customError"), json!(true), "it is no number");
    assert!(server.api().await_runs(|_| true).is_empty(), "nothing runs");
    console.eval("document.activeElement.select()");
    write(&console, "12");
    press(&console, "Enter");
    console.wait_for("document.querySelector('#run-page').dataset.state === 'STARTED'");
    assert_eq!(console.eval("document.querySelectorAll('dialog[open]').length"), json!(0));
    // CBOR: an array of two; the document's own values are 44 and 13.
    assert_eq!(FakeWorker::join(&server.address, 1).job().input.as_slice(), [0x82, 12, 13]);
}

#[test]
fn rows_for_values_come_and_go() {
    let server = TestServer::start(&[]);
    keep(&server, "add", &shipped("add"));
    let browser = Browser::start();
    let console = server.console(&browser, "#/workflows");
    console.click("[data-workflow=add] [aria-haspopup=dialog]");
    console.wait_for("document.activeElement.dataset.input === 'val1'");
    console.click("dialog fieldset > div > button");
    write(&console, "val1");
    console.click(r#"dialog [aria-label="Remove this value"]"#);
    assert_eq!(console.eval("document.activeElement.textContent"), "Add a value", "the focus is not lost");
    for text in ["val2", "nobody"] {
        console.click("dialog fieldset > div > button");
        write(&console, text);
    }
    assert_eq!(console.eval("document.querySelectorAll('dialog .field').length"), json!(7));
    console.click("#run-with-yes");
    console.wait_for("document.querySelector('dialog [role=alert]').innerText.includes('2 inputs')");
    let told = console.eval("document.querySelector('dialog [role=alert]').innerText");
    let told = told.as_str().expect("words");
    assert!(told.contains("`nobody`") && told.contains("`val2`") && !told.contains("val1"), "{told}");
    // Back, with the question still open.
    console.eval("location.hash = '#/runs/none'");
    console.wait_for("!document.querySelector('dialog')");
}

#[test]
fn jobs_that_took_a_stored_result_are_counted() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    let mut worker = FakeWorker::join(&server.address, 1);
    let job = worker.job();
    worker.report(vec![(job.key, number(1.0))]);
    server.api().await_end(&run);
    let browser = Browser::start();
    let console = server.console(&browser, "#/workflows");
    let opener = "[data-workflow] [aria-haspopup=dialog]";
    console.click(opener);
    console.wait_for("document.querySelector('dialog').open");
    console.eval("document.querySelector('#run-with-reuse').focus()");
    press(&console, " ");
    console.click("#run-with-yes");
    console.wait_for("document.querySelector('#run-page').dataset.state === 'FINISHED'");
    assert_eq!(console.eval("document.querySelector('.run-done').innerText"), "1 of 1 job, 1 reused");
    console.eval(&format!("location.hash = '#/runs/{run}'"));
    console.wait_for("document.querySelector('.run-done').innerText === '1 of 1 job'");
}

#[test]
fn the_first_thousand_nodes_are_listed_and_updated_in_place() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&layered(11, 100, 5));
    let browser = Browser::start();
    let console = server.console(&browser, &format!("#/runs/{run}/overview"));
    console.wait_for("document.querySelectorAll('tr[data-node]').length === 1000");
    assert_eq!(
        console.eval("document.querySelector('#more-nodes').innerText"),
        "The first 1,000 of 1,101 nodes"
    );
    console.eval("document.querySelector('[data-node=n1_0]').dataset.kept = 'yes'");
    let worker = FakeWorker::join(&server.address, 100);
    std::thread::spawn(|| answer_all(worker));
    console.wait_for("document.querySelector('#run-page').dataset.state === 'FINISHED'");
    console.wait_for("document.querySelector('[data-node=n1_0][data-kept][data-state=FINISHED]')");
    assert_eq!(console.eval("document.querySelectorAll('tr[data-node]').length"), json!(1000));
}
