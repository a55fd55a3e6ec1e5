//! `weevil db`: a copy of a database in use, from which a server starts as if nothing had been; and whether all is well
//! with it.

use std::path::Path;
use std::process::{Command, Output};
use std::thread;

use tempfile::TempDir;
use weevil_e2e::{FakeWorker, TestServer, answer_all, default_binary, pool_workflow};
use weevil_model::RunState;

const CODE: &str = "function weevil_main(...inputs) { return 1 }";

fn backup(data: &Path, to: &Path) -> Output {
    let command = Command::new(default_binary()).args(["db", "backup", "--data"]).args([data, to]).output();
    command.expect("the binary runs")
}

/// Jobs of each run.
const JOBS: usize = 1_000;
/// Enough at a time that a slow disk is asked to flush a few dozen times, not hundreds.
const CAPACITY: u32 = 128;

fn work(server: &TestServer) {
    let worker = FakeWorker::join(&server.address, CAPACITY);
    thread::spawn(move || answer_all(worker));
}

#[test]
fn a_backup_under_load_holds_every_run_that_was_acknowledged() {
    let server = TestServer::start(&[]);
    let input = format!("[{}]", vec!["1"; JOBS].join(","));
    let workflow = pool_workflow(&input, CODE, CODE);
    work(&server);
    let runs: Vec<String> = (0..4).map(|_| server.api().run(&workflow)).collect();
    server.api().await_run(&runs[0], |view| view.summary.progress.done > 100);
    let folder = TempDir::new().expect("a folder");
    let made = backup(server.data(), &folder.path().join("weevil.db"));
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let names: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").flatten().collect();
    assert_eq!(names.len(), 1, "one file, and no other beside it: {names:?}");
    drop(server);

    let copy = TestServer::start_over(folder, &default_binary(), &[]);
    work(&copy);
    for run in &runs {
        let view = copy.api().await_end(run);
        assert_eq!(
            (view.summary.state, view.result),
            (RunState::Finished, Some(1.into())),
            "{:?}",
            view.error
        );
        assert_eq!(view.stats.jobs as usize, JOBS + 1);
    }
}

#[test]
fn a_backup_never_replaces_a_file_and_says_why_there_is_none() {
    let server = TestServer::start(&[]);
    let folder = TempDir::new().expect("a folder");
    let kept = folder.path().join("kept.db");
    std::fs::write(&kept, "precious").expect("a file");
    let nowhere = folder.path().join("nowhere/backup.db");
    for (data, to, words) in [
        (server.data(), &kept, "is there already"),
        (server.data(), &nowhere, "cannot be written"),
        (folder.path(), &folder.path().join("backup.db"), "there is no database"),
    ] {
        let refused = backup(data, to);
        let told = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{told}");
        assert!(told.contains(words), "{words}: {told}");
    }
    assert_eq!(std::fs::read_to_string(&kept).expect("a file"), "precious");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left behind");
}

#[test]
fn a_database_is_checked_while_its_server_works() {
    let server = TestServer::start(&[]);
    work(&server);
    let input = format!("[{}]", vec!["1"; 500].join(","));
    let run = server.api().run(&pool_workflow(&input, CODE, CODE));
    let check = |data: &Path| {
        let told = Command::new(default_binary()).args(["db", "check", "--data"]).arg(data).output();
        let told = told.expect("the binary runs");
        (told.status.code(), String::from_utf8_lossy(&told.stdout).into_owned())
    };
    assert_eq!(check(server.data()).0, Some(0), "in the middle of a run");
    server.api().await_end(&run);
    assert_eq!(
        check(server.data()),
        (Some(0), "501 jobs, 0 of them open, 501 attempts: 0 broken rules\n".to_owned())
    );
    let empty = TempDir::new().expect("a folder");
    assert_eq!(check(empty.path()).0, Some(2), "there is no database");
    assert!(std::fs::read_dir(empty.path()).expect("a folder").next().is_none(), "and none was made");
}
