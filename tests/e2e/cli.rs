//! The command line as a researcher uses it.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;
use weevil_e2e::{FakeWorker, Files, TestServer, job_workflow, number, thrown};

fn write(folder: &Path, files: &Files) {
    for (path, bytes) in files {
        std::fs::write(folder.join(path), bytes).expect("a file can be written");
    }
}

fn weevil(server: &TestServer, args: &[&str]) -> Output {
    let url = server.url("");
    Command::new(server.binary()).args(args).args(["--server", &url]).output().expect("the binary runs")
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn run_and_result_tell_ids_values_and_exit_codes() {
    let server = TestServer::start(&[]);
    let folder = TempDir::new().expect("a folder");
    write(folder.path(), &job_workflow("function weevil_main() {}", r#"retries="0""#));
    let path = folder.path().to_str().expect("a path");

    let started = json(&weevil(&server, &["run", path, "--json"]));
    assert_eq!(started["state"], "STARTED");
    let run = started["run"].as_str().expect("an id").to_owned();
    let asked = weevil(&server, &["result", &run, "--json"]);
    assert_eq!((asked.status.code(), &json(&asked)["state"]), (Some(0), &"STARTED".into()));

    let mut worker = FakeWorker::join(&server.address, 1);
    let job = worker.job();
    worker.report(vec![(job.key, number(42.0))]);
    server.api().await_end(&run);
    let finished = weevil(&server, &["result", &run]);
    assert_eq!((finished.status.code(), finished.stdout.as_slice()), (Some(0), b"42\n".as_slice()));
    assert_eq!(json(&weevil(&server, &["result", &run, "--json"]))["result"], 42);

    let waiting = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| weevil(&server, &["run", path, "--wait"]));
        let job = worker.job();
        worker.report(vec![(job.key, thrown("no luck"))]);
        waiting.join().expect("the command ends")
    });
    let words = String::from_utf8_lossy(&waiting.stderr);
    assert_eq!(waiting.status.code(), Some(1));
    assert!(words.contains("node only failed") && words.contains("no luck"), "{words}");
}

#[test]
fn what_cannot_be_asked_exits_with_two() {
    let server = TestServer::start(&[]);
    let folder = TempDir::new().expect("a folder");
    write(folder.path(), &job_workflow("nothing", ""));
    let path = folder.path().to_str().expect("a path");
    for (args, words) in [
        (vec!["run", path], "workflow.xml:1:"),
        (vec!["run", "/no/such/folder"], "cannot read"),
        (vec!["result", "run_0000000000001"], "no run"),
        (vec!["result", "nonsense"], "run_"),
    ] {
        let output = weevil(&server, &args);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
        assert!(told.contains(words), "{args:?}: {told}");
    }
    let nobody = Command::new(server.binary())
        .args(["run", path, "--server", "http://127.0.0.1:9"])
        .output()
        .expect("the binary runs");
    assert_eq!(nobody.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("weevil serve"));
}
