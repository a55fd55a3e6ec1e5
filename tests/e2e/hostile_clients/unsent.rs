//! Workers that want much and read nothing: little is on its way to them, and others compute the jobs.

use weevil_e2e::hostile::cbor::{text, uint};
use weevil_e2e::hostile::{ByteWorker, Stranger};
use weevil_e2e::{Files, TestServer, files, forget_peak, status};

/// The server's memory at its peak while workers are there: with all of their inputs at once it would be more.
const MAX_PEAK_MB: f64 = 512.0;
/// And before, while the jobs are stored.
const MAX_STORING_MB: f64 = 650.0;
const INPUT_BYTES: usize = 15 * 1024 * 1024;
const JOBS: usize = 20;
/// As many jobs as one worker may hold.
const ALL: u64 = 2048;

/// A large value, jobs that take it each, and one that waits for all of them.
fn fan() -> Files {
    let each =
        |part: &dyn Fn(usize) -> String, between| (1..=JOBS).map(part).collect::<Vec<_>>().join(between);
    let node = |at| {
        let port = r#"<parameters><parameter id="all" paramtype="String"/></parameters>"#;
        format!(r#"<job id="n{at}" src="each" returntype="Number">{port}</job>"#)
    };
    let edge = |at| {
        format!(r#"<edge source="big" dest="n{at}"/><edge source="n{at}" dest="end" paramdest="p{at}"/>"#)
    };
    let (nodes, edges) = (each(&node, ""), each(&edge, ""));
    let ports = each(&|at| format!(r#"<parameter id="p{at}" paramtype="Number"/>"#), "");
    let document = format!(
        r#"<workflow><nodes><job id="big" src="big" returntype="String"/>{nodes}
        <job id="end" src="end" returntype="Number"><parameters>{ports}</parameters></job></nodes>
        <edges>{edges}</edges><finalnode id="end"/></workflow>"#
    );
    let source = |names: &str| format!("function weevil_main({names}) {{ return 0 }}");
    files(&[
        ("workflow.xml", &document),
        ("big.js", &source("")),
        ("each.js", &source("all")),
        ("end.js", &source(&each(&|at| format!("p{at}"), ", "))),
    ])
}

#[test]
fn large_jobs_wait_in_the_database_and_not_for_workers_that_do_not_read() {
    let server = TestServer::start(&[]);
    let stranger = Stranger::of(&server.address);
    let run = server.api().run(&fan());
    stranger.join(1).compute(1, &text(&"x".repeat(INPUT_BYTES)));
    for stored in 1..=JOBS {
        server.api().await_metric(r#"weevil_queue_jobs{delivery="ready"}"#, stored as f64);
    }
    let storing = status(server.pid(), "VmHWM");
    assert!(storing < MAX_STORING_MB, "{storing} MB");
    forget_peak(server.pid());
    let _deaf: Vec<ByteWorker> = (0..8).map(|_| stranger.join(ALL)).collect();
    server.api().await_metric(r#"weevil_budget_used{row="unsent"}"#, 4.0 * INPUT_BYTES as f64);
    server.api().await_fleet(|fleet| fleet.workers.is_empty());
    stranger.join(1).compute(JOBS + 1, &uint(7));
    assert_eq!(server.api().await_end(&run).result, Some(7.into()));
    let peak = status(server.pid(), "VmHWM");
    assert!(peak < MAX_PEAK_MB, "{peak} MB");
}
