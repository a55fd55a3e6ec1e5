//! Versions of a workflow side by side, where a run comes from, and what of one is not drawn: what has failed in a closed stack, and
//! what is held.

use serde_json::json;
use weevil_api::WorkflowKept;
use weevil_api::routes::Operation;
use weevil_e2e::{
    Browser, FakeWorker, Files, Form, Page, TestServer, job_workflow, layered, number, shipped, thrown,
};
use weevil_protocol::frame::{JobError, Outcome};

use super::console::press;
use super::looks::{await_words, look_at_console};

fn kept(server: &TestServer, files: &Files) -> WorkflowKept {
    server.api().submit("/api/v1/workflows", &Form::of(files).text("name", "add")).created()
}

/// A file with each of these texts in the place of another.
fn changed(files: &Files, path: &str, texts: &[(&str, &str)]) -> Files {
    let mut files = files.clone();
    let (_, file) = files.iter_mut().find(|(name, _)| name == path).expect("the file");
    let mut text = String::from_utf8(file.clone()).expect("a text");
    for (before, behind) in texts {
        assert!(text.contains(before), "{before}");
        text = text.replace(before, behind);
    }
    *file = text.into_bytes();
    files
}

fn thrown_at(stack: &str) -> Outcome {
    match thrown("no") {
        Outcome::Error(error) => Outcome::Error(JobError { stack: stack.into(), ..error }),
        value @ Outcome::Value(_) => value,
    }
}

fn await_count(page: &Page<'_>, selector: &str, count: usize) {
    page.wait_for(&format!("document.querySelectorAll({}).length === {count}", json!(selector)));
}

#[test]
fn what_came_went_and_changed_is_marked_in_the_graphs_of_both_versions() {
    let server = TestServer::start(&[]);
    let before = shipped("add");
    let texts = [("val5", "val6"), (r#"value="13""#, r#"value="14""#)];
    let [old, new] =
        [before.clone(), changed(&before, "workflow.xml", &texts)].map(|files| kept(&server, &files));
    let browser = Browser::start();
    let page = server.console(&browser, &format!("#/diff/{}/{}", old.workflow, new.workflow));
    for (graph, key, word) in
        [("fresh", "val6", "added"), ("fresh", "val2", "changed"), ("old", "val5", "removed")]
    {
        let figure = format!("#graph-{graph} .graph-figure[data-key={key}][aria-label*={word}]");
        await_count(&page, &figure, 1);
    }
    await_count(&page, "#graph-fresh .graph-figure[data-key=val1][aria-label*=changed]", 0);
    await_count(&page, "#graph-fresh path[data-mark=added]", 1);
    await_count(&page, "#graph-old path[data-mark=removed]", 1);
    look_at_console(&page, "diff-graphs");
}

#[test]
fn a_run_tells_who_started_it_with_which_seed_and_what_it_was_given() {
    let server = TestServer::start(&[]);
    let created =
        server.api().run_form(&Form::of(&shipped("add")).text("set", "val1=12").text("reuse", "always"));
    let told: serde_json::Value = server.api().json(&Operation::RunOrigin.path(&[&created.run]));
    let seed = told["seed"].as_str().expect("a seed");
    assert_eq!(seed.len(), 16, "{told}");
    let given = json!([{ "node": "val1", "bytes": 1 }]);
    assert_eq!(told, json!({ "seed": seed, "reuse": "always", "by": "local", "given": given }));
    let browser = Browser::start();
    let page = server.console(&browser, &format!("#/runs/{}/about", created.run));
    for words in [seed, "somebody at the server’s own machine", "every equal job", "val1"] {
        await_words(&page, "#origin", words);
    }
    look_at_console(&page, "run-origin");
    page.click("#origin a");
    await_words(&page, "#node-value", "12");
}

#[test]
fn what_failed_is_gone_to_in_a_closed_stack_and_its_line_is_marked() {
    let server = TestServer::start(&[]);
    let texts = [(r#"src="One""#, r#"src="One" retries="0""#)];
    let code = [("{ return a }", "{\n  return a.b.c\n}")];
    let files = changed(&changed(&layered(2, 90, 5), "workflow.xml", &texts), "One.js", &code);
    let run = server.api().run(&files);
    let mut worker = FakeWorker::join(&server.address, 1);
    loop {
        let job = worker.job();
        // CBOR: an array of one.
        if job.input.first() == Some(&0x81) {
            worker.report(vec![(job.key, thrown_at("weevil_main@One.js:2:10"))]);
            break;
        }
        worker.report(vec![(job.key, number(1.0))]);
    }
    server.api().await_end(&run);
    let browser = Browser::start();
    let page = server.console(&browser, &format!("#/runs/{run}/graph"));
    page.wait_for("document.querySelector('.graph-figure')");
    await_count(&page, ".graph-figure[aria-label*=', failed']", 0);
    press(&page, "e");
    page.wait_for("document.querySelector('#node[data-state=FAILED] .code-text')");
    page.click("#node .code-text summary");
    page.wait_for(
        "document.querySelector('#node mark[data-line=\"2\"]')?.textContent.includes('return a.b.c')",
    );
    look_at_console(&page, "failed-line");
}

#[test]
fn what_waits_in_a_paused_run_is_held() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow("function weevil_main() {}", ""));
    server.api().await_waiting(&run, 1);
    server.api().post(&Operation::PauseRun.path(&[&run]), "", &[], &[]);
    let browser = Browser::start();
    let page = server.console(&browser, &format!("#/runs/{run}/graph"));
    let starts = |words: &str| {
        format!(
            "document.querySelector('.graph-figure[data-key=only]')?.ariaLabel.startsWith('only: result, {words}')"
        )
    };
    page.wait_for(&starts("held"));
    server.api().post(&Operation::ResumeRun.path(&[&run]), "", &[], &[]);
    page.wait_for(&starts("queued"));
}
