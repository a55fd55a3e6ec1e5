//! Who has a job, and what becomes of it when its worker fails: seen by workers over the wire.

use weevil_e2e::{FakeWorker, TestServer, job_workflow, number, pool_workflow, thrown};
use weevil_model::RunState;
use weevil_protocol::frame::{ClientFrame, Verdict};

const CODE: &str = "function weevil_main(...inputs) { return 1 }";

#[test]
fn a_worker_that_vanishes_gives_its_job_to_the_next_one() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow(CODE, ""));
    let mut lost = FakeWorker::join(&server.address, 1);
    let first = lost.job();
    drop(lost);
    let mut next = FakeWorker::join(&server.address, 1);
    let second = next.job();
    assert_eq!((first.key.job, first.seed, &first.input), (second.key.job, second.seed, &second.input));
    assert_ne!(first.key.token, second.key.token);
    assert_eq!(next.report(vec![(second.key, number(5.0))]), [Verdict::Accepted]);
    assert_eq!(server.api().await_end(&run).result, Some(5.into()));
}

#[test]
fn a_silent_worker_loses_its_job_and_its_late_result_is_answered() {
    let server = TestServer::start(&["--lease-seconds", "2", "--heartbeat-seconds", "1"]);
    let run = server.api().run(&job_workflow(CODE, ""));
    let mut silent = FakeWorker::join(&server.address, 1);
    let held = silent.job();
    server.api().await_run(&run, |view| view.summary.progress.queued == 1);
    let mut next = FakeWorker::join(&server.address, 1);
    let taken = next.job();
    assert_eq!(taken.key.job, held.key.job);
    assert_eq!(next.report(vec![(taken.key, number(2.0))]), [Verdict::Accepted]);
    assert_eq!(server.api().await_end(&run).result, Some(2.into()));
    let mut late = FakeWorker::join(&server.address, 0);
    assert_eq!(late.report(vec![(held.key, number(9.0))]), [Verdict::Superseded]);
    assert_eq!(server.api().result(&run).result, Some(2.into()));
}

#[test]
fn a_worker_that_comes_back_hears_which_attempts_are_somebody_elses() {
    let server = TestServer::start(&[]);
    server.api().run(&pool_workflow("[1,2]", CODE, CODE));
    let mut lost = FakeWorker::join(&server.address, 2);
    let held = lost.jobs_until(2);
    drop(lost);
    let mut next = FakeWorker::join(&server.address, 1);
    let taken = next.job();
    let mut back = FakeWorker::join(&server.address, 0);
    let holding = held.iter().map(|job| job.key).collect();
    back.send(&ClientFrame::Heartbeat { holding, slots: 1, capacity: 0, progress: vec![], duty: None });
    let gone = held.iter().map(|job| job.key).find(|key| key.job == taken.key.job);
    assert_eq!(back.revoked(), Vec::from_iter(gone), "the other one waits, and may still be handed in");
}

#[test]
fn a_yielded_job_comes_back_at_once_and_a_result_is_applied_once() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow(CODE, ""));
    let mut worker = FakeWorker::join(&server.address, 1);
    let first = worker.job();
    worker.send(&ClientFrame::Yield { attempts: vec![first.key], capacity: 1 });
    let second = worker.job();
    assert_eq!(first.key.job, second.key.job);
    assert_eq!(worker.report(vec![(first.key, number(1.0))]), [Verdict::Superseded]);
    let twice = vec![(second.key, number(2.0)), (second.key, number(3.0))];
    assert_eq!(worker.report(twice), [Verdict::Accepted, Verdict::Accepted]);
    assert_eq!(server.api().await_end(&run).result, Some(2.into()));
}

#[test]
fn jobs_are_dealt_among_all_who_want_some() {
    let server = TestServer::start(&[]);
    let mut one = FakeWorker::join(&server.address, 2);
    let mut two = FakeWorker::join(&server.address, 2);
    server.api().await_fleet(|fleet| fleet.workers.len() == 2);
    server.api().run(&pool_workflow("[1,2,3,4]", CODE, CODE));
    let counts = [one.jobs_until(2).len(), two.jobs_until(2).len()];
    assert_eq!(counts, [2, 2]);
}

#[test]
fn the_reducer_gets_the_results_in_the_order_of_the_input() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&pool_workflow("[10,20,30]", CODE, CODE));
    let mut worker = FakeWorker::join(&server.address, 3);
    let mut jobs = worker.jobs_until(3);
    jobs.reverse();
    let answers =
        jobs.iter().map(|job| (job.key, number(f64::from(job.input[job.input.len() - 1])))).collect();
    worker.report(answers);
    let reducer = worker.job();
    // One argument: the array [10, 20, 30], each as CBOR sent it (24 and up take a second byte).
    assert_eq!(reducer.input.as_slice(), [0x81, 0x83, 0x0a, 0x14, 0x18, 30]);
    worker.report(vec![(reducer.key, number(60.0))]);
    assert_eq!(server.api().await_end(&run).result, Some(60.into()));
}

#[test]
fn errors_use_attempts_up_and_one_place_cannot_agree_with_itself() {
    for messages in [["a", "b", "c"], ["same", "same", "same"]] {
        let server = TestServer::start(&[]);
        let run = server.api().run(&job_workflow(CODE, ""));
        for message in messages {
            // A new connection is a new worker; the old one goes.
            let mut worker = FakeWorker::join(&server.address, 1);
            let job = worker.job();
            assert_eq!(worker.report(vec![(job.key, thrown(message))]), [Verdict::Accepted]);
        }
        let view = server.api().await_end(&run);
        assert_eq!(view.summary.state, RunState::Failed);
        let error = view.error.expect("a failed run says why");
        assert_eq!(error.node, "only");
        let reported: Vec<&str> = error.attempts.iter().map(|attempt| attempt.message.as_str()).collect();
        assert_eq!(reported, messages);
        assert_eq!(error.attempts[0].stack, "at weevil_main");
    }
}

#[test]
fn a_run_that_has_ended_leaves_no_jobs_behind() {
    let server = TestServer::start(&[]);
    // The final node ends the run while its value is still on its way into the pool.
    let mut early = pool_workflow(&format!("[{}]", vec!["1"; 20_000].join(",")), CODE, CODE);
    let document = String::from_utf8(early[0].1.clone()).expect("text");
    early[0].1 = document.replace("finalnode id=\"pool\"", "finalnode id=\"input\"").into_bytes();
    let ended = server.api().run(&early);
    assert_eq!(server.api().await_end(&ended).summary.state, RunState::Finished);
    server.api().run(&job_workflow("function weevil_main() { return 'the next run' }", ""));
    let mut worker = FakeWorker::join(&server.address, 10);
    assert_eq!(worker.jobs().len(), 1, "only the next run's job");
}

#[test]
fn a_ping_is_answered() {
    let server = TestServer::start(&[]);
    FakeWorker::join(&server.address, 0).ping();
}

#[test]
fn a_failed_run_takes_its_other_jobs_back() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&pool_workflow("[1,2]", CODE, CODE));
    let mut worker = FakeWorker::join(&server.address, 2);
    let jobs = worker.jobs_until(2);
    let mut other = FakeWorker::join(&server.address, 0);
    worker.capacity = 0;
    worker.report(vec![(jobs[0].key, thrown("boom"))]);
    other.send(&ClientFrame::Heartbeat {
        holding: vec![],
        slots: 1,
        capacity: 1,
        progress: vec![],
        duty: None,
    });
    other.capacity = 1;
    for _ in 0..2 {
        let again = other.job();
        other.report(vec![(again.key, thrown("boom"))]);
    }
    assert_eq!(server.api().await_end(&run).summary.state, RunState::Failed);
    assert_eq!(worker.revoked(), [jobs[1].key]);
}
