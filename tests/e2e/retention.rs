//! What ended longer ago than the retention period is forgotten; what runs is not.

use weevil_e2e::{FakeWorker, TestServer, job_workflow, number};

#[test]
fn an_old_run_goes_and_an_open_one_stays() {
    let server = TestServer::start(&["--retention-seconds", "1"]);
    let files = job_workflow("function weevil_main() { return 1 }", "");
    let [old, open] = [0, 1].map(|_| server.api().run(&files));
    let mut worker = FakeWorker::join(&server.address, 1);
    let job = worker.job();
    worker.report(vec![(job.key, number(1.0))]);
    server.api().await_end(&old);
    let left = server.api().await_runs(|runs| runs.len() == 1);
    assert_eq!(left[0].id, open);
    assert_eq!(server.api().status_of("GET", &format!("/api/v1/runs/{old}")), 404);
    assert_eq!(server.api().status_of("GET", &format!("/api/v1/runs/{open}")), 200);
}
