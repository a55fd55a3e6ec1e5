//! The certificate of a large run: how long it takes to write and to verify, and what the server holds for it. And what a server holds of a
//! large judged pool.

use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use weevil_e2e::{
    FakeWorker, Form, Guest, TestServer, answer_all, forget_peak, pool_workflow, resident, status,
};
use weevil_model::RunState;

use crate::measure::Figures;

const POLICY: &str = "credible(0.001)";
/// With the reducer a hundred thousand.
const JOBS: usize = 99_999;
const MANY: usize = 1_000_000;
/// Each a device in a network of its own, and all answer at once.
const WORKERS: u8 = 4;
const HOLDS: u32 = 1024;
const PATIENCE: Duration = Duration::from_hours(1);

/// Seconds until a file has the certificate, MB that the server holds for it at most, seconds until it is verified.
pub(crate) fn certificate(binary: &Path, _: usize) -> Vec<Figures> {
    let server = with_fleet(binary);
    let run = finish(&server, JOBS);
    let folder = TempDir::new().expect("a temporary folder can be made");
    let file = folder.path().join("certificate");
    let before = resident(server.pid());
    forget_peak(server.pid());
    let written = fetch(&server, &run, &file);
    let held = status(server.pid(), "VmHWM") - before;
    vec![vec![written], vec![held], vec![verify(binary, &file)]]
}

/// Seconds until the file has the certificate of the run.
pub(crate) fn fetch(server: &TestServer, run: &str, file: &Path) -> f64 {
    let mut fetch = server.command();
    fetch.args(["certificate", run, "--server", &server.url(""), "-o"]).arg(file);
    seconds(&mut fetch)
}

/// Seconds until it is known that the certificate holds.
pub(crate) fn verify(binary: &Path, file: &Path) -> f64 {
    seconds(Command::new(binary).arg("verify").arg(file))
}

/// MB that a server holds of a judged pool of a million beyond an idle one, at most.
pub(crate) fn judged_pool(binary: &Path, _: usize) -> Vec<Figures> {
    let server = with_fleet(binary);
    let idle = resident(server.pid());
    finish(&server, MANY);
    vec![vec![status(server.pid(), "VmHWM") - idle]]
}

fn with_fleet(binary: &Path) -> TestServer {
    let server = TestServer::start_binary(binary, &["--trusted-proxy", "127.0.0.1"]);
    for number in 1..=WORKERS {
        let place = format!("198.51.{number}.7");
        let guest = Guest { capacity: HOLDS, place: Some(&place), ..Guest::default() };
        let mut worker = FakeWorker::join_as(&server.address, guest);
        worker.introduce(number, &server.address);
        thread::spawn(move || answer_all(worker));
    }
    server.api().await_fleet(|fleet| fleet.workers.len() == usize::from(WORKERS));
    server
}

/// A pool of so many, and everybody says the same.
fn finish(server: &TestServer, jobs: usize) -> String {
    let input = format!("[{}]", vec!["1"; jobs].join(","));
    let each = "function weevil_main(n) { return n }";
    let pool = pool_workflow(&input, each, "function weevil_main(all) { return all.length }");
    let api = server.api_with(PATIENCE);
    let run = api.run_form(&Form::of(&pool).text("trust", POLICY)).run;
    let view = api.await_end(&run);
    assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
    run
}

fn seconds(command: &mut Command) -> f64 {
    let began = Instant::now();
    let output = command.output().expect("the binary runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    began.elapsed().as_secs_f64()
}
