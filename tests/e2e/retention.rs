//! What ended longer ago than the retention period is forgotten; what runs is not.

use weevil_e2e::{FakeWorker, TestServer, job_workflow, number};
use weevil_protocol::frame::Verdict;

#[test]
fn an_old_run_goes_and_an_open_one_stays() {
    let server = TestServer::start(&["--retention-seconds", "1"]);
    let files = job_workflow("function weevil_main() { return 1 }", "");
    let old = server.api().run(&files);
    let mut worker = FakeWorker::join(&server.address, 1);
    let job = worker.job();
    let open = server.api().run(&files);
    worker.capacity = 0;
    assert_eq!(worker.report(vec![(job.key, number(1.0))]), [Verdict::Accepted]);
    // A list may be a second old, and know of the old run alone.
    server.api().await_runs(|runs| runs.iter().map(|run| run.id.as_str()).eq([open.as_str()]));
    assert_eq!(server.api().status_of("GET", &format!("/api/v1/runs/{old}")), 404);
    assert_eq!(server.api().status_of("GET", &format!("/api/v1/runs/{open}")), 200);
}
