//! `weevil replay`: a job again on this machine, with its own code, input, seed and kernels.

use std::fs::Permissions;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::TempDir;
use weevil_api::routes::Operation;
use weevil_api::{JobPage, WorkflowKept};
use weevil_e2e::{
    Browser, FakeWorker, Files, Form, TestServer, default_binary, job_workflow, number, shipped, thrown,
};
use weevil_model::ContentHash;

use super::local::{await_line, signal};
use super::wasm::{constant, twice};

const ADD: &str = "function weevil_main() { return 1 + 1 }";
/// Notes what it is asked for beside itself, and is a browser that needs no screen.
const NOTING: &str = r#"#!/bin/sh
printf '%s\n' "$@" > "$(dirname "$0")/asked"
exec chromium --headless=new "$@"
"#;

/// The job of a run that comes last.
fn last_job(server: &TestServer, run: &str) -> String {
    let page: JobPage = server.api().json(&Operation::RunJobs.path(&[&run]));
    page.jobs.last().expect("a job").id.clone()
}

/// Exit code and what is said, without the lines about server and browser.
fn replay(command: &mut Command) -> (Option<i32>, String) {
    let output = command.output().expect("the binary runs");
    let words = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text")).concat();
    let told = words
        .lines()
        .filter(|line| !line.starts_with("a server of its own") && !line.contains("--no-sandbox"));
    (output.status.code(), told.collect::<Vec<_>>().join("\n"))
}

fn replayed(server: &TestServer, job: &str, args: &[&str]) -> (Option<i32>, String) {
    replay(server.command().args(["replay", job, "--server", &server.url("")]).args(args))
}

#[test]
fn a_job_comes_to_the_same_again() {
    let random = "function weevil_main() { let sum = 0; for (let i = 0; i < 9; i++) sum += Math.random(); return sum }";
    let rows: [(Files, &[&str], Option<&str>); 6] = [
        (job_workflow(random, ""), &[], None),
        (
            job_workflow("function weevil_main() { throw new Error('boom') }", "retries=\"0\""),
            &[],
            Some("same error: thrown: boom"),
        ),
        (
            job_workflow("function weevil_main() { for (;;); }", "retries=\"0\" timeout=\"1\""),
            &[],
            Some("same error: timeout"),
        ),
        (constant(42), &[], Some("same value: 42")),
        (shipped("saxpy"), &["--gpu"], None),
        (shipped("webcl-add"), &["--gpu"], None),
    ];
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=1&gpu=1"));
    let runs = rows.each_ref().map(|(files, ..)| server.api().run(files));
    for ((_, args, words), run) in rows.iter().zip(runs) {
        let ended = server.api().await_end(&run);
        let (exit, told) = replayed(&server, &last_job(&server, &run), args);
        let value = ended.result.map(|value| format!("same value: {value}"));
        let expected = words.map(str::to_owned).or(value).expect("a value");
        let begin: String = expected.chars().take(60).collect();
        assert!(exit == Some(0) && told.starts_with(&begin), "{exit:?} {told} is not {begin}");
    }
}

#[test]
fn what_differs_is_told_and_changed_code_is_tried() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow(ADD, ""));
    let mut worker = FakeWorker::join(&server.address, 1);
    let held = worker.job();
    let job = last_job(&server, &run);
    let (exit, told) = replayed(&server, &job, &[]);
    assert!(exit == Some(2) && told.contains("has come to an end yet"), "{told}");
    worker.report(vec![(held.key, number(3.0))]);
    server.api().await_end(&run);
    let (exit, told) = replayed(&server, &job, &["--json"]);
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!(
        (exit, &told["same"], &told["there"]["value"], &told["here"]["value"]),
        (Some(1), &false.into(), &3.into(), &2.into())
    );
    let place = TempDir::new().expect("a folder");
    let kit = place.path().join("kit");
    let (exit, told) = replayed(&server, &job, &["--dir", kit.to_str().expect("a path")]);
    assert!(exit == Some(0) && told.ends_with("its run.sh has it again"), "{told}");
    drop(server);
    let path = std::env::join_paths([default_binary().parent().expect("a folder")]).expect("a path");
    let script = || {
        let mut command = Command::new("sh");
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let all = std::env::split_paths(&path).chain(std::env::split_paths(&inherited));
        command.arg(kit.join("run.sh")).env("PATH", std::env::join_paths(all).expect("a path"));
        replay(&mut command)
    };
    assert_eq!(script(), (Some(1), "it differs\nthere: 3\n here: 2".into()));
    std::fs::write(kit.join("code.js"), ADD.replace("1 + 1", "1 + 2")).expect("a file can be written");
    assert_eq!(script(), (Some(0), "same value: 3".into()));
}

#[test]
fn a_job_that_stands_alone_comes_to_the_same_again() {
    let random = "function weevil_main(a, b) { return [a, b, Math.random()] }";
    let boom = "function weevil_main() { throw new Error('boom') }";
    let rows = [
        (json!({ "source": random, "input": [1, { "k": "v" }], "returns": "Array" }), None),
        (json!({ "source": random, "input": [1, 2], "name": "draw.js", "seed": "000000000000002a" }), None),
        (json!({ "source": boom, "attempts": 1 }), Some("same error: thrown: boom")),
    ];
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=1"));
    for (asked, words) in rows {
        let job = server.api().put_job(&asked).job;
        let value = server.api().await_job(&job).result.map(|value| format!("same value: {value}"));
        let expected = words.map(str::to_owned).or(value).expect("a value");
        assert_eq!(replayed(&server, &job, &[]), (Some(0), expected), "{asked}");
    }
}

#[test]
fn a_module_that_stands_alone_comes_to_the_same_again() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=1"));
    let files = twice();
    server.api().await_end(&server.api().run(&files));
    let code = ContentHash::of(&files[1].1).to_string();
    for name in ["job.wasm", "my module"] {
        let job = server.api().put_job(&json!({ "code": code, "name": name, "input": [21] })).job;
        server.api().await_job(&job);
        assert_eq!(replayed(&server, &job, &[]), (Some(0), "same value: 42".into()), "{name}");
        let place = TempDir::new().expect("a folder");
        let kit = place.path().join("kit");
        assert_eq!(replayed(&server, &job, &["--dir", kit.to_str().expect("a path")]).0, Some(0));
        let from = || replay(Command::new(default_binary()).args(["replay", "--from"]).arg(&kit));
        assert_eq!(from(), (Some(0), "same value: 42".into()), "{name}");
        std::fs::write(kit.join("code.wasm"), &constant(7)[1].1).expect("a file can be written");
        let (exit, told) = from();
        assert!(exit == Some(1) && told.starts_with("it differs\nthere: 42\n here: "), "{name}: {told}");
    }
}

#[test]
fn each_attempt_is_compared_with_its_own_end() {
    let server = TestServer::start(&[]);
    let job = server.api().put_job(&json!({ "source": ADD, "attempts": 3, "retryMs": 1 })).job;
    // The first one leaves without a word.
    let _held = FakeWorker::join(&server.address, 1).job();
    for outcome in [thrown("no"), number(2.0)] {
        let mut worker = FakeWorker::join(&server.address, 1);
        let held = worker.job();
        worker.capacity = 0;
        worker.report(vec![(held.key, outcome)]);
    }
    server.api().await_job(&job);
    for (attempt, exit, words) in [
        ("0", 2, "has no attempt 0 that is kept"),
        ("1", 2, "has neither a value that is kept nor an error"),
        ("2", 1, "it differs\nthere: thrown: no\n here: 2"),
        ("3", 0, "same value: 2"),
        ("4", 2, "has no attempt 4 that is kept"),
    ] {
        let (code, told) = replayed(&server, &job, &["--attempt", attempt]);
        assert!(code == Some(exit) && told.contains(words), "{attempt}: {code:?} {told}");
    }
}

#[test]
fn a_job_that_is_shown_has_a_window_with_tools_until_ctrl_c() {
    let server = TestServer::start(&[]);
    let job = server.api().put_job(&json!({ "source": ADD })).job;
    let mut worker = FakeWorker::join(&server.address, 1);
    let held = worker.job();
    worker.report(vec![(held.key, number(2.0))]);
    server.api().await_job(&job);
    let place = TempDir::new().expect("a folder");
    let browser = place.path().join("browser");
    std::fs::write(&browser, NOTING).expect("a file can be written");
    std::fs::set_permissions(&browser, Permissions::from_mode(0o755)).expect("it is this test's own");
    let mut command = server.command();
    command.args(["replay", &job, "--show", "--server", &server.url(""), "--browser"]).arg(&browser);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the binary runs");
    let mut said = BufReader::new(child.stderr.take().expect("stderr is piped")).lines();
    await_line(&mut said, "the browser stays until Ctrl-C; http://127.0.0.1:");
    signal(&child, Signal::INT);
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8(output.stdout).expect("text");
    assert_eq!((output.status.code(), told.as_str()), (Some(0), "same value: 2\n"));
    let asked = std::fs::read_to_string(place.path().join("asked")).expect("the browser was started");
    assert!(asked.lines().any(|argument| argument == "--auto-open-devtools-for-tabs"), "{asked}");
    assert!(!asked.contains("headless"), "{asked}");
}

#[test]
fn a_job_that_stands_alone_finds_its_kernels_again() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=1&gpu=1"));
    let files = shipped("webcl-add");
    let kept: WorkflowKept =
        server.api().submit(&Operation::KeepWorkflow.path(&[]), &Form::of(&files)).created();
    let (_, source) = files.iter().find(|(path, _)| path == "Add.js").expect("its code");
    let source = String::from_utf8(source.clone()).expect("text");
    let asked = json!({
        "source": source, "name": "mine.js", "input": [3, 4], "workflow": kept.workflow, "capabilities": ["webcl"],
    });
    let job = server.api().put_job(&asked).job;
    assert_eq!(server.api().await_job(&job).result, Some(json!(7)));
    assert_eq!(replayed(&server, &job, &["--gpu"]), (Some(0), "same value: 7".into()));
    let place = TempDir::new().expect("a folder");
    let kit = place.path().join("kit");
    let kit = kit.to_str().expect("a path");
    assert_eq!(replayed(&server, &job, &["--dir", kit]).0, Some(0));
    drop(server);
    assert_eq!(
        replay(Command::new(default_binary()).args(["replay", "--gpu", "--from", kit])),
        (Some(0), "same value: 7".into())
    );
}
