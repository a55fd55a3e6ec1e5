//! What a scraper sees of a server: a strict text, and numbers that follow what really happened.

use std::time::Instant;

use weevil_e2e::{FakeWorker, Metrics, PATIENCE, TestServer, number, pool_workflow, thrown};
use weevil_protocol::frame::{ClientFrame, Verdict};

const CODE: &str = "function weevil_main(...inputs) { return 1 }";

/// A pool of three and its reducer: one job is given back first, one throws first, one result comes twice.
fn run_with_troubles(server: &TestServer) {
    let run = server.api().run(&pool_workflow("[1,2,3]", CODE, CODE));
    let mut worker = FakeWorker::join(&server.address, 3);
    let jobs = worker.jobs_until(3);
    worker.send(&ClientFrame::Yield { attempts: vec![jobs[0].key], capacity: 3 });
    let again = worker.job();
    assert_eq!(worker.report(vec![(jobs[1].key, thrown("once"))]), [Verdict::Accepted]);
    let retried = worker.job();
    let results = [&again, &retried, &jobs[2], &jobs[2]].map(|job| (job.key, number(1.0)));
    worker.report(results.to_vec());
    let reducer = worker.job();
    assert_eq!(worker.report(vec![(jobs[0].key, number(9.0))]), [Verdict::Superseded]);
    worker.report(vec![(reducer.key, number(3.0))]);
    server.api().await_end(&run);
}

/// Metrics with a label for each thing that happens, none of which has yet.
const ONCE_THEY_HAPPEN: [&str; 2] = ["weevil_asks_set_aside_total", "weevil_spares_total"];

#[test]
fn numbers_follow_what_happens() {
    let server = TestServer::start(&[]);
    let before = server.api().metrics();
    run_with_troubles(&server);
    let after = server.api().metrics();
    for (sample, grown) in [
        ("weevil_jobs_enqueued_total", 4.0),
        ("weevil_jobs_handed_out_total", 6.0),
        ("weevil_jobs_failed_total", 0.0),
        ("weevil_results_total{verdict=\"accepted\"}", 6.0),
        ("weevil_results_total{verdict=\"superseded\"}", 1.0),
        ("weevil_results_total{verdict=\"unknown\"}", 0.0),
        ("weevil_attempts_ended_total{end=\"completed\"}", 4.0),
        ("weevil_attempts_ended_total{end=\"error\"}", 1.0),
        ("weevil_attempts_ended_total{end=\"yielded\"}", 1.0),
        ("weevil_http_requests_total{route=\"/api/v1/runs\",status=\"2xx\"}", 1.0),
        ("weevil_http_requests_total{route=\"/metrics\",status=\"2xx\"}", 1.0),
        ("weevil_batch_failures_total", 0.0),
    ] {
        let found = after.get(sample) - before.get(sample);
        assert!((found - grown).abs() < 1e-9, "{sample} has grown by {found}, not {grown}");
    }
    for (sample, least) in [
        // The reducer; the pause after the error is too long to count now and then.
        ("weevil_dispatch_seconds_count", 1.0),
        ("weevil_batch_duration_seconds_count", 5.0),
        ("weevil_batch_parts_sum", 10.0),
        ("weevil_ready", 1.0),
        ("weevil_disk_free_bytes", 1.0),
    ] {
        assert!(after.get(sample) >= least, "{sample} is {}", after.get(sample));
    }
    assert!(after.has(&format!("weevil_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"))));
    assert!(after.has("weevil_uptime_seconds"));
    let page = include_str!("../../docs/operations.md");
    for family in after.families() {
        let explained = ["`", "_total`", "{", "_total{", "_info{"]
            .iter()
            .any(|end| page.contains(&format!("`{family}{end}")));
        assert!(explained, "docs/operations.md does not tell of {family}");
    }
    let (_, told) = page.split_once("### Metrics").expect("a section");
    let told = told.split_once("\n### ").map_or(told, |(section, _)| section);
    for named in
        told.split('`').filter(|word| word.starts_with("weevil_") && !word.starts_with("weevil_tls_"))
    {
        let named = named.split(['{', ' ']).next().unwrap_or(named);
        let family = named.trim_end_matches("_total").trim_end_matches("_info");
        let is_there = after.families().any(|known| known == family || known == named);
        let is_there = is_there || ONCE_THEY_HAPPEN.contains(&named);
        assert!(is_there, "docs/operations.md tells of {named}, which nothing has");
    }
}

#[test]
fn gauges_tell_how_things_stand() {
    let server = TestServer::start(&[]);
    server.api().run(&pool_workflow("[1,2,3,4,5]", CODE, CODE));
    let mut worker = FakeWorker::join(&server.address, 2);
    worker.jobs_until(2);
    let expected = [
        ("weevil_workers", 1.0),
        ("weevil_slots", 1.0),
        ("weevil_attempts_in_flight", 2.0),
        ("weevil_runs_open", 1.0),
        ("weevil_runs_to_take_up", 0.0),
        ("weevil_queue_jobs{delivery=\"ready\"}", 3.0),
        ("weevil_queue_jobs{delivery=\"leased\"}", 2.0),
        ("weevil_feeder_asks", 0.0),
    ];
    // They are told as they are found: on a busy machine a part of the pool, or of a batch, is still on its way.
    let deadline = Instant::now() + PATIENCE;
    loop {
        let metrics = server.api().metrics();
        assert!(expected.iter().all(|(sample, _)| metrics.has(sample)), "one is missing: {metrics:?}");
        let other = expected.iter().find(|(sample, value)| (metrics.get(sample) - value).abs() > 1e-9);
        let Some((sample, value)) = other else { return };
        assert!(Instant::now() < deadline, "{sample} is {}, never {value}", metrics.get(sample));
    }
}

#[test]
fn a_broken_text_of_metrics_is_noticed() {
    for text in [
        "",
        "weevil_a 1\n# EOF\n",
        "# HELP weevil_a A.\n# TYPE weevil_a counter\nweevil_a 1\n# EOF\n",
        "# HELP weevil_a A.\n# TYPE weevil_a gauge\nweevil_a 1\nweevil_a 2\n# EOF\n",
        "# HELP weevil_a A.\n# TYPE weevil_a gauge\nweevil_a{b=c} 1\n# EOF\n",
    ] {
        assert!(std::panic::catch_unwind(|| Metrics::parse(text)).is_err(), "{text}");
    }
}
