//! Databases that an older release has left are opened by this one: nothing is broken, nothing is lost, and whoever asks is
//! answered the same bytes.

use std::thread;
use std::time::Instant;

use weevil_api::{Progress, RunSummary, RunView, WorkflowView};
use weevil_e2e::upgrade::{Fixture, MOMENT};
use weevil_e2e::{
    DatabaseKind, FakeWorker, PATIENCE, ShiftedClock, TestServer, counted, number, on_each_database,
};
use weevil_model::{Capabilities, Encoded, Needs, RunState, TypedArrayKind, Value};
use weevil_protocol::frame::{Assignment, AttemptResult, ClientFrame, CodeKind, Outcome, ServerFrame};

/// What no job of theirs exceeds.
const EVERYTHING: Needs = Needs { capabilities: Capabilities(15), memory_mb: 4096 };

/// Runs that were open.
const OPEN: [&str; 4] = ["open", "paused", "with inputs", "kernel"];

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

/// With the clock that it goes by.
fn opened(kind: DatabaseKind) -> (TestServer, ShiftedClock) {
    let (fixture, clock) = (Fixture::kept(kind), ShiftedClock::at_now());
    clock.stand(MOMENT);
    (fixture.open(&clock), clock)
}

/// Lets go of what is paused, and waits until every run has ended. Answers all of them.
fn finished(server: &mut TestServer) -> Vec<RunView> {
    let api = server.api();
    let runs = api.await_runs(|runs| !runs.is_empty());
    for run in runs.iter().filter(|run| run.paused) {
        assert_eq!(api.post(&format!("/api/v1/runs/{}/resume", run.id), "", &[], &[]).status, 200);
    }
    assert_eq!(api.post("/api/v1/queue/resume", "", &[], &[]).status, 200);
    let worker = FakeWorker::join_with(&server.address, 4, EVERYTHING);
    let computing = thread::spawn(move || compute(worker));
    let ended = runs
        .iter()
        .map(|run| if run.state.is_terminal() { api.view(&run.id) } else { api.await_end(&run.id) });
    let ended = ended.collect();
    server.audit();
    computing.join().expect("the worker hears of the end");
    ended
}

fn runs_that_were_open_finish(kind: DatabaseKind) {
    let (mut server, _clock) = opened(kind);
    let runs = server.api().await_runs(|runs| !runs.is_empty());
    let open: Vec<&RunSummary> = runs.iter().filter(|run| !run.state.is_terminal()).collect();
    assert_eq!(open.len(), OPEN.len());
    let ended = finished(&mut server);
    for run in open {
        let view = ended.iter().find(|view| view.summary.id == run.id).expect("it stays in the list");
        assert_eq!(view.summary.state, RunState::Finished, "{}", run.name);
    }
}

/// The run that is broken.
const BROKEN: &str = "kernel";
/// All rows of its workflow.
const ITS_WORKFLOW: &str = "(select workflow from runs where name = 'kernel')";

/// A statement that breaks it, and the words and codes that it then fails with; `None` where it goes on.
type Break = (String, Option<(&'static str, &'static [&'static str])>);

/// With an attribute that nobody knows: an error of the first checker, which leaves a plan.
fn odd_document(server: &TestServer) -> String {
    let api = server.api();
    let run = api.await_runs(|runs| !runs.is_empty()).into_iter().find(|run| run.name == BROKEN);
    let run = run.expect("it is in the fixture");
    let view: WorkflowView = api.json(&format!("/api/v1/workflows/{}", run.workflow));
    let file = view.files.into_iter().find(|file| file.path == "workflow.xml").expect("its document");
    let document =
        api.answer(&format!("/blobs/{}", file.hash)).text.replace("<workflow>", "<workflow colour=\"red\">");
    let hex = document.bytes().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    format!("update blobs set bytes = x'{hex}' where hash = x'{}'", file.hash)
}

fn breaks(server: &TestServer) -> [Break; 4] {
    let refused = "its workflow is refused by this release";
    let odd = odd_document(server);
    let by =
        |checker: u32| format!("update workflows set checked_by = {checker} where hash = {ITS_WORKFLOW}");
    [
        (format!("{odd}; {}", by(0)), None),
        (format!("{odd}; {}", by(1)), Some((refused, &["W0114"]))),
        (
            format!("delete from workflow_files where workflow = {ITS_WORKFLOW} and path = 'saxpy.wgsl'"),
            Some((refused, &["W0136"])),
        ),
        (
            format!("update runs set state = 'LATER' where name = '{BROKEN}'"),
            Some(("the state `LATER`", &[])),
        ),
    ]
}

fn a_run_that_is_broken_fails_alone(kind: DatabaseKind) {
    for case in 0..4 {
        let (mut server, _clock) = opened(kind);
        let (broken, trouble) = breaks(&server)[case].clone();
        server.kill();
        server.sql(&counted(&broken));
        server.restart();
        for RunView { summary, error, .. } in finished(&mut server) {
            if !OPEN.contains(&summary.name.as_str()) {
                continue;
            }
            let Some((words, codes)) = trouble.filter(|_| summary.name == BROKEN) else {
                assert_eq!(summary.state, RunState::Finished, "{broken}: {}", summary.name);
                continue;
            };
            let error = error.expect("it says why");
            assert!(
                summary.state == RunState::Failed && error.message.contains(words),
                "{broken}: {error:?}"
            );
            let found: Vec<&str> = error.diagnostics.iter().map(|found| found.code.as_str()).collect();
            assert_eq!(found, codes, "{broken}");
        }
    }
}

on_each_database!(
    every_answer_is_that_of_the_release_before,
    a_view_that_is_no_json_is_told_as_such_and_no_other_is_touched,
    runs_that_were_open_finish,
    a_run_that_is_broken_fails_alone
);
