//! The worker of `examples/python-worker`: what people copy must work.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use weevil_api::JobPage;
use weevil_e2e::{Browser, FakeWorker, TestServer, job_workflow, shipped};
use weevil_model::RunState;

/// Ends, by its process id, when dropped.
pub(crate) struct PythonWorker(Child);

impl PythonWorker {
    pub(crate) fn start(server: &TestServer) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/python-worker/worker.py");
        let child = Command::new("python3").arg(script).arg(server.url("")).stdout(Stdio::null()).spawn();
        Self(child.expect("python3 is installed: `cargo xtask setup`"))
    }

    /// Starts one and waits until it has joined.
    fn joined(server: &TestServer) -> Self {
        let worker = Self::start(server);
        server.api().await_fleet(|fleet| {
            fleet.workers.iter().any(|worker| worker.agent.starts_with("python-worker"))
        });
        worker
    }

    fn signal(&mut self, name: &str) {
        let sent = Command::new("kill").args([name, &self.0.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
        self.0.wait().expect("the worker has ended");
    }
}

impl Drop for PythonWorker {
    fn drop(&mut self) {
        // It may have ended already.
        let _ended = self.0.kill();
        let _reaped = self.0.wait();
    }
}

fn small_pi() -> weevil_e2e::Files {
    let mut files = shipped("pi");
    let input = files.iter_mut().find(|(path, _)| path == "samples.json").expect("samples");
    input.1 = b"[100000, 200000]".to_vec();
    files
}

#[test]
fn it_computes_what_a_browser_computes() {
    let server = TestServer::start(&[]);
    let python = PythonWorker::start(&server);
    let add = server.api().await_end(&server.api().run(&shipped("add")));
    assert_eq!(add.result, Some(157.into()), "{:?}", add.error);
    let pi = server.api().await_end(&server.api().run(&small_pi()));
    assert_eq!(pi.summary.state, RunState::Finished, "{:?}", pi.error);
    assert!(pi.stats.mflops > 0.0 && pi.stats.compute_ms > 0.0);
    drop(python);
    let other = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&other.url("/?autostart&slots=1"));
    let expected = other.api().await_end(&other.api().run(&small_pi())).result;
    assert_eq!(pi.result, expected, "the same numbers from the same seed");
}

#[test]
fn values_and_errors_arrive_as_they_are() {
    let server = TestServer::start(&[]);
    let _python = PythonWorker::start(&server);
    for (code, kind, message) in [
        (
            "function weevil_main() {\n  throw new TypeError('no <b>\\0') }",
            "thrown",
            "TypeError: no <b>\u{FFFD}",
        ),
        ("function weevil_main() { for (;;); }", "timeout", "longer than 1 s"),
        ("function weevil_main() { return () => 1 }", "notAValue", "a function cannot be a result"),
        ("function weevil_main() { process.exit(3) }", "crashed", "node ended with 3"),
    ] {
        // Only what never ends by itself is to meet its time-out: to start node takes long on a busy machine.
        let seconds = if kind == "timeout" { 1 } else { 50 };
        let files = job_workflow(code, &format!("timeout=\"{seconds}\" retries=\"0\""));
        let view = server.api().await_end(&server.api().run(&files));
        let error = view.error.expect("an error").attempts.remove(0);
        assert_eq!(error.kind, kind, "{error:?}");
        assert!(error.message.contains(message), "{error:?}");
        assert!(kind != "thrown" || error.stack.contains("Code.js:2"), "{error:?}");
    }
    let code = "function weevil_main() { return 0.1 + 0.2 }";
    let view = server.api().await_end(&server.api().run(&job_workflow(code, "")));
    assert_eq!(view.result, Some((0.1 + 0.2).into()), "{:?}", view.error);
}

#[test]
fn its_job_comes_back_when_it_is_killed() {
    let server = TestServer::start(&["--lease-seconds", "3", "--heartbeat-seconds", "1"]);
    let mut python = PythonWorker::start(&server);
    let code = "function weevil_main() { for (;;); }";
    let run = server.api().run(&job_workflow(code, "timeout=\"60\""));
    server.api().await_run(&run, |view| view.summary.progress.running == 1);
    python.signal("-KILL");
    server.api().await_run(&run, |view| view.summary.progress.queued == 1);
    FakeWorker::join(&server.address, 1).job();
    let attempts = server.api().first_job(&run).attempts;
    assert!(matches!(attempts[0].end.as_deref(), Some("expired" | "lost")), "{attempts:?}");
}

#[test]
fn its_heartbeats_tell_how_far_the_job_is() {
    let server = TestServer::start(&["--lease-seconds", "30", "--heartbeat-seconds", "1"]);
    let _python = PythonWorker::start(&server);
    let code = "function weevil_main() { weevil.progress('much'); weevil.progress(0.5); for (;;); }";
    let run = server.api().run(&job_workflow(code, "timeout=\"60\""));
    server.api().await_run(&run, |view| view.summary.progress.running == 1);
    let jobs: JobPage = server.api().json(&format!("/api/v1/runs/{run}/jobs"));
    let history = server.api().await_history(&jobs.jobs[0].id, |history| {
        history.attempts.iter().any(|attempt| attempt.progress.is_some())
    });
    assert_eq!((history.attempts.len(), history.attempts[0].progress), (1, Some(0.5)));
    server.api().cancel(&run);
    let next = server.api().run(&shipped("add"));
    assert_eq!(server.api().await_end(&next).result, Some(157.into()), "what nobody wants is stopped");
}

#[test]
fn it_leaves_when_it_is_told_to_end() {
    let server = TestServer::start(&[]);
    let mut python = PythonWorker::joined(&server);
    python.signal("-TERM");
    server.api().await_fleet(|fleet| fleet.workers.is_empty());
}

#[test]
fn it_joins_again_after_the_server_was_killed() {
    let mut server = TestServer::start(&[]);
    let _python = PythonWorker::joined(&server);
    server.kill();
    server.restart();
    let run = server.api().run(&shipped("add"));
    assert_eq!(server.api().await_end(&run).result, Some(157.into()));
}
