//! A database that cannot write: said in words, kept from nobody's result, over without a restart.

use std::time::Duration;

use weevil_api::Problem;
use weevil_e2e::{
    FakeWorker, Files, Fleet, Form, Habits, MariaDb, TestServer, files, job_workflow, number, text,
};
use weevil_model::RunState;
use weevil_protocol::frame::{AttemptResult, ClientFrame, ServerFrame, Verdict};

const CODE: &str = "function weevil_main() { return 1 }";
/// Bytes for which no table has room without new pages.
const LARGE: usize = 1_000_000;

/// Code and message of an upload that is refused for the moment.
fn refused_for_now(server: &TestServer, files: &Files) -> Problem {
    let refused = server.api().submit_response("/api/v1/runs", &Form::of(files));
    assert_eq!(refused.status(), 503);
    assert!(refused.headers().contains_key("retry-after"));
    let body = refused.into_body().read_to_string().expect("a body");
    serde_json::from_str(&body).expect("an Problem")
}

fn verdicts(worker: &mut FakeWorker) -> Vec<Verdict> {
    loop {
        if let ServerFrame::Verdicts(all) = worker.frame().expect("the connection stays") {
            return all.into_iter().map(|verdict| verdict.1).collect();
        }
    }
}

#[test]
fn a_full_disk_is_said_and_got_over() {
    let server = TestServer::start(&[]);
    assert_eq!((server.api().ready().status, server.api().ready().text), (200, "ready".into()));
    let run = server.api().run(&job_workflow(CODE, ""));
    let mut worker = FakeWorker::join(&server.address, 1);
    let job = worker.job();

    server.limit_files(Some(1));
    let first = refused_for_now(&server, &job_workflow(CODE, ""));
    assert_eq!(first.code, "store", "{}", first.detail);
    let ready = server.api().ready();
    let (status, error) = ready.refusal();
    assert_eq!((status, error.code.as_str()), (503, "notReady"), "{}", error.detail);
    assert!(error.detail.contains("refuses to write"), "{}", error.detail);
    assert_eq!(refused_for_now(&server, &job_workflow(CODE, "")).code, "notReady");
    let result =
        AttemptResult { key: job.key, outcome: number(7.0), slot: 0, compute_us: 1, flops: 0.0, log: None };
    worker.send(&ClientFrame::Results { results: vec![result], capacity: 1 });
    let during = server.api().metrics();
    assert!(during.has("weevil_ready") && during.get("weevil_ready") < 0.5, "the metrics answer meanwhile");
    assert_eq!(server.api().get("/healthz").status(), 200, "the process is alive");
    server.api().await_metric("weevil_batch_failures_total", 1.0);

    server.limit_files(None);
    assert_eq!(verdicts(&mut worker), [Verdict::Accepted], "what came in meanwhile is kept");
    assert_eq!(server.api().ready().status, 200);
    let view = server.api().await_end(&run);
    assert_eq!((view.summary.state, view.result), (RunState::Finished, Some(7.into())));
    server.api().run(&job_workflow(CODE, ""));
}

#[test]
fn a_disk_that_is_full_for_a_whole_lease_takes_no_job_away() {
    let server = TestServer::start(&["--lease-seconds", "9", "--heartbeat-seconds", "5"]);
    let run = server.api().run(&job_workflow(CODE, ""));
    let long = Duration::from_secs(14);
    let fleet = Fleet::start(&server.address, 0, &[(1, Habits::at_once(1).working(long, long))]);
    fleet.ledger().await_counts(1, 0);
    let mut silent = FakeWorker::join(&server.address, 0);
    server.limit_files(Some(1));
    // Its own lease tells the time; the other's heartbeat comes in meanwhile, but nothing can be written.
    assert!(matches!(silent.frame(), Some(ServerFrame::Refused { .. })));
    server.limit_files(None);
    assert_eq!(server.api().await_end(&run).result, Some(1.into()));
    assert_eq!((fleet.ledger().assigned(), fleet.ledger().revoked()), (1, 0), "{}", fleet.ledger());
}

/// One job whose result is a text, with a file of `LARGE` bytes.
fn large_workflow() -> Files {
    let document = r#"<workflow><nodes><job id="only" src="Code" returntype="String"/></nodes>
        <edges/><finalnode id="only"/></workflow>"#;
    let code = format!("function weevil_main() {{ return '' }} // {}", "x".repeat(LARGE));
    files(&[("workflow.xml", document), ("Code.js", &code)])
}

/// Small writes still find room in pages that the tables have; a large one does not, and what stands behind it waits.
#[test]
fn a_full_disk_of_mariadb_is_said_and_got_over() {
    let maria = MariaDb::start_fillable();
    let mut server = TestServer::start(&["--database", &maria.database()]);
    let run = server.api().run(&large_workflow());
    let mut worker = FakeWorker::join(&server.address, 1);
    let job = worker.job();

    maria.fill();
    let other = [large_workflow(), vec![("more.json".into(), vec![b'1'; LARGE])]].concat();
    let first = refused_for_now(&server, &other);
    // Unless a batch of the server's own met the full disk before.
    let met_before = server.api().metrics().get("weevil_batch_failures_total") > 0.5;
    assert!(first.code == "store" || (first.code == "notReady" && met_before), "{}", first.code);
    assert!(first.detail.contains("is full"), "{}", first.detail);
    let value = "y".repeat(LARGE);
    let result =
        AttemptResult { key: job.key, outcome: text(&value), slot: 0, compute_us: 1, flops: 0.0, log: None };
    worker.send(&ClientFrame::Results { results: vec![result], capacity: 1 });
    server.api().await_metric("weevil_batch_failures_total", 2.0);
    let (_, error) = server.api().await_ready(503).refusal();
    assert_eq!(error.code, "notReady");
    assert!(error.detail.contains("is full"), "{}", error.detail);
    refused_for_now(&server, &other);
    let during = server.api().metrics();
    assert!(during.get("weevil_results_total{verdict=\"accepted\"}") < 0.5, "nothing is acknowledged");

    maria.make_room();
    assert_eq!(verdicts(&mut worker), [Verdict::Accepted], "what came in meanwhile is kept");
    server.api().await_ready(200);
    assert_eq!(server.api().await_end(&run).summary.state, RunState::Finished);
    assert_eq!(server.api().result(&run).result, Some(value.into()));
    let run = server.api().run(&other);
    let job = worker.job();
    assert_eq!(worker.report(vec![(job.key, text("z"))]), [Verdict::Accepted]);
    assert_eq!(server.api().await_end(&run).result, Some("z".into()));
    let audit = server.audit();
    assert_eq!((audit.jobs, audit.open), (2, 0), "{audit:?}");
}
