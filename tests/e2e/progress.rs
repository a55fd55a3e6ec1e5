//! How much of a job is done: from the job's code, or from whoever runs it, to the history that people read.

use weevil_api::{JobHistory, JobPage};
use weevil_e2e::{
    Browser, DatabaseKind, FakeWorker, PlainWorker, TestServer, job_workflow, number, on_each_database,
};
use weevil_model::{JobId, NodeState};
use weevil_protocol::frame::{AttemptKey, ClientFrame, Verdict};
use weevil_protocol::plain::{Held, Renewal};

const CODE: &str = "function weevil_main() { return 1 }";
/// What a worker may claim, in its order, and what is kept of it.
const CLAIMS: [(f64, f64); 6] =
    [(0.25, 0.25), (0.5, 0.5), (f64::NAN, 0.5), (f64::INFINITY, 1.0), (-3.0, 0.0), (0.75, 0.75)];

fn id(key: AttemptKey) -> String {
    JobId::from_number(key.job).expect("an id").to_string()
}

fn reported(history: &JobHistory) -> Vec<Option<f64>> {
    history.attempts.iter().map(|attempt| attempt.progress).collect()
}

fn over_the_websocket_it_is_told_by_the_holder_alone(kind: DatabaseKind) {
    let server = kind.server();
    server.api().run(&job_workflow(CODE, ""));
    let mut old = FakeWorker::join(&server.address, 1);
    let job = old.job();
    let id = id(job.key);
    assert_eq!(reported(&server.api().await_history(&id, |_| true)), [None]);
    for (claimed, kept) in CLAIMS {
        old.tell(vec![(job.key, claimed)]);
        server.api().await_history(&id, |history| reported(history) == [Some(kept)]);
    }
    old.capacity = 0;
    old.send(&ClientFrame::Yield { attempts: vec![job.key], capacity: 0 });
    let mut new = FakeWorker::join(&server.address, 1);
    let held = new.job();
    old.tell(vec![(job.key, 0.9)]);
    assert_eq!(old.revoked(), [job.key], "somebody else's by now");
    assert_eq!(old.report(vec![(job.key, number(1.0))]), [Verdict::Superseded]);
    new.tell(vec![(held.key, 0.5)]);
    server.api().await_history(&id, |history| reported(history) == [Some(0.75), Some(0.5)]);
    let shown = explained(&server, &id);
    assert!(shown.contains("yielded in") && shown.contains("ms, 75 % done\n"), "{shown}");
    assert!(shown.ends_with("runs, 50 % done\n"), "{shown}");
}

fn explained(server: &TestServer, job: &str) -> String {
    let mut explain = server.command();
    let output = explain.args(["explain", job, "--server", &server.url("")]).output().expect("it runs");
    String::from_utf8(output.stdout).expect("text")
}

fn over_plain_http_it_comes_with_the_lease(kind: DatabaseKind) {
    let server = kind.server();
    server.api().run(&job_workflow(CODE, ""));
    let worker = PlainWorker::join(&server.address);
    let key = worker.job().key;
    let tell = |progress| worker.tell(vec![Held { key, progress }]);
    for (claimed, kept) in CLAIMS {
        assert_eq!(tell(Some(claimed)), [(key, Renewal::Renewed)]);
        server.api().await_history(&id(key), |history| reported(history) == [Some(kept)]);
    }
    assert_eq!(tell(None), [(key, Renewal::Renewed)]);
    assert_eq!(worker.values(&[(key, "1")]), [Verdict::Accepted]);
    assert_eq!(tell(Some(0.1)), [(key, Renewal::Expired)], "it is over");
    let history = server.api().await_history(&id(key), |history| history.job.state == NodeState::Finished);
    assert_eq!(reported(&history), [Some(0.75)]);
}

#[test]
fn a_job_in_a_browser_tells_while_it_runs() {
    let server = TestServer::start(&["--lease-seconds", "30", "--heartbeat-seconds", "1"]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=1"));
    let code = "function weevil_main() { weevil.progress('much'); weevil.progress(0.5); for (;;); }";
    let run = server.api().run(&job_workflow(code, ""));
    server.api().await_run(&run, |view| view.summary.progress.running == 1);
    let page: JobPage = server.api().json(&format!("/api/v1/runs/{run}/jobs"));
    let history = server.api().await_history(&page.jobs[0].id, |history| reported(history) == [Some(0.5)]);
    assert_eq!((history.job.state, history.attempts[0].end.as_deref()), (NodeState::Running, None));
}

on_each_database! {
    over_the_websocket_it_is_told_by_the_holder_alone,
    over_plain_http_it_comes_with_the_lease,
}
