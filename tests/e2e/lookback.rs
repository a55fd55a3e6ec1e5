//! Looking back at a run over HTTP: its jobs by state, node and trouble, what they have logged, who did what when; and runs by name.

use serde_json::Value;
use weevil_api::routes::Operation;
use weevil_api::{JobHistory, JobPage, JobView, LogPage, RunPage, TimelineView};
use weevil_e2e::{
    DatabaseKind, FakeWorker, Form, TestServer, answer_all, job_workflow, number, on_each_database,
    pool_workflow, thrown,
};
use weevil_protocol::frame::AttemptResult;

const EACH: &str = "function weevil_main(n) { return n }";
const ONE: &str = "function weevil_main() { return 1 }";
const SUM: &str = "function weevil_main(all) { return 6 }";

fn jobs(server: &TestServer, run: &str, search: &str) -> JobPage {
    server.api().json(&format!("{}?{search}", Operation::RunJobs.path(&[&run])))
}

/// Follows `next` to the end.
fn all_jobs(server: &TestServer, run: &str, search: &str) -> Vec<JobView> {
    let (mut found, mut after) = (Vec::new(), String::new());
    loop {
        let page = jobs(server, run, &format!("{search}{after}"));
        found.extend(page.jobs);
        let Some(next) = page.next else { return found };
        after = format!("&after={next}");
    }
}

fn log(server: &TestServer, run: &str, search: &str) -> LogPage {
    server.api().json(&format!("{}?{search}", Operation::RunLog.path(&[&run])))
}

fn timeline(server: &TestServer, run: &str, search: &str) -> TimelineView {
    server.api().json(&format!("{}?{search}", Operation::RunTimeline.path(&[&run])))
}

/// A pool of three whose second element fails once; each of them logs something.
pub(super) fn a_run_that_stumbles(server: &TestServer) -> String {
    let run =
        server.api().run_form(&Form::of(&pool_workflow("[1,2,3]", EACH, SUM)).text("name", "stumbles")).run;
    let mut worker = FakeWorker::join(&server.address, 3);
    let first = worker.jobs_until(3);
    let results = (0..).zip(&first).map(|(at, job)| {
        let outcome = if at == 1 { thrown("out of luck") } else { number(1.0) };
        let log = Some(format!("element {at}\n<b>bold</b>"));
        AttemptResult { key: job.key, outcome, slot: 0, compute_us: 1, flops: 1e6, log }
    });
    worker.submit(results.collect());
    drop(worker);
    let other = FakeWorker::join(&server.address, 3);
    std::thread::spawn(move || answer_all(other));
    server.api().await_end(&run);
    run
}

fn a_run_is_looked_back_at(kind: DatabaseKind) {
    let server = kind.server();
    let run = a_run_that_stumbles(&server);
    for (search, count) in [
        ("limit=2", 4),
        ("limit=1&state=FINISHED", 4),
        ("state=FAILED", 0),
        ("failed=true", 1),
        ("failed=true&state=FINISHED", 1),
        ("node=pool&limit=3", 4),
        ("node=pool&failed=true", 1),
        ("node=input", 0),
        ("q=OUT%20of", 1),
        ("q=pool/1/&limit=1", 1),
        ("q=sum&node=pool", 1),
        ("q=wrk_", 4),
        ("q=wrk_0000000000000", 0),
        ("q=%20", 4),
    ] {
        assert_eq!(all_jobs(&server, &run, search).len(), count, "{search}");
    }
    let stumbled = &jobs(&server, &run, "failed=true").jobs[0];
    assert_eq!((stumbled.failures, stumbled.error.as_deref()), (1, Some("out of luck")));
    assert!(stumbled.worker.as_deref().is_some_and(|worker| worker.starts_with("wrk_")));
    let paths: Vec<String> =
        all_jobs(&server, &run, "node=pool&limit=1").into_iter().map(|job| job.path).collect();
    assert_eq!(paths, ["input/pool/0/each", "input/pool/1/each", "input/pool/2/each", "input/pool/sum"]);
    the_log(&server, &run);
    the_timeline(&server, &run, stumbled);
    marks_are_good_for_their_own_list(&server, &run);
}

fn the_log(server: &TestServer, run: &str) {
    let (mut found, mut after) = (Vec::new(), String::new());
    let end = loop {
        let page = log(server, run, &format!("limit=2{after}"));
        found.extend(page.logs);
        after = format!("&after={}", page.end.as_deref().expect("something was logged"));
        if page.next.is_none() {
            break after;
        }
    };
    let mut lines: Vec<&str> = found.iter().map(|log| log.log.as_str()).collect();
    lines.sort_unstable();
    assert_eq!(lines, ["element 0\n<b>bold</b>", "element 1\n<b>bold</b>", "element 2\n<b>bold</b>"]);
    assert!(found.is_sorted_by_key(|log| log.ended_at));
    assert_eq!(found.iter().filter(|log| log.end.as_deref() == Some("error")).count(), 1);
    assert_eq!(log(server, run, &end[1..]).logs, [], "nothing came later");
}

fn the_timeline(server: &TestServer, run: &str, stumbled: &JobView) {
    let whole = timeline(server, run, "");
    let attempts = whole.attempts.expect("few");
    assert_eq!(attempts.len(), 5, "four jobs, one of them twice");
    let of_it: Vec<_> = attempts.iter().filter(|attempt| attempt.job == stumbled.id).collect();
    assert_eq!(of_it.len(), 2);
    assert!(of_it.iter().any(|attempt| attempt.end.as_deref() == Some("error") && attempt.slot == Some(0)));
    assert!(
        attempts.iter().all(|attempt| attempt.to.is_some_and(|to| whole.from <= to && attempt.from <= to))
    );
    assert!(!whole.lanes.is_empty() && whole.share_ms > 0);
    let first = timeline(server, run, "lanes=1");
    let next = first.next.expect("both workers gave values");
    let second = timeline(server, run, &format!("lanes=1&after={next}"));
    assert_eq!(second.lanes, whole.lanes[1..2]);
    let long_ago = timeline(server, run, "from=1&to=2");
    assert_eq!((long_ago.attempts.map(|attempts| attempts.len()), long_ago.from), (Some(0), 1));
}

fn marks_are_good_for_their_own_list(server: &TestServer, run: &str) {
    let mark = |search: &str| jobs(server, run, search).next.expect("more");
    let [all, node] = ["limit=1", "limit=1&node=pool"].map(mark);
    let runs = |search: &str| format!("{}?{search}", Operation::ListRuns.path(&[]));
    let of = |operation: Operation, search: &str| format!("{}?{search}", operation.path(&[&run]));
    for path in [
        of(Operation::RunJobs, &format!("failed=true&after={all}")),
        of(Operation::RunJobs, &format!("node=pool&after={all}")),
        of(Operation::RunJobs, &format!("after={node}")),
        of(Operation::RunJobs, "state=ASLEEP"),
        of(Operation::RunJobs, "failed=perhaps"),
        of(Operation::RunLog, &format!("after={all}")),
        of(Operation::RunTimeline, "from=2&to=1"),
        of(Operation::RunTimeline, "lanes=257"),
        of(Operation::RunTimeline, "after=wrk_0.7"),
        runs(&format!("q=stum&after={run}")),
        runs(&format!("q={}", "q".repeat(101))),
    ] {
        let (status, problem) = server.api().answer(&path).refusal();
        assert_eq!((status, problem.code.as_str()), (400, "badQuery"), "{path}");
    }
    let (status, problem) = server.api().answer(&of(Operation::RunJobs, "node=nobody")).refusal();
    assert_eq!((status, problem.code.as_str()), (404, "noSuchNode"));
}

fn runs_are_found_by_name_and_id(kind: DatabaseKind) {
    let server = kind.server();
    let start = |name: &str| server.api().run_form(&Form::of(&job_workflow(ONE, "")).text("name", name)).run;
    let [first, second, other] = ["pi", "pie", "run_7z is no id"].map(start);
    let alike = first.bytes().zip(other.bytes()).take_while(|(one, another)| one == another).count();
    let (alike, cut) = (&first[..alike], &first[..16]);
    let with_cut: Vec<&String> =
        [&other, &second, &first].into_iter().filter(|run| run.starts_with(cut)).collect();
    for (search, expected) in [
        ("q=pi", vec![&first, &second]),
        ("q=pi&limit=1", vec![&first, &second]),
        ("q=pi&state=FAILED", vec![]),
        ("q=", vec![&other, &second, &first]),
        (&*format!("q={first}"), vec![&first]),
        (&*format!("q={first}&state=FAILED"), vec![]),
        (&*format!("q={alike}"), vec![&other, &second, &first]),
        (&*format!("q={alike}&limit=1"), vec![&other, &second, &first]),
        (&*format!("q={cut}"), with_cut),
        ("q=run_7z", vec![&other]),
        ("q=run_7z&limit=1", vec![&other]),
        ("q=run_", vec![&other]),
        ("q=run_7y", vec![]),
        ("q=%25", vec![]),
    ] {
        let (mut found, mut after) = (Vec::new(), String::new());
        loop {
            let path = format!("{}?{search}{after}", Operation::ListRuns.path(&[]));
            let page: RunPage = server.api().json(&path);
            found.extend(page.runs.into_iter().map(|run| run.id));
            let Some(next) = page.next else { break };
            after = format!("&after={next}");
        }
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{search}");
    }
}

/// A job with the seed of another draws the same numbers.
fn a_job_tells_what_it_takes_to_compute_it_again(kind: DatabaseKind) {
    let server = kind.server();
    let run = server.api().run(&job_workflow(ONE, ""));
    server.api().await_waiting(&run, 1);
    let history: JobHistory = server.api().first_job(&run);
    assert!(history.workflow.is_some() && history.stopped_code.is_none() && history.waited_ms >= 0);
    assert_eq!((history.seed.len(), history.code.len()), (16, 64));
    let body = serde_json::json!({"code": history.code, "seed": history.seed});
    let answer: Value =
        server.api().post("/api/v1/jobs", "application/json", &[], body.to_string().as_bytes()).json();
    let job = answer["job"].as_str().expect("an id");
    let again: JobHistory = server.api().json(&Operation::ShowJob.path(&[&job]));
    assert_eq!((again.seed, again.code, again.workflow), (history.seed, history.code, None));
}

on_each_database! {
    a_run_is_looked_back_at,
    runs_are_found_by_name_and_id,
    a_job_tells_what_it_takes_to_compute_it_again,
}
