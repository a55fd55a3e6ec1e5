//! The console in a real browser: upload, watch, read the result; live, without a reload.

use serde_json::json;
use tempfile::TempDir;
use weevil_e2e::{Browser, Files, TestServer, job_workflow, shipped};

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
