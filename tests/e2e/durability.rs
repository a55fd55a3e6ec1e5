//! What SIGKILL may take from a run: nothing.

use std::collections::HashMap;

use weevil_e2e::{Browser, DatabaseKind, FakeWorker, MariaDb, TestServer, number, pool_workflow, shipped};
use weevil_model::RunState;
use weevil_protocol::frame::{Assignment, AttemptKey, Outcome, Verdict};

const CODE: &str = "function weevil_main(...inputs) { return 1 }";

fn answers(jobs: &[Assignment]) -> Vec<(AttemptKey, Outcome)> {
    jobs.iter().map(|job| (job.key, number(1.0))).collect()
}

#[test]
fn acknowledged_results_survive_and_nothing_is_computed_twice() {
    for database in [DatabaseKind::Sqlite, DatabaseKind::MariaDb] {
        survives(database.server());
    }
}

fn survives(mut server: TestServer) {
    let input = format!("[{}]", vec!["7"; 100].join(","));
    let run = server.api().run(&pool_workflow(&input, CODE, CODE));
    let mut handed: HashMap<i64, u32> = HashMap::new();
    let mut done = 0;
    // Each round answers some jobs, holds others, and loses the server.
    for _ in 0..4 {
        let mut worker = FakeWorker::join(&server.address, 40);
        // All that a newcomer is given, and then as many more as it has delivered.
        for holds in [16, 20] {
            let jobs = worker.jobs_until(holds);
            let answered = &jobs[..10];
            for job in answered {
                *handed.entry(job.key.job).or_default() += 1;
            }
            assert!(worker.report(answers(answered)).iter().all(|verdict| *verdict == Verdict::Accepted));
            done += answered.len();
        }
        server.kill();
        server.restart();
    }
    let mut worker = FakeWorker::join(&server.address, 200);
    let mut rest = Vec::new();
    while rest.len() < 100 - done {
        let jobs = worker.jobs();
        worker.report(answers(&jobs));
        rest.extend(jobs);
    }
    assert_eq!(rest.len(), 100 - done, "only what was not answered");
    assert!(rest.iter().all(|job| !handed.contains_key(&job.key.job)), "no answered job is handed out again");
    let reducer = worker.job();
    assert_eq!(reducer.input.len(), 3 + 100, "every result has reached the reducer");
    server.kill();
    server.restart();
    // The result of the job that was held when the server died is still good.
    let mut again = FakeWorker::join(&server.address, 0);
    assert_eq!(again.report(vec![(reducer.key, number(100.0))]), [Verdict::Accepted]);
    let view = server.api().await_end(&run);
    assert_eq!((view.summary.state, view.result), (RunState::Finished, Some(100.into())));
    server.kill();
    server.restart();
    assert_eq!(server.api().view(&run).result, Some(100.into()), "an ended run is still there");
    assert_eq!(server.api().result(&run).result, Some(100.into()));
}

#[test]
fn a_run_goes_on_when_its_database_has_been_killed() {
    let mut maria = MariaDb::start();
    let server = TestServer::start(&["--database", &maria.database()]);
    let run = server.api().run(&pool_workflow(&format!("[{}]", vec!["7"; 48].join(",")), CODE, CODE));
    for _ in 0..3 {
        let mut worker = FakeWorker::join(&server.address, 16);
        let jobs = worker.jobs_until(16);
        maria.kill();
        let (status, refusal) = server.api().refused(&pool_workflow("[1]", CODE, CODE), &[]);
        assert_eq!((status, refusal.code.as_str()), (503, "store"));
        maria.restart();
        // Told once the database has it, without any restart of the server.
        assert!(worker.report(answers(&jobs)).iter().all(|verdict| *verdict == Verdict::Accepted));
    }
    let mut worker = FakeWorker::join(&server.address, 1);
    let reducer = worker.job();
    assert_eq!(worker.report(vec![(reducer.key, number(60.0))]), [Verdict::Accepted]);
    let view = server.api().await_end(&run);
    assert_eq!((view.summary.state, view.result), (RunState::Finished, Some(60.into())));
}

#[test]
fn a_browser_carries_on_through_a_restart_to_the_same_result() {
    let mut files = shipped("pi");
    let input = files.iter_mut().find(|(path, _)| path == "samples.json").expect("samples");
    input.1 = format!("[{}]", vec!["100000"; 300].join(",")).into_bytes();
    let undisturbed = {
        let server = TestServer::start(&[]);
        let browser = Browser::start();
        let _tab = browser.open(&server.url("/?autostart&slots=1"));
        server.api().await_end(&server.api().run(&files)).result
    };
    let mut server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=1"));
    let run = server.api().run(&files);
    for part in [50, 150] {
        server.api().await_run(&run, |view| view.summary.progress.done >= part);
        server.kill();
        server.restart();
    }
    let view = server.api().await_end(&run);
    assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
    assert_eq!(view.result, undisturbed);
    assert_eq!(view.stats.jobs, 301, "each job is counted once");
}
