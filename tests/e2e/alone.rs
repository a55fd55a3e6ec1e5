//! Stand-alone jobs over HTTP: put in once, computed, read, paged, ended; on each kind of database.

use std::collections::BTreeSet;
use std::thread;

use serde_json::{Value as Json, json};
use weevil_api::routes::Operation;
use weevil_api::{JobHistory, JobKept, JobPage, JobResult, KernelFiles, WorkflowKept};
use weevil_e2e::{
    Browser, DatabaseKind, FakeWorker, Form, TestServer, number, on_each_database, shipped, thrown,
};
use weevil_model::{ContentHash, NodeState};
use weevil_protocol::frame::{ClientFrame, CodeRef, ServerFrame, Verdict};

const SOURCE: &str = "function weevil_main(a, b) { return a + b }";

fn job(fields: &[(&str, Json)]) -> Json {
    let mut job = json!({ "source": SOURCE, "input": [1, 2] });
    for (name, value) in fields {
        job[*name] = value.clone();
    }
    job
}

fn keyed(queue: &str, key: &str) -> Json {
    job(&[("queue", queue.into()), ("key", key.into())])
}

fn a_job_is_computed_and_its_value_read(kind: DatabaseKind) {
    let server = kind.server();
    let kept = server.api().put_job(&job(&[("returns", "Number".into())]));
    assert_eq!((kept.queue.as_str(), &kept.key, kept.created), ("default", &kept.job, true));
    let result: JobResult = server.api().json(&format!("/api/v1/jobs/{}/result", kept.job));
    assert_eq!((result.state, result.result), (NodeState::Enqueued, None));
    let mut worker = FakeWorker::join(&server.address, 1);
    let held = worker.job();
    worker.capacity = 0;
    assert_eq!(worker.report(vec![(held.key, number(3.0))]), [Verdict::Accepted]);
    let result = server.api().await_job(&kept.job);
    assert_eq!((result.state, result.result, result.errors), (NodeState::Finished, Some(3.into()), vec![]));
    let history: JobHistory = server.api().json(&format!("/api/v1/jobs/{}", kept.job));
    assert_eq!((history.run, history.queue.as_deref(), history.attempts.len()), (None, Some("default"), 1));
}

/// Whoever waits hears of the end at once, not when the time is over.
fn a_result_that_is_waited_for_comes_when_it_is_there(kind: DatabaseKind) {
    let server = kind.server();
    let kept = server.api().put_job(&job(&[]));
    let mut worker = FakeWorker::join(&server.address, 1);
    let held = worker.job();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| server.api().await_job(&kept.job));
        worker.report(vec![(held.key, number(3.0))]);
        assert_eq!(waiting.join().expect("nobody panics").result, Some(3.into()));
    });
}

fn what_is_answered_is_kept_and_a_key_is_taken_once(kind: DatabaseKind) {
    let mut server = kind.server();
    let jobs = ["a", "b", "a"].map(|key| keyed("q", key));
    let first = server.api().put_jobs(&jobs);
    let created: Vec<_> = first.iter().map(|kept| (kept.created, kept.conflict)).collect();
    assert_eq!(created, [(true, false), (true, false), (false, false)]);
    assert_eq!(first[0].job, first[2].job);
    server.kill();
    server.restart();
    let again = server.api().put_jobs(&jobs);
    assert!(again.iter().all(|kept| !kept.created && !kept.conflict), "{again:?}");
    assert_eq!(
        again.iter().map(|kept| &kept.job).collect::<Vec<_>>(),
        [&first[0].job, &first[1].job, &first[0].job]
    );
    let other = job(&[("queue", "q".into()), ("key", "b".into()), ("input", json!([5]))]);
    let conflict = server.api().put_jobs(&[other.clone(), keyed("p", "b")]);
    let told: Vec<_> = conflict.iter().map(|kept| (kept.created, kept.conflict)).collect();
    assert_eq!(told, [(false, true), (true, false)], "the same key in another queue is another job");
    let (status, refusal) = server.api().post_json("/api/v1/jobs", &other).refusal();
    assert_eq!((status, refusal.code.as_str()), (409, "keyTaken"));
    assert!(refusal.detail.contains(&first[1].job), "{}", refusal.detail);
    let same = server.api().post_json("/api/v1/jobs", &keyed("q", "b"));
    assert_eq!((same.status, same.json::<JobKept>().created), (200, false));
    assert_eq!(server.audit().jobs, 3);
}

fn queues_are_literal_and_paged(kind: DatabaseKind) {
    let server = kind.server();
    let names = ["a_b", "axb", "a%", "A", "a", "'", "ä/ö?&"];
    let jobs: Vec<Json> =
        names.iter().flat_map(|name| (0..3).map(|n| keyed(name, &format!("{n}")))).collect();
    server.api().put_jobs(&jobs);
    for name in names {
        let escaped = percent_encoded(name);
        let mut keys = Vec::new();
        let mut after = String::new();
        loop {
            let page: JobPage = server.api().json(&format!("/api/v1/jobs?queue={escaped}&limit=2{after}"));
            keys.extend(page.jobs.into_iter().map(|job| job.path));
            let Some(next) = page.next else { break };
            after = format!("&after={next}");
        }
        assert_eq!(keys, ["0", "1", "2"], "{name}");
    }
}

fn percent_encoded(text: &str) -> String {
    let bytes: Vec<String> = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    bytes.concat()
}

fn stored_code_is_named_by_its_hash(kind: DatabaseKind) {
    let server = kind.server();
    server.api().put_job(&job(&[]));
    let hash = weevil_model::ContentHash::of(SOURCE.as_bytes()).to_string();
    let stored = json!({ "code": hash, "name": "Add.js", "input": [4, 5] });
    server.api().put_job(&stored);
    let mut worker = FakeWorker::join(&server.address, 2);
    assert_eq!(worker.jobs_until(2).len(), 2);
}

fn a_mistake_is_told_in_words_and_nothing_is_kept(kind: DatabaseKind) {
    let server = kind.server();
    let api = server.api();
    let unknown = weevil_model::ContentHash::of(b"nothing").to_string();
    let broken = json!({ "source": "function weevil_main( { }", "name": "Add.js" });
    for (body, status, code, words) in [
        (json!([job(&[]), job(&[("attempts", 0.into())])]), 422, "badJob", "job 2: `attempts` is 0"),
        (json!({ "source": SOURCE, "code": unknown }), 422, "badJob", "not both"),
        (json!({ "code": unknown }), 404, "noSuchBlob", &unknown),
        (json!(7), 422, "badJob", "the job cannot be put in"),
        (json!([job(&[]), broken]), 422, "badCode", "the code of job 2 has 1 error"),
        (broken, 422, "badCode", "the code of the job has 1 error"),
        (Json::Array(vec![job(&[]); 1001]), 413, "tooManyJobs", "1000"),
    ] {
        let (found, refusal) = api.post_json("/api/v1/jobs", &body).refusal();
        assert_eq!((found, refusal.code.as_str()), (status, code), "{}", refusal.detail);
        assert!(refusal.detail.contains(words), "{}", refusal.detail);
        for found in refusal.diagnostics {
            assert_eq!((found.file.as_str(), found.line), ("Add.js", 1), "{found:?}");
        }
    }
    let text = api.post("/api/v1/jobs", "text/plain", &[], b"{}").refusal();
    assert_eq!((text.0, text.1.code.as_str()), (415, "badMediaType"));
    let missing = "/api/v1/jobs/job_0000000000001";
    for (path, status, code) in [
        (missing.to_owned(), 404, "noSuchJob"),
        (format!("{missing}/result"), 404, "noSuchJob"),
        (format!("{missing}/result?wait=1"), 400, "badQuery"),
        ("/api/v1/jobs".into(), 400, "badQuery"),
        ("/api/v1/jobs/7".into(), 400, "badId"),
    ] {
        let response = api.get(&path);
        assert_eq!(response.status(), status, "{path} {code}");
    }
    let page: JobPage = api.json("/api/v1/jobs?queue=default");
    assert_eq!(page.jobs, []);
}

fn a_poison_job_ends_after_its_attempts_with_every_error(kind: DatabaseKind) {
    let server = kind.server();
    let kept = server.api().put_job(&job(&[("attempts", 4.into()), ("retryMs", 1.into())]));
    for message in ["a", "b", "c", "d"] {
        let mut worker = FakeWorker::join(&server.address, 1);
        let held = worker.job();
        worker.capacity = 0;
        assert_eq!(worker.report(vec![(held.key, thrown(message))]), [Verdict::Accepted]);
    }
    let result = server.api().await_job(&kept.job);
    let errors: Vec<_> = result.errors.iter().map(|error| (error.attempt, error.message.as_str())).collect();
    assert_eq!((result.state, errors), (NodeState::Failed, vec![(1, "a"), (2, "b"), (3, "c"), (4, "d")]));
}

/// It goes on speaking, but never of what it holds.
fn silence_counts_and_is_told(kind: DatabaseKind) {
    let server = kind.server_with(&["--lease-seconds", "2", "--heartbeat-seconds", "1"]);
    let kept = server.api().put_job(&job(&[("attempts", 1.into())]));
    let mut worker = FakeWorker::join(&server.address, 1);
    worker.job();
    let silent =
        ClientFrame::Heartbeat { holding: vec![], slots: 1, capacity: 0, progress: vec![], duty: None };
    let result = loop {
        worker.send(&silent);
        let result: JobResult = server.api().json(&format!("/api/v1/jobs/{}/result?waitMs=500", kept.job));
        if result.state.is_terminal() {
            break result;
        }
    };
    let kinds: Vec<_> = result.errors.iter().map(|error| error.kind.as_str()).collect();
    assert_eq!((result.state, kinds), (NodeState::Failed, vec!["expired"]));
}

fn a_job_is_ended_wherever_it_is_and_its_worker_told(kind: DatabaseKind) {
    let mut server = kind.server();
    let api = server.api();
    let cancel = |job: &str| api.post(&format!("/api/v1/jobs/{job}/cancel"), "", &[], &[]);
    let [running, waiting] = [0, 1].map(|_| api.put_job(&job(&[])).job);
    let mut worker = FakeWorker::join(&server.address, 1);
    let held = worker.job();
    worker.capacity = 0;
    worker.send(&ClientFrame::Heartbeat {
        holding: vec![held.key],
        slots: 1,
        capacity: 0,
        progress: vec![],
        duty: None,
    });
    for id in [&waiting, &running, &running] {
        let ended: JobResult = cancel(id).json();
        assert_eq!((ended.job.as_str(), ended.state), (id.as_str(), NodeState::Cancelled));
    }
    assert_eq!(worker.revoked(), [held.key]);
    assert_eq!(worker.report(vec![(held.key, number(3.0))]), [Verdict::Superseded]);
    let run = api.run(&weevil_e2e::job_workflow("function weevil_main() { return 1 }", ""));
    let (status, refusal) = cancel(&api.await_jobs(&run, 1)[0].id).refusal();
    assert_eq!((status, refusal.code.as_str()), (409, "jobOfRun"));
    assert!(refusal.detail.contains(&run), "{}", refusal.detail);
    assert_eq!(server.audit().attempts, 1);
}

fn cancel_racing_complete_has_one_winner(kind: DatabaseKind) {
    let mut server = kind.server();
    let mut ends = BTreeSet::new();
    for round in 0..20 {
        let id = server.api().put_job(&job(&[])).job;
        let mut worker = FakeWorker::join(&server.address, 1);
        let held = worker.job();
        worker.capacity = 0;
        let (ended, verdict) = thread::scope(|scope| {
            let cancel = scope.spawn(|| -> JobResult {
                server.api().post(&format!("/api/v1/jobs/{id}/cancel"), "", &[], &[]).json()
            });
            let result = weevil_protocol::frame::AttemptResult {
                key: held.key,
                outcome: number(1.0),
                slot: 0,
                compute_us: 1,
                flops: 0.0,
                log: None,
            };
            worker.send(&ClientFrame::Results { results: vec![result], capacity: 0 });
            (cancel.join().expect("nobody panics"), verdict(&mut worker))
        });
        let later = server.api().await_job(&id);
        assert_eq!(ended, later, "{round}");
        let winner = if verdict == Verdict::Accepted { NodeState::Finished } else { NodeState::Cancelled };
        assert_eq!((later.state, later.result.is_some()), (winner, winner == NodeState::Finished), "{round}");
        ends.insert(winner.to_string());
    }
    assert_eq!(server.audit().open, 0);
}

fn verdict(worker: &mut FakeWorker) -> Verdict {
    loop {
        if let ServerFrame::Verdicts(verdicts) = worker.frame().expect("the connection stays") {
            return verdicts[0].1;
        }
    }
}

/// A volunteer's tab knows nothing of the difference: code, isolation, seed, result.
#[test]
fn a_browser_computes_it() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let random = "function weevil_main(n) { let sum = 0; for (let i = 0; i < n; i++) sum += Math.random(); return sum }";
    let jobs =
        ["a", "b"].map(|queue| json!({ "source": random, "input": [100], "queue": queue, "key": "k" }));
    let kept = server.api().put_jobs(&jobs);
    let _page = browser.open(&server.url("/?autostart&slots=1"));
    let [first, second] =
        [0, 1].map(|at| server.api().await_job(&kept[at].job).result.and_then(|sum| sum.as_f64()));
    assert!(first.is_some_and(|sum| sum > 20.0 && sum < 80.0), "{first:?}");
    assert_eq!(first, second, "the same code under the same key draws the same numbers");
}

/// The code of the next job and its seed.
fn next_job(worker: &mut FakeWorker) -> (CodeRef, u64) {
    loop {
        if let ServerFrame::Assign { mut codes, jobs } = worker.frame().expect("the connection stays") {
            return (codes.remove(jobs[0].code as usize), jobs[0].seed);
        }
    }
}

/// Nobody's job worker is shared by a job with the kernels of a workflow, and its seed is what was asked for.
fn a_job_has_the_seed_and_the_kernels_that_it_names(kind: DatabaseKind) {
    let server = kind.server();
    let kept: WorkflowKept =
        server.api().submit(&Operation::KeepWorkflow.path(&[]), &Form::of(&shipped("saxpy"))).created();
    let kernels = |of: &str| server.api().json::<KernelFiles>(&Operation::ShowKernels.path(&[&of])).kernels;
    let all = kernels(&kept.workflow);
    let stored = json!({ "code": all[0].hash, "name": all[0].name, "workflow": kept.workflow });
    let kernel = server.api().put_job(&stored).job;
    let history: JobHistory = server.api().json(&Operation::ShowJob.path(&[&kernel]));
    assert_eq!(history.job.needs.capabilities, ["webcl"]);
    let named = [("workflow", kept.workflow.as_str().into()), ("seed", "00000000000000ff".into())];
    server.api().put_job(&job(&named));
    let (code, seed) = next_job(&mut FakeWorker::join(&server.address, 1));
    assert_eq!(seed, 255);
    let set = ContentHash::from_bytes(code.workflow).to_string();
    assert!(set != kept.workflow && code.workflow != code.code);
    assert_eq!(kernels(&set), all);
    let nobody = "0".repeat(64);
    for (fields, code) in [
        (vec![("workflow", nobody.as_str().into())], "noSuchWorkflow"),
        (vec![("workflow", kept.workflow.as_str().into()), ("name", "saxpy.wgsl".into())], "badJob"),
    ] {
        let answer = server.api().post_json(&Operation::SubmitJobs.path(&[]), &job(&fields));
        assert_eq!(answer.refusal().1.code, code);
    }
}

on_each_database! {
    a_job_is_computed_and_its_value_read,
    a_result_that_is_waited_for_comes_when_it_is_there,
    what_is_answered_is_kept_and_a_key_is_taken_once,
    queues_are_literal_and_paged,
    stored_code_is_named_by_its_hash,
    a_mistake_is_told_in_words_and_nothing_is_kept,
    a_poison_job_ends_after_its_attempts_with_every_error,
    silence_counts_and_is_told,
    a_job_is_ended_wherever_it_is_and_its_worker_told,
    cancel_racing_complete_has_one_winner,
    a_job_has_the_seed_and_the_kernels_that_it_names,
}
