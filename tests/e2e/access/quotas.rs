//! Quotas of a project: held to the last job, run and byte, however many ask at once and also by a server that dies in between, and
//! what is given back when work ends, is forgotten or taken away.

use std::slice;
use std::time::Instant;

use serde_json::{Value, json};
use weevil_api::routes::Operation;
use weevil_api::{JobKept, RunCreated, UsageView, WorkflowKept};
use weevil_e2e::hostile::{Line, Reply};
use weevil_e2e::{
    DatabaseKind, FakeWorker, Files, Form, PATIENCE, ShiftedClock, TestServer, files, job_workflow, number,
};
use weevil_protocol::frame::Verdict;

/// More than there is room for.
const ASKERS: usize = 8;
const ROOM: u64 = 3;
const CODE: &str = "function weevil_main() { return 1 }";

/// The first project has these from now on, and no bound of the others.
fn limit(server: &TestServer, quotas: &Value) {
    let mut all = json!({ "openJobs": 0, "openRuns": 0, "storedBytes": 0, "jobsAMinute": 0 });
    for (name, most) in quotas.as_object().expect("an object") {
        all[name] = most.clone();
    }
    let (path, json) = (Operation::SetQuotas.path(&[&"default"]), [("Content-Type", "application/json")]);
    let set = server.owner().ask("PUT", &path, &json, all.to_string().as_bytes());
    assert_eq!(set.status, 200, "{}", set.text());
}

fn usage(server: &TestServer) -> UsageView {
    server.api().json(&Operation::ShowUsage.path(&[&"default"]))
}

fn healthy(server: &TestServer) {
    let (healthy, told) = server.check_database();
    assert!(healthy, "{told}");
}

fn put(server: &TestServer, jobs: &[Value]) -> Reply {
    let path = Operation::SubmitJobs.path(&[]);
    server.owner().post(&path, "application/json", json!(jobs).to_string().as_bytes())
}

fn jobs(count: usize) -> Vec<Value> {
    vec![json!({ "source": CODE }); count]
}

/// Whether it was taken. Otherwise the quota of the project must have been the reason.
fn taken(reply: &Reply) -> bool {
    let taken = [200, 201].contains(&reply.status);
    assert!(taken || (reply.status, &*reply.code()) == (409, "quotaReached"), "{}", reply.text());
    taken
}

fn put_in(server: &TestServer, count: usize) -> bool {
    taken(&put(server, &jobs(count)))
}

/// So many send the same at once. Nobody has heard anything yet.
fn at_once(server: &TestServer, path: &str, content_type: &str, body: &[u8]) -> Vec<Line> {
    let owner = server.owner();
    let mut lines: Vec<Line> = (0..ASKERS).map(|_| owner.connect()).collect();
    let length = body.len().to_string();
    let head = owner.head("POST", path, &[("Content-Type", content_type), ("Content-Length", &length)]);
    for line in &mut lines {
        assert!(line.send(&[&head, body].concat()));
    }
    lines
}

/// So many put in one job each.
fn crowd(server: &TestServer) -> Vec<Line> {
    let body = json!(jobs(1)).to_string();
    at_once(server, &Operation::SubmitJobs.path(&[]), "application/json", body.as_bytes())
}

/// How many of them hear that it was taken; those to whom a dead server says nothing do not.
fn heard(lines: &mut [Line]) -> u64 {
    lines.iter_mut().filter_map(Line::reply).map(|reply| u64::from(taken(&reply))).sum()
}

/// Asks for what is at this path until it is not there any more.
pub(super) fn await_gone(server: &TestServer, path: &str) {
    let deadline = Instant::now() + PATIENCE;
    while server.api().status_of("GET", path) != 404 {
        assert!(Instant::now() < deadline, "{path} is still there");
    }
}

fn a_quota_of_jobs_holds_to_the_last_one(kind: DatabaseKind) {
    let mut server = kind.server();
    limit(&server, &json!({ "openJobs": ROOM }));
    assert!(!put_in(&server, 4), "all or nothing");
    assert_eq!(heard(&mut crowd(&server)), ROOM);
    let refused = put(&server, &jobs(2));
    assert!(!taken(&refused));
    let told = "the project may have 3 open jobs, has 3, and 2 more are asked for";
    assert!(refused.text().contains(told) && refused.text().contains("administrator"), "{}", refused.text());
    for _ in 0..2 {
        server.kill();
        server.restart();
        assert_eq!(usage(&server).open_jobs, ROOM);
        assert!(!put_in(&server, 1), "it is counted where it is durable");
        // One ends, so that there is room for one.
        let mut worker = FakeWorker::join(&server.address, 1);
        let held = worker.job();
        worker.capacity = 0;
        assert_eq!(worker.report(vec![(held.key, number(1.0))]), [Verdict::Accepted]);
        assert!(!put_in(&server, 2));
        assert!(put_in(&server, 1));
        assert!(!put_in(&server, 1));
    }
    limit(&server, &json!({}));
    assert!(put_in(&server, 100), "nothing is bounded");
    assert_eq!(usage(&server).open_jobs, ROOM + 100);
    healthy(&server);
}

fn a_server_that_dies_while_many_ask_lets_in_as_many_as_fit(kind: DatabaseKind) {
    let mut server = kind.server();
    for answered in [0, 1, ASKERS / 2] {
        let open = usage(&server).open_jobs;
        limit(&server, &json!({ "openJobs": open + ROOM }));
        let mut lines = crowd(&server);
        let (first, others) = lines.split_at_mut(answered);
        let before = heard(first);
        server.kill();
        let told = before + heard(others);
        server.restart();
        let kept = usage(&server).open_jobs - open;
        assert!(told <= kept && kept <= ROOM, "{told} heard of {kept} after {answered} answers");
        assert_eq!(heard(&mut crowd(&server)), ROOM - kept, "after {answered} answers");
        assert_eq!(usage(&server).open_jobs, open + ROOM);
        healthy(&server);
    }
}

fn a_quota_of_runs_holds_to_the_last_one(kind: DatabaseKind) {
    let mut server = kind.server();
    limit(&server, &json!({ "openRuns": ROOM }));
    let form = Form::of(&job_workflow(CODE, "")).bytes();
    let path = Operation::CreateRun.path(&[]);
    let mut lines = at_once(&server, &path, &Form::content_type(), &form);
    let told = lines.iter_mut().map(|line| line.reply().expect("an answer"));
    let told: Vec<Reply> = told.filter(taken).collect();
    assert_eq!(told.len() as u64, ROOM);
    server.kill();
    server.restart();
    let run = || taken(&server.owner().post(&path, &Form::content_type(), &form));
    assert!(!run(), "it is counted where it is durable");
    let RunCreated { run: first, .. } = serde_json::from_slice(&told[0].body).expect("a run");
    server.api().cancel(&first);
    server.api().await_end(&first);
    assert!(run() && !run());
    assert_eq!(usage(&server).open_runs, ROOM);
    healthy(&server);
}

fn jobs_come_no_faster_than_a_project_may_put_them_in(kind: DatabaseKind) {
    let clock = ShiftedClock::at_now();
    clock.stand("2030-01-01 12:00:00");
    let server = kind.start(&clock.server(), &[]);
    limit(&server, &json!({ "jobsAMinute": 10 }));
    for (moment, count, status, retry_after) in [
        ("12:00:00", 11, 429, Some("6")),
        ("12:00:00", 10, 200, None),
        ("12:00:00", 1, 429, Some("6")),
        ("12:00:00", 10, 429, Some("60")),
        ("12:00:30", 6, 429, Some("6")),
        ("12:00:30", 5, 200, None),
        ("12:01:30", 10, 200, None),
    ] {
        clock.stand(&format!("2030-01-01 {moment}"));
        let told = put(&server, &jobs(count));
        assert_eq!(
            (told.status, told.header("retry-after")),
            (status, retry_after),
            "{count} at {moment}: {}",
            told.text()
        );
        if status == 429 {
            let text = told.text();
            assert!(told.code() == "slowDown" && text.contains("10 jobs in a minute"), "{text}");
        }
    }
    assert_eq!(usage(&server).open_jobs, 25);
    healthy(&server);
}

fn bytes(files: &[(String, Vec<u8>)]) -> u64 {
    files.iter().map(|(_, bytes)| bytes.len() as u64).sum()
}

/// About ten thousand bytes, more than half of which another has too.
fn large(mark: char) -> Files {
    let document = r#"<workflow><nodes><job id="only" src="Code" returntype="Number"/></nodes>
        <edges/><finalnode id="only"/></workflow>"#;
    let (shared, own) = ("x".repeat(6_000), String::from(mark).repeat(4_000));
    files(&[("workflow.xml", document), ("Code.js", CODE), ("shared.txt", &shared), ("own.txt", &own)])
}

fn a_quota_of_bytes_counts_what_is_new_until_it_is_taken_away(kind: DatabaseKind) {
    let server = kind.server();
    let keep = |mark| {
        let path = Operation::KeepWorkflow.path(&[]);
        let told = server.owner().post(&path, &Form::content_type(), &Form::of(&large(mark)).bytes());
        taken(&told).then(|| serde_json::from_slice::<WorkflowKept>(&told.body).expect("a workflow").workflow)
    };
    let remove =
        |workflow: &str| server.api().status_of("DELETE", &Operation::RemoveWorkflow.path(&[&workflow]));
    let (whole, own) = (bytes(&large('a')), 4_000);
    limit(&server, &json!({ "storedBytes": whole - 1 }));
    assert!(keep('a').is_none());
    assert_eq!(usage(&server).stored_bytes, 0);
    limit(&server, &json!({ "storedBytes": whole + own }));
    let first = keep('a').expect("it fits");
    assert_eq!(usage(&server).stored_bytes, whole);
    assert_eq!(keep('a').as_ref(), Some(&first), "nothing of it is new");
    let second = keep('b').expect("what both have is kept once");
    assert_eq!(usage(&server).stored_bytes, whole + own);
    assert!(keep('c').is_none());
    assert_eq!(remove(&first), 204);
    assert_eq!(usage(&server).stored_bytes, whole, "the other goes on to need most of it");
    let third = keep('c').expect("there is room again");
    for (workflow, left) in [(second, whole), (third, 0)] {
        assert_eq!(remove(&workflow), 204);
        assert_eq!(usage(&server).stored_bytes, left);
    }
    healthy(&server);
}

fn bytes_of_what_is_forgotten_are_given_back(kind: DatabaseKind) {
    let server = kind.server_with(&["--retention-seconds", "1"]);
    let job = |input: &str| json!({ "source": CODE, "input": [input.repeat(5_000)] });
    limit(&server, &json!({ "storedBytes": 8_000 }));
    assert!(!taken(&put(&server, &[job("a"), job("b")])), "all or nothing");
    assert_eq!(usage(&server).stored_bytes, 0);
    let first = put(&server, slice::from_ref(&job("a")));
    assert!(taken(&first) && !taken(&put(&server, &[job("b")])));
    let first: Vec<JobKept> = serde_json::from_slice(&first.body).expect("a job");
    let mut worker = FakeWorker::join(&server.address, 1);
    let held = worker.job();
    worker.capacity = 0;
    assert_eq!(worker.report(vec![(held.key, number(1.0))]), [Verdict::Accepted]);
    await_gone(&server, &Operation::ShowJob.path(&[&first[0].job]));
    assert_eq!(usage(&server).stored_bytes, CODE.len() as u64, "code stays");
    assert!(taken(&put(&server, &[job("b")])), "there is room again");
    healthy(&server);
}

weevil_e2e::on_each_database!(
    a_quota_of_jobs_holds_to_the_last_one,
    a_server_that_dies_while_many_ask_lets_in_as_many_as_fit,
    a_quota_of_runs_holds_to_the_last_one,
    jobs_come_no_faster_than_a_project_may_put_them_in,
    a_quota_of_bytes_counts_what_is_new_until_it_is_taken_away,
    bytes_of_what_is_forgotten_are_given_back,
);
