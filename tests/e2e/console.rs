//! The console in a real browser: upload, watch, read the result; live, without a reload.

use serde_json::json;
use tempfile::TempDir;
use weevil_e2e::{Browser, Files, TestServer, files, job_workflow, shipped, zipped};
use weevil_model::RunState;

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

fn strs(paths: &[String]) -> Vec<&str> {
    paths.iter().map(String::as_str).collect()
}

#[test]
fn an_uploaded_workflow_is_followed_to_its_result() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let console = browser.open(&server.url("/console"));
    console.wait_for("document.documentElement.dataset.live !== undefined");
    let (_folder, paths) = on_disk(&shipped("add"));
    console.choose("#files", &strs(&paths));
    console.wait_for("document.querySelector('#run-page') && document.querySelector('#run-page').dataset.state === 'STARTED'");
    let _volunteer = browser.open(&server.url("/?autostart&slots=1"));
    console.wait_for("document.querySelector('#run-page').dataset.state === 'FINISHED'");
    assert!(
        console
            .eval("document.querySelector('#result').innerText")
            .as_str()
            .is_some_and(|text| text.contains("157"))
    );
    assert_eq!(console.eval("document.querySelectorAll('tr[data-node]').length"), json!(5));
    console.eval("location.hash = ''");
    console.wait_for("document.querySelector('li[data-run]').dataset.state === 'FINISHED'");
}

#[test]
fn a_refused_workflow_shows_its_mistakes_where_they_are() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let console = browser.open(&server.url("/console"));
    console.wait_for("document.documentElement.dataset.live !== undefined");
    let (_folder, paths) = on_disk(&job_workflow("nothing", r#"colour="red""#));
    console.choose("#files", &strs(&paths));
    console.wait_for("document.querySelectorAll('#report [data-code]').length === 2");
    let report = console.eval("document.querySelector('#report').innerText");
    assert!(report.as_str().is_some_and(|text| text.contains("workflow.xml:1:")), "{report}");
}

#[test]
fn a_failed_run_shows_the_workers_stack() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _volunteer = browser.open(&server.url("/?autostart&slots=1"));
    let code = "function weevil_main() {\n  null.x\n}";
    let run = server.api().run(&job_workflow(code, r#"retries="0""#));
    server.api().await_end(&run);
    let console = browser.open(&server.url(&format!("/console#/runs/{run}")));
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
    let console = browser.open(&server.url(&format!("/console#/runs/{run}")));
    let press = |key: &str| {
        for kind in ["keyDown", "keyUp"] {
            let text = if key == "Enter" { "\r" } else { "" };
            let event = json!({ "type": kind, "key": key, "code": key, "text": text,
                "windowsVirtualKeyCode": if key == "Enter" { 13 } else { 27 } });
            console.call("Input.dispatchKeyEvent", &event);
        }
    };
    console.wait_for("document.querySelector('#cancel-run')");
    console.eval("document.querySelector('#cancel-run').focus()");
    press("Enter");
    console.wait_for("document.querySelector('dialog').open");
    assert_ne!(console.eval("document.activeElement.id"), "cancel-yes", "the harmless answer comes first");
    press("Escape");
    console.wait_for("!document.querySelector('dialog').open");
    assert_eq!(console.eval("document.activeElement.id"), "cancel-run");
    assert_eq!(server.api().result(&run).state, RunState::Started);
    press("Enter");
    console.wait_for("document.querySelector('dialog').open");
    console.eval("document.querySelector('#cancel-yes').focus()");
    press("Enter");
    console.wait_for("document.querySelector('#run-page').dataset.state === 'CANCELLED'");
    console.wait_for("document.querySelector('#cancelled')");
    assert_eq!(console.eval("document.querySelector('.cancel').hidden"), json!(true));
    assert_eq!(console.eval("document.activeElement.tagName"), "H1", "the focus is not lost");
    assert_eq!(server.api().result(&run).state, RunState::Cancelled);
}

#[test]
fn a_run_that_is_over_cannot_be_cancelled() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let run = server.api().run(&job_workflow("function weevil_main() {}", ""));
    server.api().cancel(&run);
    let console = browser.open(&server.url(&format!("/console#/runs/{run}")));
    console.wait_for("document.querySelector('#run-page').dataset.state === 'CANCELLED'");
    assert_eq!(console.eval("document.querySelector('.cancel').hidden"), json!(true));
}

#[test]
fn a_zip_is_uploaded_listed_and_run_again() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let console = browser.open(&server.url("/console"));
    console.wait_for("document.documentElement.dataset.live !== undefined");
    let (_folder, paths) = on_disk(&vec![("plus.zip".to_owned(), zipped("plus/", &shipped("add")))]);
    console.choose("#files", &strs(&paths));
    console.wait_for("document.querySelector('#run-page').dataset.state === 'STARTED'");
    console.eval("location.hash = ''");
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
    let console = browser.open(&server.url("/console"));
    console.wait_for("document.documentElement.dataset.live !== undefined");
    let (_one, broken) = on_disk(&files(&[("broken.zip", "PK\x03\x04")]));
    console.choose("#files", &strs(&broken));
    console.wait_for("document.querySelector('#report').innerText.includes('zip')");
    let document = r#"<workflow><nodes><value id="only" value="7" returntype="Number"/></nodes><edges/><finalnode id="only"/></workflow>"#;
    let (_two, single) = on_disk(&files(&[("seven.xml", document)]));
    console.choose("#files", &strs(&single));
    console.wait_for("document.querySelector('#result').innerText === '7'");
}
