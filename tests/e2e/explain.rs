//! Why something waits, has failed or gets nothing: by the API and the command line, in real situations of one server.

use serde_json::{Value as Json, json};
use weevil_api::explain::{Explanation, ReasonView};
use weevil_api::routes::Operation;
use weevil_api::{JobPage, WaitingClasses, WaitingQueues};
use weevil_e2e::{FakeWorker, Guest, TestServer, job_workflow, number, shipped, thrown};
use weevil_model::{Capabilities, Needs};

const CODE: &str = "function weevil_main() { return 1 }";
/// Meets every job of this page, and wants none.
const EVERYTHING: Needs = Needs { capabilities: Capabilities(7), memory_mb: 0 };

/// A job of the queue `sums`, and what is not as usual.
fn put(server: &TestServer, fields: &Json) -> String {
    let mut job = json!({ "source": CODE, "queue": "sums" });
    job.as_object_mut().expect("an object").extend(fields.as_object().expect("fields").clone());
    server.api().put_job(&job).job
}

fn why(server: &TestServer, operation: Operation, ids: &[&str]) -> Vec<ReasonView> {
    let ids: Vec<&dyn std::fmt::Display> = ids.iter().map(|id| id as &dyn std::fmt::Display).collect();
    server.api().json::<Explanation>(&operation.path(&ids)).reasons
}

fn codes(reasons: &[ReasonView]) -> Vec<&str> {
    reasons.iter().map(|reason| reason.code.as_str()).collect()
}

/// Waits until a job's reasons have these codes: what workers do is shown a moment later.
fn await_codes(server: &TestServer, job: &str, expected: &[&str]) -> Vec<ReasonView> {
    let path = Operation::ExplainJob.path(&[&job]);
    server.api().await_json(&path, |told: &Explanation| codes(&told.reasons) == expected).reasons
}

fn explained(server: &TestServer, args: &[&str]) -> String {
    let output = server.command().args(["explain", "--server", &server.url("")]).args(args).output();
    let output = output.expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The only job of a run so far.
fn job_of(server: &TestServer, run: &str) -> String {
    server.api().await_waiting(run, 1);
    server.api().json::<JobPage>(&Operation::RunJobs.path(&[&run])).jobs[0].id.clone()
}

#[test]
fn what_waits_says_why_and_what_helps() {
    let server = TestServer::start(&[]);
    let alone = put(&server, &json!({ "key": "alone" }));
    let gpu = put(&server, &json!({ "key": "gpu", "capabilities": ["webcl"] }));
    put(&server, &json!({ "key": "later", "delayMs": 3_600_000 }));
    let run = server.api().run(&shipped("add"));
    let of_run = job_of(&server, &run);
    nobody_is_connected(&server, &alone, &run);

    let guest = Guest { agent: "resting", ..Guest::default() };
    let _resting = FakeWorker::join_as(&server.address, guest);
    let fleet = server.api().await_fleet(|fleet| fleet.workers.len() == 1);
    await_codes(&server, &alone, &["noneWants"]);
    let lacks = await_codes(&server, &gpu, &["noneMeets"]);
    assert!(lacks[0].text.ends_with("`webcl` is missing."), "{lacks:?}");
    gpus_that_nobody_lends_are_counted(&server, &gpu);
    let worker = why(&server, Operation::ExplainWorker, &[&fleet.workers[0].id]);
    assert!(codes(&worker).contains(&"ownPause"), "{worker:?}");
    what_waits_is_counted(&server);

    server.api().post(&Operation::PauseRun.path(&[&run]), "", &[], &[]);
    let paused = why(&server, Operation::ExplainRun, &[&run]);
    assert_eq!(codes(&paused)[..2], ["runPaused", "portsOpen"], "{paused:?}");
    assert_eq!(paused[0].cure, Some(format!("`weevil resume {run}` goes on.")));
    await_codes(&server, &of_run, &["runPaused", "noneWants"]);
    what_is_not_there_is_refused(&server, &run);
}

/// Each is a claim of one bit.
fn gpus_that_nobody_lends_are_counted(server: &TestServer, gpu: &str) {
    let keeper = Guest { agent: "keeper", keeps_gpu: Some(true), ..Guest::default() };
    let keepers: Vec<FakeWorker> = (0..3).map(|_| FakeWorker::join_as(&server.address, keeper)).collect();
    let all_are_there = |told: &Explanation| told.reasons[0].numbers.get("connected") == Some(&4.0);
    let told = server.api().await_json(&Operation::ExplainJob.path(&[&gpu]), all_are_there);
    let text =
        "None of the 4 connected workers can run it: `webcl` is missing; 3 could lend a GPU and do not.";
    assert_eq!(told.reasons[0].text, text);
    assert!(
        told.reasons[0].cure.as_ref().is_some_and(|cure| cure.contains("Lend the graphics card")),
        "{told:?}"
    );
    drop(keepers);
    server.api().await_fleet(|fleet| fleet.workers.len() == 1);
}

fn nobody_is_connected(server: &TestServer, alone: &str, run: &str) {
    await_codes(server, alone, &["noWorker"]);
    let told = explained(server, &[alone]);
    let story = format!(
        "why: No worker is connected.\n     Open the server's address in a browser and click Start.\n{alone} in the queue sums, key alone: \
         ENQUEUED\n"
    );
    assert!(told.starts_with(&story), "{told}");
    let both: Json = serde_json::from_str(&explained(server, &[alone, "--json"])).expect("JSON");
    assert_eq!((&both["reasons"][0]["code"], &both["job"]["id"]), (&json!("noWorker"), &json!(alone)));

    // Its final node waits for the one job that is there.
    for path in [Operation::ExplainRun.path(&[&run]), Operation::ExplainNode.path(&[&run, &"val4"])] {
        let waits = |told: &Explanation| codes(&told.reasons) == ["portsOpen", "noWorker"];
        let reasons = server.api().await_json(&path, waits).reasons;
        assert!(reasons[0].text.starts_with("It waits for 1 value: `b` from `"), "{reasons:?}");
        assert!(reasons[1].node.as_deref().is_some_and(|path| path.ends_with("val3")), "{reasons:?}");
    }
    assert_eq!(codes(&why(server, Operation::ExplainNode, &[run, "val3"])), ["noWorker"]);
    assert_eq!(codes(&why(server, Operation::ExplainNode, &[run, "val5"])), [""; 0]);
}

fn what_waits_is_counted(server: &TestServer) {
    let WaitingClasses { classes, .. } = server.api().json(&Operation::QueueClasses.path(&[]));
    let told: Vec<_> = classes
        .iter()
        .map(|class| {
            (class.needs.capabilities.join(" "), class.jobs, class.workers, class.why[0].code.as_str())
        })
        .collect();
    assert_eq!(
        told,
        [("javascript".to_owned(), 2, 1, "noneWants"), ("javascript webcl".to_owned(), 1, 0, "noneMeets")]
    );
    let WaitingQueues { queues, .. } = server.api().json(&Operation::QueueNames.path(&[]));
    let told: Vec<_> =
        queues.iter().map(|queue| (queue.queue.as_str(), queue.ready, queue.delayed)).collect();
    assert_eq!(told, [("sums", 2, 1)]);
}

fn what_is_not_there_is_refused(server: &TestServer, run: &str) {
    for (path, status) in [
        (Operation::ExplainJob.path(&[&"job_38fyq0j4r0000"]), 404),
        (Operation::ExplainJob.path(&[&"nonsense"]), 400),
        (Operation::ExplainRun.path(&[&"run_38fyq0j4r0000"]), 404),
        (Operation::ExplainNode.path(&[&run, &"nowhere"]), 404),
        (Operation::ExplainWorker.path(&[&"wrk_38fyq0j4r0000"]), 404),
    ] {
        assert_eq!(server.api().status_of("GET", &path), status, "{path}");
    }
}

#[test]
fn what_ran_says_how_it_goes_and_which_attempt_decided() {
    let server = TestServer::start(&[]);
    let ran = put(&server, &json!({ "key": "ran" }));
    let guest = Guest { capacity: 1, agent: "busy", has: Some(EVERYTHING), ..Guest::default() };
    let mut worker = FakeWorker::join_as(&server.address, guest);
    let held = worker.job();
    assert_eq!(await_codes(&server, &ran, &["running"])[0].numbers.get("copies"), Some(&1.0));
    let next = put(&server, &json!({ "key": "next", "attempts": 1 }));
    await_codes(&server, &next, &["allBusy"]);
    let fleet = server.api().await_fleet(|fleet| fleet.workers.first().is_some_and(|one| one.in_flight == 1));
    let path = Operation::ExplainWorker.path(&[&fleet.workers[0].id]);
    server.api().await_json(&path, |told: &Explanation| codes(&told.reasons).contains(&"holdsEnough"));
    worker.report(vec![(held.key, number(1.0))]);
    await_codes(&server, &ran, &[]);

    let held = worker.job();
    worker.report(vec![(held.key, thrown("boom"))]);
    let failed = await_codes(&server, &next, &["thrown", "decided"]);
    assert_eq!(failed[1].text, "Attempt 1 decided: 1 of 1 attempts failed.");
    assert!(
        explained(&server, &[&next]).starts_with("why: In attempt 1, its code threw an error.\n     Mend")
    );

    let again = put(&server, &json!({ "key": "again", "retryMs": 3_000_000 }));
    let held = worker.job();
    worker.report(vec![(held.key, thrown("boom"))]);
    let pause = await_codes(&server, &again, &["pauseAfterError"]);
    assert!(pause[0].numbers["leftMs"] > 1_000_000.0, "{pause:?}");

    let run = server.api().run(&job_workflow(CODE, "retries=\"0\""));
    let held = worker.job();
    worker.report(vec![(held.key, thrown("boom"))]);
    server.api().await_end(&run);
    for reasons in
        [why(&server, Operation::ExplainRun, &[&run]), why(&server, Operation::ExplainNode, &[&run, "only"])]
    {
        assert_eq!(codes(&reasons), ["thrown", "decided"], "{reasons:?}");
        assert_eq!(reasons[0].node.as_deref(), Some("only"));
    }
    let worker_id = fleet.workers[0].id.clone();
    drop(worker);
    server.api().await_fleet(|fleet| fleet.workers.is_empty());
    assert_eq!(codes(&why(&server, Operation::ExplainWorker, &[&worker_id])), ["notConnected"]);
}

/// What a script asks that has just started a run.
#[test]
fn a_value_node_is_waited_for_by_nobody_also_in_the_first_moment() {
    let server = TestServer::start(&[]);
    for _ in 0..5 {
        let run = server.api().run(&shipped("add"));
        let told = why(&server, Operation::ExplainNode, &[&run, "val3"]);
        assert!(!codes(&told).contains(&"portsOpen"), "{told:?}");
    }
}

#[test]
fn what_is_no_subject_is_told_with_the_cure() {
    let server = TestServer::start(&[]);
    let run = server
        .api()
        .run(&job_workflow("function weevil_main() { throw new Error('boom') }", "retries=\"0\""));
    let mut worker = FakeWorker::join(&server.address, 1);
    let held = worker.job();
    worker.report(vec![(held.key, thrown("boom"))]);
    server.api().await_end(&run);
    for (args, words) in [
        (&["nonsense"][..], "ids of jobs begin with `job_`, of runs with `run_`, of workers with `wrk_`"),
        (&[&run, "--node", "pool/3/each"], "`pool/3/each` is a path"),
        (&[&run], "why: In attempt 1, its code threw an error.\n     at only\n     Mend"),
    ] {
        let output = server.command().args(["explain", "--server", &server.url("")]).args(args).output();
        let output = output.expect("the binary runs");
        let told =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text")).concat();
        assert!(told.contains(words), "{args:?}: {told}");
    }
}
