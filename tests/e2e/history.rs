//! What became of jobs: listed page by page, and told attempt by attempt, by the API and the command line.

use weevil_api::{JobHistory, JobPage};
use weevil_e2e::{FakeWorker, TestServer, number, pool_workflow, thrown};
use weevil_model::NodeState;

fn weevil(server: &TestServer, args: &[&str]) -> String {
    let url = server.url("");
    let output = server.command().args(args).args(["--server", &url]).output().expect("it runs");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn jobs_and_their_attempts_can_be_looked_back_at() {
    let server = TestServer::start(&[]);
    let same = "function weevil_main(n) { return n }";
    let sum = "function weevil_main(all) { return all.length }";
    let run = server.api().run(&pool_workflow("[1, 2, 3]", same, sum));
    let mut worker = FakeWorker::join(&server.address, 1);
    let first = worker.job();
    worker.report(vec![(first.key, thrown("boom"))]);
    for _ in 0..4 {
        let job = worker.job();
        worker.report(vec![(job.key, number(1.0))]);
    }
    server.api().await_end(&run);

    let mut pages = Vec::new();
    let mut next = Some(String::new());
    while let Some(after) = next {
        let page: JobPage = server.api().json(&format!("/api/v1/runs/{run}/jobs?limit=3{after}"));
        next = page.next.map(|path| format!("&after={path}"));
        pages.push(page.jobs);
    }
    assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [3, 1]);
    let jobs = pages.concat();
    assert!(jobs.iter().all(|job| job.state == NodeState::Finished), "{jobs:?}");
    let failed = jobs.iter().find(|job| job.failures == 1).expect("one has failed once");
    let history: JobHistory = server.api().json(&format!("/api/v1/jobs/{}", failed.id));
    let ends: Vec<_> = history.attempts.iter().map(|attempt| attempt.end.as_deref()).collect();
    assert_eq!((history.run.as_deref(), ends), (Some(run.as_str()), vec![Some("error"), Some("completed")]));
    assert_eq!(history.attempts[0].message.as_deref(), Some("boom"));

    let listed = weevil(&server, &["jobs", &run]);
    assert_eq!(listed.lines().count(), 4);
    assert!(listed.contains(&format!("{}  FINISHED   1 of 3 attempts failed", failed.id)), "{listed}");
    for (asked, jobs) in [
        (&["--failed"][..], 1),
        (&["BOOM"], 1),
        (&["nobody"], 0),
        (&["--state", "finished"], 4),
        (&["--state", "failed"], 0),
        (&["--node", "pool"], 4),
        (&["--node", "pool", "--failed", "--state", "finished"], 1),
    ] {
        let listed = weevil(&server, &[&["jobs", &run], asked].concat());
        assert_eq!(listed.lines().count(), jobs, "{asked:?} {listed}");
    }
    let told = weevil(&server, &["explain", &failed.id]);
    assert!(told.contains("boom") && told.contains("completed"), "{told}");
    for (path, status) in [
        (format!("/api/v1/runs/{run}/jobs?limit=some"), 400),
        ("/api/v1/runs/run_38fyq0j4r0000/jobs".to_owned(), 404),
        ("/api/v1/jobs/job_38fyq0j4r0000".to_owned(), 404),
        ("/api/v1/jobs/nonsense".to_owned(), 400),
    ] {
        assert_eq!(server.api().status_of("GET", &path), status, "{path}");
    }
}
