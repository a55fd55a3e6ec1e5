//! Databases that an older release has left are opened by this one: nothing is broken, nothing is lost, and whoever asks is
//! answered the same bytes.

use std::thread;
use std::time::Instant;

use weevil_api::{Progress, RunSummary};
use weevil_e2e::upgrade::{Fixture, MOMENT};
use weevil_e2e::{DatabaseKind, FakeWorker, PATIENCE, ShiftedClock, TestServer, number, on_each_database};
use weevil_model::{Capabilities, Encoded, Needs, RunState, TypedArrayKind, Value};
use weevil_protocol::frame::{Assignment, AttemptResult, ClientFrame, CodeKind, Outcome, ServerFrame};

/// What no job of theirs exceeds.
const EVERYTHING: Needs = Needs { capabilities: Capabilities(15), memory_mb: 4096 };

/// Runs that were open: one of them paused, one with inputs, one of a kernel.
const OPEN: usize = 4;

/// Open runs take a moment to find again what had ended: asked until the answers are those of then.
fn answers_the_same(server: &TestServer, fixture: &Fixture) {
    let (then, deadline) = (fixture.answers(), Instant::now() + PATIENCE);
    loop {
        let now = then.again(&server.api());
        if now == then {
            return;
        }
        assert!(Instant::now() < deadline, "{:#?}", now.differences(&then));
    }
}

/// First from what that release has stored, then from the facts that this one makes of it.
fn every_answer_is_that_of_the_release_before(kind: DatabaseKind) {
    let (fixture, clock) = (Fixture::kept(kind), ShiftedClock::at_now());
    clock.stand(MOMENT);
    let mut server = fixture.open(&clock);
    answers_the_same(&server, &fixture);
    server.kill();
    assert!(server.turn_views() > 0);
    server.restart();
    answers_the_same(&server, &fixture);
    server.audit();
    assert_eq!(server.turn_views(), 0);
}

/// What is told of a run whose view is no view, beside what its row says.
const LOST: &str = "what was kept of this run's end cannot be read: expected ident at line 1 column 2";

fn a_view_that_is_no_json_is_told_as_such_and_no_other_is_touched(kind: DatabaseKind) {
    let (fixture, clock) = (Fixture::kept(kind), ShiftedClock::at_now());
    clock.stand(MOMENT);
    let mut server = fixture.open(&clock);
    let ended = |server: &TestServer| -> Vec<RunSummary> {
        let runs = server.api().await_runs(|runs| !runs.is_empty());
        runs.into_iter().filter(|run| run.state.is_terminal()).collect()
    };
    let mut expected = ended(&server);
    let lost = expected.iter_mut().find(|run| run.state == RunState::Failed).expect("a run has failed");
    lost.progress = Progress::default();
    let lost = lost.id.clone();
    server.kill();
    server.sql("update runs set view = 'no view' where state = 'FAILED'");
    for turned in [false, true] {
        assert!(!turned || server.turn_views() > 0);
        server.restart();
        assert_eq!(ended(&server), expected, "turned: {turned}");
        let view = server.api().view(&lost);
        assert_eq!((view.summary.state, view.nodes.len()), (RunState::Failed, 0));
        assert_eq!(view.error.map(|error| error.message).as_deref(), Some(LOST));
        server.kill();
    }
}

/// A number is the value of every job, but of kernels.
fn compute(mut worker: FakeWorker) {
    worker.wait_for_ever();
    let array = Encoded::of(&Value::Typed(TypedArrayKind::Float32, vec![0; 16])).expect("it is small");
    while let Some(frame) = worker.frame() {
        let ServerFrame::Assign { codes, jobs } = frame else { continue };
        let result = |job: Assignment| AttemptResult {
            key: job.key,
            outcome: match codes[job.code as usize].kind() {
                CodeKind::Wgsl => Outcome::Value(array.as_bytes().to_vec().into()),
                _ => number(1.0),
            },
            slot: 0,
            compute_us: 1,
            flops: 0.0,
            log: None,
        };
        let results = jobs.into_iter().map(result).collect();
        worker.send(&ClientFrame::Results { results, capacity: worker.capacity });
    }
}

fn runs_that_were_open_finish(kind: DatabaseKind) {
    let (fixture, clock) = (Fixture::kept(kind), ShiftedClock::at_now());
    clock.stand(MOMENT);
    let mut server = fixture.open(&clock);
    let api = server.api();
    let runs = api.await_runs(|runs| runs.iter().filter(|run| !run.state.is_terminal()).count() == OPEN);
    let open: Vec<RunSummary> = runs.into_iter().filter(|run| !run.state.is_terminal()).collect();
    for run in open.iter().filter(|run| run.paused) {
        assert_eq!(api.post(&format!("/api/v1/runs/{}/resume", run.id), "", &[], &[]).status, 200);
    }
    assert_eq!(api.post("/api/v1/queue/resume", "", &[], &[]).status, 200);
    let worker = FakeWorker::join_with(&server.address, 4, EVERYTHING);
    let computing = thread::spawn(move || compute(worker));
    for run in open {
        assert_eq!(api.await_end(&run.id).summary.state, RunState::Finished, "{}", run.name);
    }
    server.audit();
    computing.join().expect("the worker hears of the end");
}

on_each_database!(
    every_answer_is_that_of_the_release_before,
    a_view_that_is_no_json_is_told_as_such_and_no_other_is_touched,
    runs_that_were_open_finish
);
