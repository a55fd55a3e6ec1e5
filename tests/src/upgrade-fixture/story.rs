//! What happened before the SIGKILL: jobs in each delivery and outcome, runs in each state, a device, large values.

use serde_json::{Value as Json, json};
use weevil_api::{RunSummary, WorkflowKept};
use weevil_e2e::{
    Api, FakeWorker, Form, ShiftedClock, TestServer, files, job_workflow, number, pool_workflow, shipped,
    text, thrown,
};
use weevil_model::RunState;
use weevil_protocol::frame::{Assignment, AttemptResult, ClientFrame, Outcome};

/// Where its stand-alone jobs are.
pub(crate) const QUEUE: &str = "story";
/// More than SQLite keeps in a job's row.
const LARGE: usize = 17_000;
const CODE: &str = "function weevil_main(a) { return a }";
const EACH: &str = "function weevil_main(n) { return n }";
const LENGTH: &str = "function weevil_main(all) { return all.length }";
/// A worker that computes nothing has no GPU: such a job stays where it is.
const GPU: (&str, &[&str]) = ("capabilities", &["webcl"]);

pub(crate) fn start(clock: &ShiftedClock, args: &[&str]) -> TestServer {
    at(clock, 0);
    TestServer::start_binary(&clock.server(), args)
}

/// The runs that go on have found again what had ended before the kill.
pub(crate) fn stands_again(runs: &[RunSummary]) -> bool {
    runs.iter().any(|run| run.name == "open" && run.progress.done == 1)
}

pub(crate) fn play(server: &TestServer, clock: &ShiftedClock) {
    let api = &server.api();
    an_expired_lease(server, clock);
    let mut worker = device(server);
    ended_jobs(api, clock, &mut worker);
    ended_runs(api, &mut worker);
    open_runs(api, &mut worker);
    waiting_jobs(api);
    assert_eq!(api.post("/api/v1/queue/pause", "", &[], &[]).status, 200);
}

/// Seconds of the story.
fn at(clock: &ShiftedClock, seconds: u32) {
    clock.stand(&format!("2026-11-23 12:{:02}:{:02}", seconds / 60, seconds % 60));
}

fn put(api: &Api, key: &str, fields: Json) -> String {
    let mut job = json!({ "queue": QUEUE, "key": key, "source": CODE, "input": [7] });
    let Json::Object(fields) = fields else { panic!("the fields of an object, not {fields}") };
    job.as_object_mut().expect("it is one").extend(fields);
    api.put_job(&job).job
}

fn an_expired_lease(server: &TestServer, clock: &ShiftedClock) {
    let job = put(&server.api(), "expired", json!({}));
    let mut silent = FakeWorker::join(&server.address, 1);
    silent.job();
    at(clock, 61);
    server.api().await_history(&job, |history| history.job.failures == 1);
    at(clock, 70);
}

/// A worker that is known again by its key.
fn device(server: &TestServer) -> FakeWorker {
    let mut worker = FakeWorker::join(&server.address, 1);
    worker.introduce(7, &server.address);
    worker
}

/// Takes the next job, tells how much of it is done, and reports it with a log.
fn compute(worker: &mut FakeWorker, outcome: Outcome) {
    let job = worker.job();
    worker.tell(vec![(job.key, 0.25)]);
    report(worker, &job, outcome);
}

fn report(worker: &mut FakeWorker, job: &Assignment, outcome: Outcome) {
    let log = Some("begun\nended".to_owned());
    worker.submit(vec![AttemptResult { key: job.key, outcome, slot: 0, compute_us: 1500, flops: 2e6, log }]);
}

fn ended_jobs(api: &Api, clock: &ShiftedClock, worker: &mut FakeWorker) {
    // The one whose lease has expired.
    compute(worker, number(1.0));
    put(api, "value", json!({ "returns": "Number", "priority": 5 }));
    compute(worker, number(3.0));
    put(api, "large", json!({ "input": ["i".repeat(LARGE)] }));
    compute(worker, text(&"o".repeat(LARGE)));
    put(api, "failed", json!({ "attempts": 1 }));
    compute(worker, thrown("boom"));
    put(api, "failed twice", json!({ "attempts": 2, "retryMs": 1000 }));
    compute(worker, thrown("boom"));
    at(clock, 80);
    compute(worker, thrown("boom again"));
    put(api, "given back", json!({}));
    let given_back = worker.job();
    worker.send(&ClientFrame::Yield { attempts: vec![given_back.key], capacity: 1 });
    compute(worker, number(4.0));
    let overdue = put(api, "overdue", json!({ "maxWaitMs": 1000, GPU.0: GPU.1 }));
    at(clock, 90);
    api.await_job(&overdue);
    let cancelled = put(api, "cancelled", json!({ GPU.0: GPU.1 }));
    assert_eq!(api.post(&format!("/api/v1/jobs/{cancelled}/cancel"), "", &[], &[]).status, 200);
    // The pause after its error is longer than the story.
    put(api, "delayed by an error", json!({ "retryMs": 86_400_000 }));
    compute(worker, thrown("boom"));
}

fn ended_runs(api: &Api, worker: &mut FakeWorker) {
    let add = |name| Form::of(&shipped("add")).text("name", name);
    let computed = api.run_form(&add("computed")).run;
    for value in [57.0, 157.0] {
        compute(worker, number(value));
    }
    api.await_end(&computed);
    let reused = api.run_form(&add("reused").text("reuse", "always")).run;
    assert_eq!(api.await_end(&reused).summary.state, RunState::Finished);
    let large = job_workflow("function weevil_main() { return 'large' }", "").into_iter();
    let large = large.map(|(path, bytes)| {
        let text = String::from_utf8(bytes).expect("text").replace("\"Number\"", "\"String\"");
        (path, text.into_bytes())
    });
    let large = api.run_form(&Form::of(&large.collect()).text("name", "large")).run;
    compute(worker, text(&"r".repeat(LARGE)));
    api.await_end(&large);
    let failed = Form::of(&job_workflow("function weevil_main() { throw 1 }", r#"retries="0""#));
    let failed = api.run_form(&failed.text("name", "failed")).run;
    compute(worker, thrown("no"));
    assert_eq!(api.await_end(&failed).summary.state, RunState::Failed);
    let pool = Form::of(&pool_workflow("[1, 2]", EACH, LENGTH));
    let pool = api.run_form(&pool.text("name", "pool")).run;
    for _ in 0..3 {
        compute(worker, number(3.0));
    }
    api.await_end(&pool);
    let cancelled = api.run_form(&Form::of(&shipped("saxpy")).text("name", "cancelled")).run;
    api.cancel(&cancelled);
}

fn open_runs(api: &Api, worker: &mut FakeWorker) {
    let open = Form::of(&pool_workflow("[1, 2, 3, 4]", EACH, LENGTH));
    let open = api.run_form(&open.text("name", "open")).run;
    compute(worker, number(1.0));
    compute(worker, thrown("not now"));
    let held = worker.job();
    worker.capacity = 0;
    worker.tell(vec![(held.key, 0.5)]);
    api.begun(&open);
    let paused = api.run_form(&Form::of(&shipped("add")).text("name", "paused")).run;
    assert_eq!(api.post(&format!("/api/v1/runs/{paused}/pause"), "", &[], &[]).status, 200);
    let with_inputs = Form::of(&shipped("add")).text("name", "with inputs").text("set", "val1=12");
    api.run_form(&with_inputs);
    api.run_form(&Form::of(&shipped("saxpy")).text("name", "kernel"));
    let kept = api.submit("/api/v1/workflows", &Form::of(&files(&[("workflow.xml", KEPT)])));
    kept.created::<WorkflowKept>();
}

const KEPT: &str = r#"<workflow><nodes><value id="seven" value="7" returntype="Number"/></nodes><edges/>
    <finalnode id="seven"/></workflow>"#;

fn waiting_jobs(api: &Api) {
    put(api, "ready", json!({ GPU.0: GPU.1, "memoryMb": 1500 }));
    put(api, "delayed", json!({ "delayMs": 86_400_000 }));
    put(api, "impatient", json!({ "maxWaitMs": 86_400_000 }));
}
