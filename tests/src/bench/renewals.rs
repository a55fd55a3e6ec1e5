//! What it costs the server to renew leases: processor time for ten thousand renewals of jobs with inputs of 8 KiB.

use std::path::Path;

use serde_json::json;
use weevil_e2e::{FakeWorker, TestServer, cpu_seconds};
use weevil_protocol::frame::{AttemptKey, ClientFrame};

use crate::measure::Figures;

const WORKERS: usize = 100;
/// Jobs that each holds: what a worker may of whom nothing is known.
const HELD: u32 = 16;
const INPUT_BYTES: usize = 8 * 1024;
/// Times that every lease is renewed for one figure.
const ROUNDS: usize = 10;
const RENEWALS: f64 = 10_000.0;
/// Stand-alone jobs of one request.
const AT_ONCE: usize = 800;

/// Milliseconds.
pub(crate) fn heartbeats(binary: &Path, figures: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let job = json!({
        "source": "function weevil_main(text) { return text.length }",
        "input": ["x".repeat(INPUT_BYTES)],
    });
    let jobs = vec![job; WORKERS * HELD as usize];
    for some in jobs.chunks(AT_ONCE) {
        server.api().put_jobs(some);
    }
    let mut workers: Vec<(FakeWorker, Vec<AttemptKey>)> = (0..WORKERS).map(|_| holder(&server)).collect();
    vec![(0..figures).map(|_| figure(&server, &mut workers)).collect()]
}

fn holder(server: &TestServer) -> (FakeWorker, Vec<AttemptKey>) {
    let mut worker = FakeWorker::join(&server.address, HELD);
    let held = worker.jobs_until(HELD as usize).iter().map(|job| job.key).collect();
    (worker, held)
}

fn figure(server: &TestServer, workers: &mut [(FakeWorker, Vec<AttemptKey>)]) -> f64 {
    let before = cpu_seconds(server.pid());
    for _ in 0..ROUNDS {
        for (worker, held) in &mut *workers {
            worker.send(&ClientFrame::Heartbeat {
                holding: held.clone(),
                slots: 1,
                capacity: HELD,
                progress: Vec::new(),
                duty: None,
            });
        }
        for (worker, _) in &mut *workers {
            worker.await_heard();
        }
        // What is put in after heartbeats were heard is stored after them.
        server
            .api()
            .put_job(&json!({ "source": "function weevil_main() { return 1 }", "delayMs": u32::MAX }));
    }
    let renewals = (ROUNDS * workers.len()) as f64 * f64::from(HELD);
    (cpu_seconds(server.pid()) - before) * 1000.0 * RENEWALS / renewals
}
