//! A cancelled run: what waits goes, what runs is told to stop, and it stays ended.

use std::collections::BTreeSet;

use weevil_e2e::{FakeWorker, TestServer, job_workflow, number, pool_workflow};
use weevil_model::RunState;
use weevil_protocol::frame::Verdict;

const CODE: &str = "function weevil_main(...inputs) { return 1 }";

#[test]
fn queued_jobs_go_and_running_ones_are_told_to_stop() {
    let mut server = TestServer::start(&[]);
    let run = server.api().run(&pool_workflow("[1,2,3,4,5]", CODE, CODE));
    let mut worker = FakeWorker::join(&server.address, 2);
    let held = worker.jobs_until(2);
    let ended = server.api().cancel(&run);
    assert_eq!((ended.run.as_str(), ended.state, ended.result), (run.as_str(), RunState::Cancelled, None));
    let keys = |keys: Vec<_>| keys.into_iter().map(|key: weevil_protocol::frame::AttemptKey| key.job);
    let revoked: BTreeSet<i64> = keys(worker.revoked()).collect();
    assert_eq!(revoked, keys(held.iter().map(|job| job.key).collect()).collect());
    worker.capacity = 0;
    assert_eq!(worker.report(vec![(held[0].key, number(1.0))]), [Verdict::Superseded], "too late");

    let view = server.api().view(&run);
    assert_eq!((view.summary.state, view.error), (RunState::Cancelled, None));
    for _ in 0..2 {
        // Only the next run's job is handed out, before a restart and after it.
        let next = server.api().run(&job_workflow(CODE, ""));
        let mut other = FakeWorker::join(&server.address, 10);
        let jobs = other.jobs();
        assert_eq!(jobs.len(), 1);
        other.report(vec![(jobs[0].key, number(2.0))]);
        assert_eq!(server.api().await_end(&next).result, Some(2.into()));
        server.kill();
        server.restart();
        assert_eq!(server.api().view(&run).summary.state, RunState::Cancelled);
        assert_eq!(server.api().cancel(&run).state, RunState::Cancelled, "once more changes nothing");
    }
}

#[test]
fn a_run_that_has_ended_stays_as_it_is() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow(CODE, ""));
    let mut worker = FakeWorker::join(&server.address, 1);
    let job = worker.job();
    worker.report(vec![(job.key, number(3.0))]);
    server.api().await_end(&run);
    let ended = server.api().cancel(&run);
    assert_eq!((ended.state, ended.result), (RunState::Finished, Some(3.into())));
    for (path, status, code) in [
        ("/api/v1/runs/run_0000000000001/cancel", 404, "noSuchRun"),
        ("/api/v1/runs/nonsense/cancel", 400, "badId"),
    ] {
        let (found, error) = server.api().post(path, "", &[], &[]).refusal();
        assert_eq!((found, error.code.as_str()), (status, code), "{path}");
    }
}

#[test]
fn a_run_taken_up_after_a_restart_can_be_cancelled() {
    let mut server = TestServer::start(&[]);
    let run = server.api().run(&pool_workflow("[1,2,3]", CODE, CODE));
    server.kill();
    server.restart();
    assert_eq!(server.api().cancel(&run).state, RunState::Cancelled);
    assert_eq!(server.api().result(&run).state, RunState::Cancelled);
}
