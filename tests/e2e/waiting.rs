//! Jobs that wait: for a moment, for somebody who can take them, for a person; on each kind of database.

use serde_json::{Value as Json, json};
use weevil_api::{JobHistory, JobWait, QueueView, RunView};
use weevil_e2e::{DatabaseKind, FakeWorker, TestServer, job_workflow, number, on_each_database, thrown};
use weevil_model::{Capabilities, Needs, NodeState, RunState};
use weevil_protocol::frame::{ClientFrame, Verdict};

const SOURCE: &str = "function weevil_main() { return 1 }";
const GPU: Needs = Needs { capabilities: Capabilities(3), memory_mb: 0 };

fn put(server: &TestServer, fields: &Json) -> String {
    let mut job = json!({ "source": SOURCE });
    for (name, value) in fields.as_object().expect("fields") {
        job[name] = value.clone();
    }
    server.api().put_job(&job).job
}

fn history(server: &TestServer, job: &str) -> JobHistory {
    server.api().json(&format!("/api/v1/jobs/{job}"))
}

fn post<T: serde::de::DeserializeOwned>(server: &TestServer, path: &str) -> T {
    server.api().post(path, "", &[], &[]).json()
}

fn a_delayed_job_is_handed_out_when_its_moment_comes(kind: DatabaseKind) {
    const DELAY_MS: i64 = 700;
    let server = kind.server();
    let mut worker = FakeWorker::join(&server.address, 1);
    server.api().await_fleet(|fleet| fleet.workers.len() == 1);
    let far = put(&server, &json!({ "delayMs": 3_600_000 }));
    assert_eq!(history(&server, &far).job.waits, Some(JobWait::Delay));
    let later = put(&server, &json!({ "delayMs": DELAY_MS }));
    worker.job();
    let JobHistory { job, attempts, .. } = history(&server, &later);
    let waited = attempts[0].started_at - job.enqueued_at;
    eprintln!("a delay of {DELAY_MS} ms took {waited} ms");
    assert!(waited >= DELAY_MS, "{waited} ms");
    assert_eq!(history(&server, &far).attempts, []);
}

fn the_pause_after_an_error_is_kept_and_survives_a_restart(kind: DatabaseKind) {
    let mut server = kind.server();
    let ids = [1500, 3_000_000].map(|pause_ms| put(&server, &json!({ "retryMs": pause_ms })));
    let mut worker = FakeWorker::join(&server.address, 2);
    let held = worker.jobs_until(2);
    worker.capacity = 0;
    let errors = held.iter().map(|job| (job.key, thrown("boom"))).collect();
    assert_eq!(worker.report(errors), [Verdict::Accepted; 2]);
    let JobHistory { job, .. } = history(&server, &ids[1]);
    assert_eq!((job.waits, job.failures), (Some(JobWait::Delay), 1));
    let pause = job.waits_until.expect("a moment") - job.enqueued_at;
    assert!(pause >= 1_500_000, "half of the pause at least: {pause}");
    server.kill();
    server.restart();
    let mut worker = FakeWorker::join(&server.address, 1);
    worker.job();
    let JobHistory { attempts, .. } = history(&server, &ids[0]);
    let paused = attempts[1].started_at - attempts[0].ended_at.expect("it has ended");
    assert!(paused >= 750, "half of the pause at least: {paused} ms");
    assert_eq!(history(&server, &ids[1]).attempts.len(), 1);
}

fn a_job_that_nobody_takes_in_time_ends_and_says_so(kind: DatabaseKind) {
    let server = kind.server();
    let id = put(&server, &json!({ "maxWaitMs": 300 }));
    let result = server.api().await_job(&id);
    assert_eq!((result.state, result.errors), (NodeState::Failed, vec![]));
    assert_eq!(history(&server, &id).job.waits, Some(JobWait::Overdue));
    let mut worker = FakeWorker::join(&server.address, 1);
    put(&server, &json!({ "key": "next" }));
    assert_eq!(history(&server, &id).attempts, []);
    worker.job();
}

/// Who cannot take the job asks first, last, and always: whoever can gets it at once, whether it came before or after
/// the job, asked for it or just became free.
fn a_wake_up_never_goes_only_to_a_worker_that_cannot_take_the_job(kind: DatabaseKind) {
    let server = kind.server();
    let _deaf: Vec<_> = (0..5).map(|_| FakeWorker::join(&server.address, 8)).collect();
    let mut able = FakeWorker::join_with(&server.address, 1, GPU);
    server.api().await_fleet(|fleet| fleet.workers.len() == 6);
    let needs = json!({ "capabilities": ["webcl"] });
    put(&server, &needs);
    let held = able.job();
    // One waits while the only one who can take it is busy, and the others ask again and again.
    put(&server, &needs);
    for _ in 0..3 {
        let mut another = FakeWorker::join(&server.address, 1);
        put(&server, &json!({}));
        another.capacity = 0;
        another.send(&ClientFrame::Heartbeat {
            holding: vec![],
            slots: 1,
            capacity: 0,
            progress: vec![],
            duty: None,
        });
    }
    able.send(&ClientFrame::Yield { attempts: vec![held.key], capacity: 1 });
    let again = able.job();
    assert_eq!(again.key.job, held.key.job, "the older one first");
    let mut late = FakeWorker::join_with(&server.address, 1, GPU);
    assert_ne!(late.job().key.job, held.key.job, "who comes later gets what waited");
}

fn ten_thousand_jobs_that_match_nobody_slow_nobody(kind: DatabaseKind) {
    let server = kind.server();
    let unmatched: Vec<Json> = (0..1000)
        .map(|_| json!({ "source": SOURCE, "capabilities": ["webcl"], "memoryMb": 1024, "priority": 9 }))
        .collect();
    for _ in 0..10 {
        server.api().put_jobs(&unmatched);
    }
    server.api().await_queue(|queue| queue.ready == 10_000);
    let mut worker = FakeWorker::join(&server.address, 1);
    for _ in 0..20 {
        put(&server, &json!({}));
        let held = worker.job();
        worker.report(vec![(held.key, number(1.0))]);
    }
    server.api().await_queue(|queue| (queue.ready, queue.leased) == (10_000, 0));
}

fn a_worker_with_too_little_memory_is_not_given_a_large_job(kind: DatabaseKind) {
    let server = kind.server();
    let large = put(&server, &json!({ "memoryMb": 3000 }));
    let small = put(&server, &json!({ "memoryMb": 100, "key": "small" }));
    let has = |memory_mb| Needs { memory_mb, ..Needs::JAVASCRIPT };
    for (memory_mb, job) in [(2048, &small), (4096, &large)] {
        let mut worker = FakeWorker::join_with(&server.address, 1, has(memory_mb));
        let held = worker.job();
        worker.capacity = 0;
        worker.report(vec![(held.key, number(f64::from(memory_mb)))]);
        assert_eq!(server.api().await_job(job).result, Some(memory_mb.into()));
    }
    assert_eq!(history(&server, &large).job.needs.memory_mb, 4096, "rounded up");
}

fn a_paused_run_is_held_over_a_restart_and_goes_on_when_it_is_resumed(kind: DatabaseKind) {
    let mut server = kind.server();
    let run = server.api().run(&job_workflow(SOURCE, ""));
    server.api().await_waiting(&run, 1);
    let paused: RunView = post(&server, &format!("/api/v1/runs/{run}/pause"));
    assert!(paused.summary.paused);
    server.api().await_run(&run, |view| view.summary.paused);
    server.kill();
    server.restart();
    assert!(server.api().view(&run).summary.paused);
    let mut worker = FakeWorker::join(&server.address, 1);
    let other = put(&server, &json!({}));
    let held = worker.job();
    worker.report(vec![(held.key, number(2.0))]);
    assert_eq!(server.api().await_job(&other).result, Some(2.into()), "others go on");
    let queue = server.api().await_queue(|queue| (queue.ready, queue.held) == (0, 1));
    assert_eq!(queue.paused_since, None);
    let resumed: RunView = post(&server, &format!("/api/v1/runs/{run}/resume"));
    assert!(!resumed.summary.paused);
    let held = worker.job();
    worker.capacity = 0;
    worker.report(vec![(held.key, number(5.0))]);
    assert_eq!(server.api().await_end(&run).result, Some(5.into()));
    let (status, refusal) = server.api().post(&format!("/api/v1/runs/{run}/pause"), "", &[], &[]).refusal();
    assert_eq!((status, refusal.code.as_str()), (409, "runEnded"));
    let unknown = server.api().post("/api/v1/runs/run_0000000000001/resume", "", &[], &[]).refusal();
    assert_eq!((unknown.0, unknown.1.code.as_str()), (404, "noSuchRun"));
}

fn a_paused_run_may_be_cancelled(kind: DatabaseKind) {
    let mut server = kind.server();
    let run = server.api().run(&job_workflow(SOURCE, ""));
    server.api().await_waiting(&run, 1);
    post::<RunView>(&server, &format!("/api/v1/runs/{run}/pause"));
    assert_eq!(server.api().cancel(&run).state, RunState::Cancelled);
    assert_eq!(server.audit().open, 0);
}

fn a_paused_queue_hands_nothing_out_until_it_is_resumed(kind: DatabaseKind) {
    let mut server = kind.server();
    let mut busy = FakeWorker::join(&server.address, 1);
    let first = put(&server, &json!({}));
    let held = busy.job();
    let paused: QueueView = post(&server, "/api/v1/queue/pause");
    assert!(paused.paused_since.is_some());
    let second = put(&server, &json!({ "key": "second" }));
    busy.report(vec![(held.key, number(1.0))]);
    assert_eq!(server.api().await_job(&first).result, Some(1.into()), "what runs goes on");
    server.kill();
    server.restart();
    let mut worker = FakeWorker::join(&server.address, 1);
    worker.ping();
    assert_eq!(history(&server, &second).attempts, []);
    let resumed: QueueView = post(&server, "/api/v1/queue/resume");
    assert_eq!(resumed.paused_since, None);
    assert_eq!(worker.jobs().len(), 1);
}

on_each_database! {
    a_delayed_job_is_handed_out_when_its_moment_comes,
    the_pause_after_an_error_is_kept_and_survives_a_restart,
    a_job_that_nobody_takes_in_time_ends_and_says_so,
    a_wake_up_never_goes_only_to_a_worker_that_cannot_take_the_job,
    ten_thousand_jobs_that_match_nobody_slow_nobody,
    a_worker_with_too_little_memory_is_not_given_a_large_job,
    a_paused_run_is_held_over_a_restart_and_goes_on_when_it_is_resumed,
    a_paused_run_may_be_cancelled,
    a_paused_queue_hands_nothing_out_until_it_is_resumed,
}
