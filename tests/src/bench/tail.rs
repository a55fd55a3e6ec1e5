//! The end of a pool: how much longer it takes with two workers that are fifty times slower than the others.

use std::path::Path;
use std::thread;
use std::time::Duration;

use weevil_e2e::{FakeWorker, Form, Guest, TestServer, number, pool_workflow};
use weevil_model::RunState;
use weevil_protocol::frame::{AttemptResult, ClientFrame, ServerFrame};

use crate::measure::Figures;

const JOBS: usize = 1_000;
/// Workers that compute one job at a time, each in this time, and each somewhere else.
const QUICK: usize = 8;
const EACH: Duration = Duration::from_millis(200);
/// Those that take so much longer.
const SLOW: usize = 2;
const SLOWER: u32 = 50;

/// With the slow ones over without them: with spares, and without.
pub(crate) fn ratio(binary: &Path, _: usize) -> Vec<Figures> {
    let alone = seconds(binary, "on", 0);
    ["on", "off"].map(|spares| vec![seconds(binary, spares, SLOW) / alone]).to_vec()
}

/// From the first hand-out of a pool to its last result.
fn seconds(binary: &Path, spares: &str, slow: usize) -> f64 {
    let server = TestServer::start_binary(binary, &["--spares", spares, "--trusted-proxy", "127.0.0.1"]);
    for (number, each) in [EACH; QUICK].into_iter().chain(vec![EACH * SLOWER; slow]).enumerate() {
        let place = format!("198.51.{number}.7");
        let guest = Guest { capacity: 1, place: Some(&place), ..Guest::default() };
        let worker = FakeWorker::join_as(&server.address, guest);
        thread::spawn(move || compute(worker, each));
    }
    server.api().await_fleet(|fleet| fleet.workers.len() == QUICK + slow);
    let input = format!("[{}]", vec!["1"; JOBS].join(","));
    let each = "function weevil_main(n) { return n }";
    let pool = pool_workflow(&input, each, "function weevil_main(all) { return all.length }");
    let view = server.api().await_end(&server.api().run_form(&Form::of(&pool)).run);
    assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
    view.stats.wall_ms as f64 / 1000.0
}

/// One after the other, until the server has gone.
fn compute(mut worker: FakeWorker, each: Duration) {
    worker.wait_for_ever();
    while let Some(frame) = worker.frame() {
        let ServerFrame::Assign { jobs, .. } = frame else { continue };
        for job in jobs {
            thread::sleep(each);
            let compute_us = u64::try_from(each.as_micros()).unwrap_or(u64::MAX);
            let result = AttemptResult {
                key: job.key,
                outcome: number(1.0),
                slot: 0,
                compute_us,
                flops: 0.0,
                log: None,
            };
            let capacity = worker.capacity;
            if !worker.try_send(&ClientFrame::Results { results: vec![result], capacity }) {
                return;
            }
        }
    }
}
