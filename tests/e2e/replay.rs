//! `weevil replay`: a job again on this machine, with its own code, input, seed and kernels.

use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;
use weevil_api::JobPage;
use weevil_api::routes::Operation;
use weevil_e2e::{Browser, FakeWorker, Files, TestServer, default_binary, job_workflow, number, shipped};

use super::wasm::constant;

const ADD: &str = "function weevil_main() { return 1 + 1 }";

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
