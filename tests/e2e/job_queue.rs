//! The program of `examples/job-queue`: what people copy must work, and again after it was interrupted.

use std::path::Path;
use std::process::Command;

use weevil_api::JobPage;
use weevil_e2e::TestServer;

use crate::plain_worker::PythonWorker;

/// What it prints; it must end with success.
fn primes(server: &TestServer) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/job-queue/primes.py");
    let token = server.token().expect("the server leaves a token");
    let output = Command::new("python3").arg(script).arg(server.url("")).env("WEEVIL_TOKEN", token).output();
    let output = output.expect("python3 is installed: `cargo xtask setup`");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn it_computes_and_the_second_time_only_reads() {
    let mut server = TestServer::start(&[]);
    let python = PythonWorker::start(&server);
    assert_eq!(primes(&server), "8 jobs, 8 of them new\n148933 primes below 2000000\n");
    drop(python);
    server.kill();
    server.restart();
    assert_eq!(primes(&server), "8 jobs, 0 of them new\n148933 primes below 2000000\n");
    let jobs: JobPage = server.api().json("/api/v1/jobs?queue=primes");
    assert_eq!(
        jobs.jobs.iter().map(|job| job.handed_out).collect::<Vec<_>>(),
        [1; 8],
        "nothing was computed twice"
    );
    server.api().await_queue(|queue| (queue.ready, queue.leased, queue.delayed, queue.held) == (0, 0, 0, 0));
}
