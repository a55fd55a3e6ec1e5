//! The command line as a researcher uses it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use weevil_e2e::{
    FakeWorker, Files, TestServer, default_binary, files, job_workflow, number, shipped, thrown, zipped,
};

fn write(folder: &Path, files: &Files) {
    for (path, bytes) in files {
        std::fs::write(folder.join(path), bytes).expect("a file can be written");
    }
}

fn weevil(server: &TestServer, args: &[&str]) -> Output {
    let url = server.url("");
    server.command().args(args).args(["--server", &url]).output().expect("the binary runs")
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

/// Exit code and what was printed, without the line's end.
fn printed(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

#[test]
fn upload_workflows_and_run_go_together() {
    let server = TestServer::start(&[]);
    let folder = TempDir::new().expect("a folder");
    let add = folder.path().join("add");
    std::fs::create_dir(&add).expect("a folder can be made");
    write(&add, &shipped("add"));
    write(folder.path(), &vec![("plus.zip".to_owned(), zipped("add/", &shipped("add")))]);
    write(folder.path(), &files(&[("points.json", "30"), ("README", "")]));
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();

    let (code, hash) = printed(&weevil(&server, &["upload", &path("add")]));
    assert_eq!((code, hash.len()), (Some(0), 64), "{hash}");
    assert_eq!(printed(&weevil(&server, &["upload", &path("plus.zip")])), (Some(0), hash.clone()));
    let kept = json(&weevil(&server, &["upload", &path("add/workflow.xml"), "--json"]));
    assert_eq!((&kept["workflow"], &kept["name"]), (&hash.clone().into(), &"add".into()));
    let (code, lines) = printed(&weevil(&server, &["workflows"]));
    let names: Vec<_> =
        lines.lines().filter_map(|line| Some((line.get(..64)?, line.split("  ").last()?))).collect();
    assert_eq!((code, names), (Some(0), vec![(hash.as_str(), "plus"), (&hash, "add")]), "{lines}");
    assert_eq!(json(&weevil(&server, &["workflows", "--json"]))[0]["versions"][0]["workflow"], hash);

    let points = format!("val2={}", path("points.json"));
    for (args, input) in [
        (vec![path("add")], [0x82, 0x18, 44, 13].as_slice()),
        (vec![hash.clone()], &[0x82, 0x18, 44, 13]),
        (vec![hash.clone(), "--set".into(), "val1=12".into(), "--reuse".into()], &[0x82, 12, 13]),
        (
            vec![
                path("plus.zip"),
                "--set=val1=-1".into(),
                "--set-file".into(),
                points,
                "--reuse=always".into(),
            ],
            &[0x82, 0x20, 0x18, 30],
        ),
    ] {
        let args: Vec<&str> = ["run"].into_iter().chain(args.iter().map(String::as_str)).collect();
        let (code, run) = printed(&weevil(&server, &args));
        assert_eq!(code, Some(0), "{args:?}");
        assert_eq!(FakeWorker::join(&server.address, 1).job().input.as_slice(), input, "{args:?}");
        let cancelled = printed(&weevil(&server, &["cancel", &run]));
        assert_eq!(cancelled, (Some(0), format!("{run} is CANCELLED")));
    }
}

#[test]
fn cancel_ends_a_run_that_somebody_waits_for() {
    let server = TestServer::start(&[]);
    let folder = TempDir::new().expect("a folder");
    write(folder.path(), &job_workflow("function weevil_main() {}", ""));
    let path = folder.path().to_str().expect("a path");
    let url = server.url("");
    let waiting = server
        .command()
        .args(["run", path, "--wait", "--server", &url])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let run = server.api().await_runs(|runs| !runs.is_empty()).remove(0).id;
    assert_eq!(json(&weevil(&server, &["cancel", &run, "--json"]))["state"], "CANCELLED");
    let waiting = waiting.wait_with_output().expect("the command ends");
    let (code, words) = printed(&waiting);
    assert_eq!(code, Some(1));
    assert!(words.ends_with("is CANCELLED"), "{words}");

    let (_, run) = printed(&weevil(&server, &["run", path]));
    let mut worker = FakeWorker::join(&server.address, 1);
    let job = worker.job();
    worker.report(vec![(job.key, number(1.0))]);
    server.api().await_end(&run);
    let (code, words) = printed(&weevil(&server, &["cancel", &run]));
    assert_eq!((code, words), (Some(0), format!("{run} had ended before: it is FINISHED")));
}

#[test]
fn what_cannot_be_asked_exits_with_two() {
    let server = TestServer::start(&[]);
    let folder = TempDir::new().expect("a folder");
    write(folder.path(), &job_workflow("nothing", ""));
    let path = folder.path().to_str().expect("a path");
    let hash = "0".repeat(64);
    for (args, words) in [
        (vec!["run", path], "workflow.xml:1:"),
        (vec!["run", "/no/such/folder"], "cannot read"),
        (vec!["result", "run_0000000000001"], "no run"),
        (vec!["result", "nonsense"], "run_"),
        (vec!["cancel", "run_0000000000001"], "no run"),
        (vec!["cancel", "nonsense"], "run_"),
        (vec!["upload", path], "workflow.xml:1:"),
        (vec!["upload", "/no/such/folder"], "cannot read"),
        (vec!["upload", &hash], "cannot read"),
        (vec!["run", &hash], "no workflow"),
        (vec!["run", &hash, "--set", "x"], "--set takes"),
        (vec!["run", &hash, "--set-file", "x=/no/such/file"], "/no/such/file"),
        (vec!["run", &hash, "--reuse=often"], "repeatable"),
    ] {
        let output = weevil(&server, &args);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
        assert!(told.contains(words), "{args:?}: {told}");
    }
    let nobody = server
        .command()
        .args(["run", path, "--server", "http://127.0.0.1:9"])
        .output()
        .expect("the binary runs");
    assert_eq!(nobody.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("weevil serve"));
}

#[test]
fn a_database_that_cannot_be_used_ends_the_start_without_telling_its_password() {
    let data = TempDir::new().expect("a folder");
    for (database, words) in [
        ("mysql://weevil:secret@127.0.0.1:9/queue", "mysql://weevil@127.0.0.1:9/queue cannot be reached"),
        ("mysql://weevil:secret@127.0.0.1", "names no database"),
        ("mysql://weevil:sec/ret@127.0.0.1/queue", "cannot be read"),
        ("postgres://weevil:secret@127.0.0.1/queue", "`postgres://`"),
    ] {
        let output = Command::new(default_binary())
            .args(["serve", "--listen", "127.0.0.1:0", "--database", database, "--data"])
            .arg(data.path())
            .output()
            .expect("the binary runs");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{database}: {told}");
        assert!(told.contains(words) && !told.contains("secret"), "{database}: {told}");
    }
}
