//! What every answer of the API promises: what is left of a rate, and a tag by which nobody reads anything twice.

use weevil_api::routes::Operation;
use weevil_e2e::hostile::Stranger;
use weevil_e2e::{ShiftedClock, TestServer, job_workflow};

/// The server's clock stands still, so nothing comes back while it is asked.
#[test]
fn a_place_has_a_rate_and_the_owner_has_none() {
    let clock = ShiftedClock::at_now();
    clock.stand("2026-11-23 12:00:00");
    let server = TestServer::start_binary(&clock.server(), &["--trusted-proxy", "127.0.0.1"]);
    let place = |address: &str| Stranger::of(&server.address).from(address);
    let (crowded, pause) = (place("192.0.2.1"), Operation::PauseQueue.path(&[]));
    for left in (0..300).rev() {
        let reply = crowded.post(&pause, "text/plain", b"");
        let told = reply.header("ratelimit").unwrap_or_default();
        assert!((reply.status, told.starts_with(&format!("\"write\";r={left};t="))) == (401, true), "{told}");
    }
    let refused = crowded.post(&pause, "text/plain", b"");
    assert_eq!((refused.status, refused.code().as_str()), (429, "slowDown"));
    for (name, value) in [
        ("ratelimit-policy", "\"write\";q=300;w=60"),
        ("ratelimit", "\"write\";r=0;t=60"),
        ("retry-after", "1"),
    ] {
        assert_eq!(refused.header(name), Some(value), "{name}");
    }
    let read = crowded.get(&Operation::ListRuns.path(&[]));
    assert_eq!((read.status, read.header("ratelimit")), (401, Some("\"read\";r=1199;t=1")), "its own bucket");
    assert_eq!(place("192.0.2.2").post(&pause, "text/plain", b"").status, 401, "its own place");
    let own = server.owner().post(&pause, "text/plain", b"");
    assert_eq!((own.status, own.header("ratelimit")), (200, None));
    let open = crowded.get("/healthz");
    assert_eq!((open.status, open.header("ratelimit-policy")), (200, None), "what has no rate");
    clock.stand("2026-11-23 12:00:01");
    assert_eq!(crowded.post(&pause, "text/plain", b"").status, 401, "time brings some back");
}

#[test]
fn what_has_ended_is_not_told_twice() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    let job =
        server.api().put_job(&serde_json::json!({ "source": "function weevil_main() { return 1 }" })).job;
    let paths = [
        Operation::ShowRun.path(&[&run]),
        Operation::RunResult.path(&[&run]),
        Operation::JobResult.path(&[&job]),
    ];
    let tag = |path: &str| server.owner().get(path).header("etag").unwrap_or_default().to_owned();
    let open: Vec<String> = paths.iter().map(|path| tag(path)).collect();
    server.api().cancel(&run);
    assert_eq!(server.api().status_of("POST", &Operation::CancelJob.path(&[&job])), 200);
    for (path, before) in paths.iter().zip(open) {
        let ended = tag(path);
        assert!(ended.starts_with("W/\"") && ended != before, "{path}: {before} {ended}");
        let again = server.owner().with("If-None-Match", &ended).get(path);
        assert_eq!((again.status, again.header("etag"), again.body.len()), (304, Some(ended.as_str()), 0));
        assert_eq!(server.owner().with("If-None-Match", &before).get(path).status, 200, "{path}");
    }
    let runs = Operation::ListRuns.path(&[]);
    let first = server.owner().get(&runs);
    assert_eq!(first.header("cache-control"), Some("private"));
    let known = first.header("etag").expect("a tag");
    assert_eq!(server.owner().with("If-None-Match", known).get(&runs).status, 304);
    server.api().run(&job_workflow("function weevil_main() { return 2 }", ""));
    assert_eq!(server.owner().with("If-None-Match", known).get(&runs).status, 200, "another list");
    let link = server.owner().post(&Operation::MakeConsoleLink.path(&[]), "text/plain", b"");
    assert_eq!((link.header("cache-control"), link.header("etag")), (Some("no-store"), None));
}
