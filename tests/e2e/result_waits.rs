//! A question for a run's result that waits for its end.

use std::thread;

use weevil_api::RunResult;
use weevil_e2e::{FakeWorker, TestServer, job_workflow, number};
use weevil_model::RunState;

const CODE: &str = "function weevil_main() { return 1 }";
/// The most that a question waits: none here is answered because its time is over.
const LONG: &str = "waitMs=60000";

#[test]
fn one_question_is_answered_by_the_end_of_the_run() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow(CODE, ""));
    let asked =
        |patience: &str| server.api().json::<RunResult>(&format!("/api/v1/runs/{run}/result?{patience}"));
    let open = asked("waitMs=1");
    assert_eq!((open.state, open.result), (RunState::Started, None), "its time is over before");
    thread::scope(|scope| {
        let waiting = scope.spawn(|| asked(LONG));
        server.api().await_metric("weevil_budget_used{row=\"waits\"}", 1.0);
        let mut worker = FakeWorker::join(&server.address, 1);
        let job = worker.job();
        worker.report(vec![(job.key, number(57.0))]);
        let ended = waiting.join().expect("the question is answered");
        assert_eq!((ended.state, ended.result), (RunState::Finished, Some(57.into())));
    });
    assert_eq!(asked(LONG).state, RunState::Finished, "an end that is there already");
}

#[test]
fn what_cannot_be_waited_for_is_refused() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow(CODE, ""));
    for (path, status, code) in [
        (format!("/api/v1/runs/{run}/result?waitMs=soon"), 400, "badQuery"),
        (format!("/api/v1/runs/{run}/result?wait=1"), 400, "badQuery"),
        (format!("/api/v1/runs/run_0000000000001/result?{LONG}"), 404, "noSuchRun"),
    ] {
        let (found, error) = server.api().answer(&path).refusal();
        assert_eq!((found, error.code.as_str()), (status, code), "{path}");
    }
}
