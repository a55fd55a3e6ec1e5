//! The plain HTTP protocol with XML bodies, as a worker without a WebSocket sees it.

use weevil_e2e::{
    FakeWorker, PlainWorker, TestServer, files, job_workflow, number, plain_value, pool_workflow, thrown,
};
use weevil_model::Capabilities;
use weevil_model::RunState;
use weevil_protocol::frame::{AttemptKey, JobError, JobErrorKind, Verdict};
use weevil_protocol::plain::{Dequeue, Finding, Heartbeat, Join, Leave, Renewal, Submit, Values};

const CODE: &str = "function weevil_main(...inputs) { return 1 }";
/// Long enough for a machine on which a commit takes seconds.
const SHORT: [&str; 4] = ["--lease-seconds", "6", "--heartbeat-seconds", "2"];

fn error(message: &str) -> Finding {
    Finding::Error(JobError {
        kind: JobErrorKind::Thrown,
        message: message.into(),
        stack: "at <x> & y".into(),
    })
}

#[test]
fn a_worker_joins_dequeues_submits_and_leaves() {
    let server = TestServer::start(&[]);
    let worker = PlainWorker::join(&server.address);
    assert_eq!((worker.joined.lease_ms, worker.joined.heartbeat_ms), (60_000, 20_000));
    assert!(worker.dequeue_within(1, Some(0)).is_empty());
    let run = server.api().run(&pool_workflow("[7]", CODE, CODE));
    let job = worker.job();
    assert_eq!((job.src.as_str(), job.arguments.as_str()), ("Each.js", "[7]"));
    assert!((50_000..=60_000).contains(&job.deadline_ms), "{}", job.deadline_ms);
    let code = server.api().get(&format!("/blobs/{}", job.code)).into_body().read_to_string();
    assert_eq!(code.expect("text"), CODE);
    assert_eq!(worker.values(&[(job.key, "49")]), [Verdict::Accepted]);
    let reducer = worker.job();
    assert_eq!((reducer.arguments.as_str(), reducer.workflow), ("[[49]]", job.workflow));
    assert_eq!(worker.values(&[(reducer.key, "50")]), [Verdict::Accepted]);
    let view = server.api().await_end(&run);
    assert_eq!((view.result, view.stats.workers), (Some(50.into()), 1));
    let fleet = server.api().await_fleet(|fleet| fleet.workers.iter().any(|seen| seen.done == 2));
    assert_eq!((fleet.workers[0].agent.as_str(), fleet.workers[0].slots), ("plain, here", 1));
    worker.leave();
    server.api().await_fleet(|fleet| fleet.workers.is_empty());
    let again = worker.refused("leave", &Leave(worker.joined.pass.clone()).to_xml());
    assert_eq!((again.0, again.1.code.as_str()), (404, "noSuchWorker"));
}

#[test]
fn several_jobs_come_on_request_and_no_more_than_asked_for() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&pool_workflow("[1,2,3,4,5]", CODE, CODE));
    server.api().await_waiting(&run, 5);
    let worker = PlainWorker::join(&server.address);
    let first = worker.dequeue(3);
    assert_eq!(first.len(), 3);
    let mut jobs = worker.dequeue(100);
    assert_eq!(jobs.len(), 2, "the rest, while the others are held");
    assert_eq!(worker.dequeue_within(1, Some(0)), []);
    jobs.extend(first);
    let values: Vec<_> = jobs.iter().map(|job| (job.key, "1")).collect();
    assert_eq!(worker.values(&values), [Verdict::Accepted; 5]);
    assert_eq!(worker.values(&[(worker.job().key, "5")]), [Verdict::Accepted]);
    assert_eq!(server.api().await_end(&run).result, Some(5.into()));
}

#[test]
fn a_waiting_dequeue_hears_of_a_job_at_once() {
    let server = TestServer::start(&[]);
    let worker = PlainWorker::join(&server.address);
    let run = std::thread::scope(|scope| {
        let asking = scope.spawn(|| worker.job());
        let run = server.api().run(&job_workflow(CODE, ""));
        let job = asking.join().expect("a job");
        worker.values(&[(job.key, "3")]);
        run
    });
    assert_eq!(server.api().await_end(&run).result, Some(3.into()));
}

#[test]
fn both_forms_carry_what_json_has_no_word_for() {
    let document = r#"<workflow><nodes><job id="a" src="A" returntype="Object"/><job id="b" src="A" returntype="Number">
        <parameters><parameter id="x" paramtype="Object"/></parameters></job></nodes>
        <edges><edge id="e" source="a" dest="b"/></edges><finalnode id="b"/></workflow>"#;
    let strange = r#"{"$object":{"u":{"$undefined":true},"n":{"$number":"NaN"},"$t":{"$typed":"Int8Array","values":[-1]}}}"#;
    let value = Values::Json.read(strange).expect("a view");
    for form in [Values::Json, Values::Cbor] {
        let server = TestServer::start(&[]);
        server.api().run(&files(&[("workflow.xml", document), ("A.js", CODE)]));
        let worker = PlainWorker::join_with(&server.address, form);
        let sent = form.write(&value).expect("a text");
        assert_eq!(worker.values(&[(worker.job().key, &sent)]), [Verdict::Accepted]);
        let arguments = form.read(&worker.job().arguments).expect("a value");
        assert_eq!(
            arguments.elements().expect("an array").collect::<Vec<_>>(),
            std::slice::from_ref(&value),
            "{form}"
        );
    }
}

#[test]
fn bytes_that_are_not_a_value_are_refused_in_words_and_count_as_an_error() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow(CODE, "retries=\"0\""));
    let worker = PlainWorker::join(&server.address);
    let job = worker.job();
    let answers = worker.submit(vec![(job.key, plain_value("NaN"))]).0;
    assert_eq!(answers[0].verdict, Verdict::Accepted);
    let words = answers[0].refused.as_deref().expect("words");
    assert!(words.starts_with("the value is not JSON"), "{words}");
    let failed = server.api().await_end(&run).error.expect("an error");
    assert_eq!((failed.attempts[0].kind.as_str(), failed.attempts[0].message.as_str()), ("notAValue", words));
}

#[test]
fn errors_travel_with_their_stack() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow(CODE, "retries=\"0\""));
    let worker = PlainWorker::join(&server.address);
    let answers = worker.submit(vec![(worker.job().key, error("no <b> & \"c\""))]).0;
    assert_eq!(answers[0].verdict, Verdict::Accepted);
    let view = server.api().await_end(&run);
    let attempt = &view.error.expect("an error").attempts[0];
    assert_eq!((attempt.message.as_str(), attempt.stack.as_str()), ("no <b> & \"c\"", "at <x> & y"));
    assert_eq!(view.summary.state, RunState::Failed);
}

#[test]
fn heartbeats_keep_a_lease_and_silence_loses_it() {
    let server = TestServer::start(&SHORT);
    let run = server.api().run(&job_workflow(CODE, ""));
    let worker = PlainWorker::join(&server.address);
    let job = worker.job();
    // Thirteen seconds, more than two leases.
    for _ in 0..26 {
        assert_eq!(worker.dequeue_within(1, Some(500)), []);
        assert_eq!(worker.heartbeat(&[job.key]), [(job.key, Renewal::Renewed)]);
    }
    assert_eq!(server.api().first_job(&run).attempts.len(), 1, "the lease was kept");
    server.api().await_run(&run, |view| view.summary.progress.queued == 1);
    let next = FakeWorker::join(&server.address, 1).job();
    assert_eq!(next.key.job, job.key.job);
    // By now the worker has been given up as well.
    server.api().await_fleet(|fleet| !fleet.workers.iter().any(|seen| seen.agent.starts_with("plain")));
    let body = Heartbeat { pass: worker.joined.pass.clone(), holding: vec![] }.to_xml();
    let (status, refused) = worker.refused("heartbeat", &body);
    assert_eq!((status, refused.code.as_str()), (404, "noSuchWorker"));
    assert!(refused.message.contains("join again"), "{}", refused.message);
}

#[test]
fn a_late_value_is_superseded_and_a_heartbeat_tells_that_the_lease_has_ended() {
    let server = TestServer::start(&SHORT);
    let run = server.api().run(&job_workflow(CODE, ""));
    let worker = PlainWorker::join(&server.address);
    let held = worker.job();
    // It goes on speaking, but does not name what it holds; so it gets the job anew. Each wait is shorter than a lease, or a
    // slow machine would take it for silent.
    let taken = loop {
        if let Some(job) = worker.dequeue_within(1, Some(500)).pop() {
            break job;
        }
    };
    assert_eq!((taken.key.job, taken.seed), (held.key.job, held.seed));
    let told = [(held.key, Renewal::Expired), (taken.key, Renewal::Renewed)];
    assert_eq!(worker.heartbeat(&[held.key, taken.key]), told);
    assert_eq!(worker.values(&[(held.key, "9"), (taken.key, "2")]), [Verdict::Superseded, Verdict::Accepted]);
    assert_eq!(server.api().await_end(&run).result, Some(2.into()));
}

#[test]
fn revoked_attempts_are_told() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&pool_workflow("[1,2]", CODE, CODE));
    let worker = PlainWorker::join(&server.address);
    let keys: Vec<AttemptKey> = worker.jobs(2).iter().map(|job| job.key).collect();
    server.api().cancel(&run);
    // One is named and one is not; both are told, once.
    let mut told = Vec::new();
    while told.len() < 2 {
        assert_eq!(worker.dequeue_within(1, Some(0)), [], "nothing is left to do");
        told = worker.heartbeat(&keys[..1]);
    }
    told.sort_by_key(|(key, _)| keys.iter().position(|known| known == key));
    assert_eq!(told, [(keys[0], Renewal::Revoked), (keys[1], Renewal::Revoked)]);
    assert_eq!(worker.heartbeat(&[]), []);
    assert_eq!(worker.values(&[(keys[0], "1")]), [Verdict::Superseded]);
}

#[test]
fn leaving_gives_jobs_back_at_once_without_a_mark() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow(CODE, "retries=\"0\""));
    let worker = PlainWorker::join(&server.address);
    let held = worker.job();
    worker.leave();
    let mut next = FakeWorker::join(&server.address, 1);
    let again = next.job();
    assert_eq!(again.key.job, held.key.job);
    next.report(vec![(again.key, number(1.0))]);
    assert_eq!(server.api().await_end(&run).summary.state, RunState::Finished);
}

#[test]
fn without_its_secret_and_token_nobody_touches_an_attempt() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow(CODE, ""));
    let owner = PlainWorker::join(&server.address);
    let held = owner.job();
    let mut thief = PlainWorker::join(&server.address);
    // Its own secret, but no token.
    let guess = AttemptKey { token: held.key.token ^ 1, ..held.key };
    assert_eq!(thief.values(&[(guess, "6")]), [Verdict::Unknown]);
    assert_eq!(thief.heartbeat(&[guess]), [(guess, Renewal::Expired)]);
    // The owner's name, but not its secret.
    thief.joined.pass.worker = owner.joined.pass.worker;
    let pass = || thief.joined.pass.clone();
    for (exchange, body) in [
        ("dequeue", Dequeue { pass: pass(), max: 1, wait_ms: None }.to_xml()),
        ("submit", Submit { pass: pass(), reports: vec![] }.to_xml()),
        ("heartbeat", Heartbeat { pass: pass(), holding: vec![] }.to_xml()),
        ("leave", Leave(pass()).to_xml()),
    ] {
        let (status, refused) = thief.refused(exchange, &body);
        assert_eq!((status, refused.code.as_str()), (401, "wrongSecret"), "{exchange}");
    }
    assert_eq!(owner.heartbeat(&[held.key]), [(held.key, Renewal::Renewed)]);
    assert_eq!(owner.values(&[(held.key, "5")]), [Verdict::Accepted]);
    assert_eq!(server.api().await_end(&run).result, Some(5.into()));
}

#[test]
fn what_a_worker_computed_survives_a_restart_and_a_new_joining() {
    let mut server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow(CODE, ""));
    let job = PlainWorker::join(&server.address).job();
    server.kill();
    server.restart();
    let worker = PlainWorker::join(&server.address);
    assert_eq!(worker.values(&[(job.key, "8")]), [Verdict::Accepted]);
    assert_eq!(server.api().await_end(&run).result, Some(8.into()));
}

#[test]
fn garbage_is_refused_in_words() {
    let server = TestServer::start(&[]);
    let worker = PlainWorker::join(&server.address);
    let join = PlainWorker::join_message();
    let old = Join { protocol: 99, ..join.clone() }.to_xml();
    let deaf = Join { capabilities: Capabilities::DETERMINISTIC, ..join }.to_xml();
    let large = " ".repeat(33 << 20);
    for (exchange, body, status, code, part) in [
        ("join", "", 400, "badMessage", "the body is empty"),
        ("join", "{}", 400, "badMessage", "a body is one XML element"),
        ("join", "<join/>", 400, "badMessage", "line 1, <join>: the attribute `protocol` is missing"),
        ("join", "<!DOCTYPE a><join/>", 400, "badMessage", "document types are refused"),
        ("join", &old, 400, "wrongVersion", "version 99"),
        ("join", &deaf, 422, "nothingToRun", "bit 0 (1)"),
        ("submit", "\n<submit worker='x'/>", 400, "badMessage", "line 2, <submit>: `worker` is `x`"),
        ("heartbeat", "<dequeue/>", 400, "badMessage", "<heartbeat> is expected"),
        ("dequeue", &large, 413, "messageTooLarge", "33554432"),
        ("dequeue", "<dequeue worker='wrk_0000000000000' secret=''/>", 404, "noSuchWorker", "join again"),
    ] {
        let (found, refused) = worker.refused(exchange, body);
        assert_eq!((found, refused.code.as_str()), (status, code), "{exchange}");
        assert!(refused.message.contains(part), "{}", refused.message);
    }
    assert_eq!(server.api().status_of("PUT", "/worker/v1/join"), 405);
}

#[test]
fn a_worker_that_says_too_much_is_told_to_slow_down() {
    let server = TestServer::start(&[]);
    let worker = PlainWorker::join(&server.address);
    let body = Heartbeat { pass: worker.joined.pass.clone(), holding: vec![] }.to_xml();
    let refused = (0..300).find_map(|_| {
        let answer = worker.post("heartbeat", &body);
        (answer.status != 200).then_some((answer.status, answer.text.contains("code=\"slowDown\"")))
    });
    assert_eq!(refused, Some((429, true)));
}

#[test]
fn both_protocols_share_one_queue() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow(CODE, "retries=\"1\""));
    let plain = PlainWorker::join(&server.address);
    let first = plain.job();
    plain.submit(vec![(first.key, error("boom"))]);
    let mut other = FakeWorker::join(&server.address, 1);
    let second = other.job();
    assert_eq!((first.key.job, first.seed), (second.key.job, second.seed));
    other.report(vec![(second.key, thrown("boom"))]);
    let view = server.api().await_end(&run);
    assert_eq!(view.summary.state, RunState::Failed, "errors of both use attempts up");
}

/// The requests among the examples of docs/protocol.md, in their order.
fn documented(name: &str) -> String {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/protocol.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let mut examples =
        page.split("```xml\n").skip(1).filter_map(|rest| Some(rest.split_once("```")?.0.to_owned()));
    examples.find(|example| example.starts_with(&format!("<{name} "))).expect("an example")
}

#[test]
fn the_documented_exchange_works_as_it_stands() {
    let server = TestServer::start(&[]);
    let mut worker = PlainWorker::join(&server.address);
    let joined = worker.post("join", &documented("join"));
    worker.joined = weevil_protocol::plain::Joined::parse(joined.text.as_bytes()).expect("joined");
    let run = server.api().run(&weevil_e2e::shipped("add"));
    server.api().await_waiting(&run, 1);
    let pass = &worker.joined.pass;
    let mut words = vec![
        ("wrk_0000000000001".to_owned(), pass.worker.to_string()),
        ("5d5bb3bb8c4aaf0f2d6f8c3de86c0a17".to_owned(), pass.secret.0.clone()),
    ];
    let ask = |exchange: &str, words: &[(String, String)]| {
        let body = words.iter().fold(documented(exchange), |body, (old, new)| body.replace(old, new));
        let answer = worker.post(exchange, &body);
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.text
    };
    let jobs = weevil_protocol::plain::Jobs::parse(ask("dequeue", &words).as_bytes()).expect("jobs").jobs;
    assert_eq!((jobs.len(), jobs[0].arguments.as_str(), jobs[0].src.as_str()), (1, "[44,13]", "Add.js"));
    let id = weevil_model::JobId::from_number(jobs[0].key.job).expect("an id");
    words.push(("job_0000000000007".to_owned(), id.to_string()));
    words.push(("token=\"11\"".to_owned(), format!("token=\"{}\"", jobs[0].key.token)));
    assert!(ask("heartbeat", &words).contains("lease=\"renewed\""));
    let verdicts = ask("submit", &words);
    assert!(
        verdicts.contains("verdict=\"accepted\"") && verdicts.contains("verdict=\"unknown\""),
        "{verdicts}"
    );
    assert!(ask("leave", &words).contains("<left/>"));
    server.api().await_run(&run, |view| view.summary.progress.done == 1);
}
