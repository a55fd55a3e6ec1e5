//! Figures that nobody believes: the largest claims by either protocol, replays, rows that an earlier release left, runs
//! that cannot be taken up. Whatever they are, each answer is one, and the next start is a start.

use std::time::Instant;

use serde_json::Value as Json;
use weevil_api::{JobPage, RunView};
use weevil_e2e::hostile::Stranger;
use weevil_e2e::hostile::cbor::uint;
use weevil_e2e::{
    DatabaseKind, FakeWorker, Files, PATIENCE, PlainWorker, TestServer, answer_all, counted, job_workflow,
    number, on_each_database, plain_value, pool_workflow, thrown,
};
use weevil_model::{ContentHash, RunId, RunState};
use weevil_protocol::frame::{AttemptKey, AttemptResult, ClientFrame, ServerFrame};
use weevil_protocol::identity::signed_text;
use weevil_protocol::plain::Report;

use crate::devices::ed25519;

const REDUCER: &str = "function weevil_main(all) { return all.length }";

/// What an earlier release stored where a worker claimed it.
const AS_CLAIMED: &str =
    "update attempts set compute_us = 9223372036854775807, flops = 1.7e308, slot = 4000000000
    where ending = 'completed'";

fn six() -> Files {
    pool_workflow("[1, 2, 3, 4, 5, 6]", "function weevil_main(n) { return n }", REDUCER)
}

/// A value whose figures are the largest that the wire can carry.
fn largest(key: AttemptKey) -> AttemptResult {
    let outcome = number(1.0);
    AttemptResult { key, outcome, slot: u32::MAX, compute_us: u64::MAX, flops: f64::MAX, log: None }
}

/// Two values over a WebSocket, two by plain HTTP.
fn four_values(server: &TestServer) {
    let mut worker = FakeWorker::join(&server.address, 2);
    let results = worker.jobs_until(2).iter().map(|job| largest(job.key)).collect();
    worker.send(&ClientFrame::Results { results, capacity: 0 });
    while !matches!(worker.frame(), Some(ServerFrame::Verdicts(_))) {}
    let plain = PlainWorker::join(&server.address);
    let report = |key| {
        let finding = plain_value("1");
        Report { key, slot: u32::MAX, compute_us: u64::MAX, flops: f64::MAX, log: None, finding }
    };
    plain.submit_all(plain.jobs(2).iter().map(|job| report(job.key)).collect());
}

/// Everything that can be asked about a run is answered, and its figures are possible ones.
fn all_is_told(server: &TestServer, run: &str) -> RunView {
    let api = server.api();
    let jobs: JobPage = api.json(&format!("/api/v1/runs/{run}/jobs"));
    let job = format!("/api/v1/jobs/{}", jobs.jobs[0].id);
    let of_run = ["", "/result", "/events", "/jobs"].map(|part| format!("/api/v1/runs/{run}{part}"));
    let of_all = ["/healthz", "/readyz", "/metrics", "/api/v1/runs", "/api/v1/fleet", "/api/v1/queue"];
    for path in of_all.into_iter().chain(of_run.iter().map(String::as_str)).chain([job.as_str()]) {
        assert_eq!(api.get(path).status(), 200, "{path}");
    }
    let view = api.view(run);
    let stats = &view.stats;
    assert!((0.0..=1.0).contains(&stats.utilisation) && stats.mflops.is_finite(), "{stats:?}");
    let most_ms = f64::from(stats.slots) * (stats.wall_ms as f64 + 1.0);
    assert!(stats.compute_ms <= most_ms && stats.median_ms <= most_ms * 1.09, "{stats:?}");
    view
}

fn start_again(server: &mut TestServer, meanwhile: &str) {
    server.terminate();
    assert!(server.await_death().success());
    server.sql(meanwhile);
    server.restart();
}

fn the_largest_claims_end_nothing(kind: DatabaseKind) {
    for meanwhile in ["", AS_CLAIMED] {
        let mut server = kind.server();
        let run = server.api().run(&six());
        four_values(&server);
        server.api().await_run(&run, |view| view.stats.jobs == 4);
        assert_eq!(all_is_told(&server, &run).stats.slots, 2);
        start_again(&mut server, meanwhile);
        // The port answers before the run is taken up.
        server.api().await_run(&run, |view| view.stats.jobs == 4);
        let stats = all_is_told(&server, &run).stats;
        assert_eq!((stats.jobs, stats.workers, stats.slots), (4, 2, 2), "{meanwhile}");
        let worker = FakeWorker::join(&server.address, 9);
        let computing = std::thread::spawn(move || answer_all(worker));
        assert_eq!(server.api().await_end(&run).summary.state, RunState::Finished);
        start_again(&mut server, meanwhile);
        computing.join().expect("the worker ends with its connection");
        assert_eq!(all_is_told(&server, &run).result, Some(1.into()));
    }
}

/// Has an ended run stored as an earlier release did: what was shown of it, in place of the facts.
fn as_viewed(server: &TestServer, run: &str) -> String {
    let mut view: Json = server.api().json(&format!("/api/v1/runs/{run}"));
    view["result"] = Json::Null;
    let facts = "summary = null, error = null, nodes = null, node_count = 0";
    format!("update runs set {facts}, view = '{}'", view.to_string().replace('\'', "''"))
}

fn a_view_that_cannot_be_read_hides_no_run(kind: DatabaseKind) {
    let mut server = kind.server();
    let run = server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    let worker = FakeWorker::join(&server.address, 1);
    let computing = std::thread::spawn(move || answer_all(worker));
    server.api().await_end(&run);
    let viewed = as_viewed(&server, &run);
    start_again(&mut server, &viewed);
    for (view, jobs) in [
        ("view", 1),
        (r#"replace(view, '"mflops":', '"mflops":null,"was":')"#, 1),
        (r#"replace(view, '"computeMs":', '"computeMs":null,"is":')"#, 1),
        ("'{'", 0),
        ("null", 0),
    ] {
        start_again(&mut server, &format!("update runs set view = {view}"));
        let found = all_is_told(&server, &run);
        assert_eq!((found.summary.state, found.result), (RunState::Finished, Some(1.into())), "{view}");
        assert_eq!(found.stats.jobs, jobs, "{view}");
        let told = found.error.is_some_and(|error| error.message.contains("cannot be read"));
        assert_eq!(told, jobs == 0, "{view}");
        assert_eq!(server.api().result(&run).result, Some(1.into()), "{view}");
        let listed = server.api().await_runs(|runs| !runs.is_empty());
        assert_eq!((listed[0].id.as_str(), listed[0].state), (run.as_str(), RunState::Finished), "{view}");
    }
    computing.join().expect("the worker ends with its connection");
}

fn a_device_is_counted_for_values_that_ended_a_job_and_once(kind: DatabaseKind) {
    let server = kind.server();
    for _ in 0..2 {
        server.api().run(&job_workflow("function weevil_main() { return 1 }", "retries=\"0\""));
    }
    let mut worker = FakeWorker::join(&server.address, 2);
    let identity = ed25519(&signed_text(&worker.nonce, &server.address));
    let device = ContentHash::of_parts([("ed25519", identity.key.as_slice())]);
    worker.send(&ClientFrame::Identity(identity));
    let jobs = worker.jobs_until(2);
    worker.capacity = 0;
    for _ in 0..2 {
        worker.report(vec![(jobs[1].key, thrown("no")); 10]);
        worker.report(vec![(jobs[0].key, number(1.0)); 1_000]);
    }
    worker.send(&ClientFrame::Bye);
    let deadline = Instant::now() + PATIENCE;
    while server.counted(device).is_none() {
        assert!(Instant::now() < deadline, "the device is never counted");
    }
    assert_eq!(server.counted(device), Some(1));
}

/// A job whose files nobody else has.
fn own_job(mark: u32) -> Files {
    job_workflow(&format!("function weevil_main() {{ return {mark} }}"), &format!("timeout=\"{mark}\""))
}

/// The statement that damages the run with this number; the words that then say why it cannot be taken up, and the codes of
/// what is wrong with its workflow.
type Damage = (fn(i64) -> String, &'static str, &'static [&'static str]);

fn damages() -> [Damage; 5] {
    fn files(run: i64, path: &str) -> String {
        format!("workflow = (select workflow from runs where id = {run}) and path = '{path}'")
    }
    [
        (
            // `<workflow/>`
            |run| {
                let blob =
                    format!("(select `blob` from workflow_files where {})", files(run, "workflow.xml"));
                format!("update blobs set bytes = x'3c776f726b666c6f772f3e' where hash = {blob}")
            },
            "its workflow is refused by this release",
            &["W0113", "W0113"],
        ),
        (
            |run| format!("delete from workflow_files where {}", files(run, "Code.js")),
            "its workflow is refused by this release",
            &["W0136"],
        ),
        (
            |run| format!("update workflow_files set path = '../Code.js' where {}", files(run, "Code.js")),
            "its files are refused",
            &[],
        ),
        (
            |run| format!("insert into run_inputs (run, node, value) values ({run}, 'only', x'ff')"),
            "its input for the node `only` is refused",
            &[],
        ),
        (|run| format!("update runs set state = 'LATER' where id = {run}"), "the state `LATER`", &[]),
    ]
}

fn numbered(run: &str) -> i64 {
    run.parse::<RunId>().expect("ids are ids").number()
}

fn runs_that_cannot_be_taken_up_stop_no_other(kind: DatabaseKind) {
    let mut server = kind.server();
    let ended = server.api().run(&own_job(99));
    server.api().cancel(&ended);
    let broken = [1, 2, 3, 4, 5].map(|mark| server.api().run(&own_job(mark)));
    let whole = server.api().run(&own_job(70));
    let damage: Vec<String> =
        broken.iter().zip(damages()).map(|(run, (damage, ..))| damage(numbered(run))).collect();
    let unreadable =
        format!("update runs set view = 'no view', summary = null where id = {}", numbered(&ended));
    start_again(&mut server, &counted(&format!("{}; {unreadable}", damage.join("; "))));
    let api = server.api();
    for (run, (_, why, codes)) in broken.iter().zip(damages()) {
        api.await_end(run);
        failed_by_itself(&server, run, why, codes);
    }
    assert_eq!(api.view(&ended).summary.state, RunState::Cancelled);
    assert_eq!(api.await_runs(|runs| runs.len() == 7).len(), 7);
    let mut worker = FakeWorker::join(&server.address, 9);
    let only = worker.job();
    worker.report(vec![(only.key, number(7.0))]);
    assert_eq!(api.await_end(&whole).result, Some(7.into()));
    start_again(&mut server, &format!("update runs set name = 'x' where id = {}", numbered(&whole)));
    for (run, (_, why, codes)) in broken.iter().zip(damages()) {
        failed_by_itself(&server, run, why, codes);
    }
    server.audit();
}

fn failed_by_itself(server: &TestServer, run: &str, why: &str, codes: &[&str]) {
    let view = all_is_told(server, run);
    assert_eq!((view.summary.state, view.summary.paused), (RunState::Failed, false), "{why}");
    let error = view.error.expect("it says why");
    assert!(
        error.node.is_empty() && error.attempts.is_empty() && error.message.contains(why),
        "{why}: {error:?}"
    );
    let found: Vec<&str> = error.diagnostics.iter().map(|found| found.code.as_str()).collect();
    assert_eq!(found, codes, "{why}");
    let result = server.api().result(run);
    assert_eq!((result.state, result.error), (RunState::Failed, Some(error)), "{why}");
}

fn a_run_tells_from_how_many_places_its_values_came(kind: DatabaseKind) {
    let mut server =
        kind.server_with(&["--trusted-proxy", "127.0.0.1/32", "--client-address", "x-forwarded-for"]);
    for (places, told) in [(["203.0.113.1", "203.0.113.1"], 1), (["203.0.113.1", "198.51.100.1"], 2)] {
        let run =
            server.api().run(&pool_workflow("[1, 2, 3]", "function weevil_main(n) { return n }", REDUCER));
        for place in places {
            Stranger::of(&server.address).from(place).join(1).compute(2, &uint(7));
        }
        assert_eq!(server.api().await_end(&run).stats.places, Some(told), "{places:?}");
    }
    let run = server.api().run(&pool_workflow("[1, 2]", "function weevil_main(n) { return n }", REDUCER));
    let mut worker = FakeWorker::join(&server.address, 2);
    let values = worker.jobs_until(2).iter().map(|job| (job.key, number(1.0))).collect();
    worker.capacity = 0;
    worker.report(values);
    server.api().await_run(&run, |view| view.stats.places == Some(1));
    start_again(&mut server, "");
    assert_eq!(all_is_told(&server, &run).stats.places, None, "places are numbered anew");
}

on_each_database!(
    a_run_tells_from_how_many_places_its_values_came,
    the_largest_claims_end_nothing,
    a_view_that_cannot_be_read_hides_no_run,
    a_device_is_counted_for_values_that_ended_a_job_and_once,
    runs_that_cannot_be_taken_up_stop_no_other,
);
