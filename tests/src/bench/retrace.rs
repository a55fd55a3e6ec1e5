//! How long a large run takes to begin anew where a lie was believed in it: from the report that finds the liar out until the sum of all
//! is asked for anew, with the right value in the place of the lie.

use std::path::Path;
use std::time::Instant;

use serde_json::json;
use weevil_api::DevicePage;
use weevil_api::routes::Operation;
use weevil_e2e::{FakeWorker, Form, Guest, PATIENCE, TestServer, number, pool_workflow};
use weevil_model::RunState;
use weevil_protocol::frame::{Assignment, AttemptResult, ClientFrame, ServerFrame};

use crate::measure::Figures;

const POLICY: &str = "credible(0.001)";
/// With the reducer a hundred thousand nodes.
const ELEMENTS: usize = 99_999;
const HOLDS: u32 = 1024;
const LIAR: u8 = 1;
const HONEST: u8 = 2;
const RIGHT: f64 = 1.0;
const LIE: f64 = 5.0;
/// Comparisons that agreed, before a difference counts.
const COMPARED: u32 = 3;

/// Seconds.
pub(crate) fn retrace(binary: &Path, _: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &["--trusted-proxy", "127.0.0.1"]);
    let mut liar = volunteer(&server, LIAR);
    let name = trust(&server);
    let mut honest = volunteer(&server, HONEST);
    trust(&server);
    let run = start(&server);
    let lie = next(&mut liar);
    liar.report(vec![(lie.key, number(LIE))]);
    answer(&mut honest, ELEMENTS - 1);
    let mut adds = volunteer(&server, HONEST);
    next(&mut adds);
    server.api().post(&Operation::DistrustDevice.path(&[&name]), "", &[], &[]);
    let took = found_out(&server, &mut liar, &mut honest, &mut adds);
    let api = server.api();
    let view = api.await_end(&run);
    assert_eq!((view.summary.state, view.result), (RunState::Finished, Some(ELEMENTS.into())));
    vec![vec![took]]
}

fn volunteer(server: &TestServer, number: u8) -> FakeWorker {
    let place = format!("198.51.{number}.7");
    let guest = Guest { place: Some(&place), ..Guest::default() };
    let mut worker = FakeWorker::join_as(&server.address, guest);
    worker.introduce(number, &server.address);
    worker
}

/// The only device that nobody has marked is trusted from now on. Answers its name.
fn trust(server: &TestServer) -> String {
    let path = format!("{}?rank=newcomer", Operation::ListDevices.path(&[]));
    let deadline = Instant::now() + PATIENCE;
    loop {
        let mut page: DevicePage = server.api().json(&path);
        assert!(Instant::now() < deadline, "no device joins");
        if let Some(name) = page.devices.pop().and_then(|device| device.fingerprint) {
            server.api().post(&Operation::TrustDevice.path(&[&name]), "", &[], &[]);
            return name;
        }
    }
}

fn start(server: &TestServer) -> String {
    let input = format!("[{}]", vec!["1"; ELEMENTS].join(","));
    let each = "function weevil_main(n) { return n }";
    let pool =
        pool_workflow(&input, each, "function weevil_main(all) { return all.reduce((a, b) => a + b, 0) }");
    server.api().run_form(&Form::of(&pool).text("trust", POLICY)).run
}

fn next(worker: &mut FakeWorker) -> Assignment {
    worker.capacity = 1;
    worker.tell(Vec::new());
    let job = worker.job();
    worker.capacity = 0;
    job
}

/// Says what is right of so many jobs, and wants no more then.
fn answer(worker: &mut FakeWorker, many: usize) {
    worker.capacity = HOLDS;
    worker.tell(Vec::new());
    let mut answered = 0;
    while answered < many {
        let Some(ServerFrame::Assign { jobs, .. }) = worker.frame() else { continue };
        answered += jobs.len();
        worker.capacity = if answered < many { HOLDS } else { 0 };
        let results = jobs.iter().map(|job| result(job, RIGHT)).collect();
        worker.send(&ClientFrame::Results { results, capacity: worker.capacity });
    }
}

fn result(job: &Assignment, said: f64) -> AttemptResult {
    AttemptResult { key: job.key, outcome: number(said), slot: 0, compute_us: 1, flops: 0.0, log: None }
}

/// A job on which the liar says this, and which somebody trusted is to check. Answers its id as well.
fn judged(
    server: &TestServer,
    liar: &mut FakeWorker,
    honest: &mut FakeWorker,
    said: f64,
) -> (String, Assignment) {
    let source = "function weevil_main() { return 1 }";
    let job = json!({ "source": source, "trust": POLICY, "priority": 99 });
    let job = server.api().put_job(&job).job;
    let first = next(liar);
    liar.report(vec![(first.key, number(said))]);
    (job, next(honest))
}

/// It agrees as often with somebody who is trusted as makes a difference count, and differs then. Whoever adds up the lie is let go once its
/// array is another one.
fn found_out(
    server: &TestServer,
    liar: &mut FakeWorker,
    honest: &mut FakeWorker,
    adds: &mut FakeWorker,
) -> f64 {
    for _ in 0..COMPARED {
        let (job, check) = judged(server, liar, honest, RIGHT);
        honest.report(vec![(check.key, number(RIGHT))]);
        server.api().await_job(&job);
    }
    let (_, check) = judged(server, liar, honest, LIE);
    let began = Instant::now();
    honest.send(&ClientFrame::Results { results: vec![result(&check, RIGHT)], capacity: 0 });
    let again = next(honest);
    honest.report(vec![(again.key, number(RIGHT))]);
    adds.revoked();
    let sum = next(adds);
    let took = began.elapsed();
    adds.report(vec![(sum.key, number(ELEMENTS as f64))]);
    took.as_secs_f64()
}
