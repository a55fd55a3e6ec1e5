//! What the queue promises to workers and researchers, seen over the wire, on each kind of database.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use weevil_e2e::{
    DatabaseKind, FakeWorker, Fleet, Habits, TestServer, job_workflow, number, on_each_database,
    pool_workflow, thrown,
};
use weevil_model::RunState;
use weevil_protocol::frame::{AttemptResult, ClientFrame, ServerFrame, Verdict};

const CODE: &str = "function weevil_main(...inputs) { return 1 }";
/// Long enough for a machine on which a commit takes seconds.
const LEASE: Duration = Duration::from_secs(6);
const LEASES: &[&str] = &["--lease-seconds", "6", "--heartbeat-seconds", "1"];

/// A run of one job, which waits.
fn waiting(server: &TestServer, attributes: &str) -> String {
    let run = server.api().run(&job_workflow(CODE, attributes));
    server.api().await_waiting(&run, 1);
    run
}

fn priorities_order_as_numbers(kind: DatabaseKind) {
    let server = kind.server();
    let runs =
        [0, 9, -5, 100, 10].map(|priority| (priority, waiting(&server, &format!("priority=\"{priority}\""))));
    let mut worker = FakeWorker::join(&server.address, 1);
    for place in 1..=5 {
        let job = worker.job();
        worker.capacity = u32::from(place < 5);
        // The next job may come before the verdict; so it is not waited for.
        worker.send(&results(job.key, f64::from(place), worker.capacity));
    }
    let mut found = runs.map(|(priority, run)| (server.api().await_end(&run).result, priority));
    found.sort_by_key(|(place, _)| place.as_ref().and_then(serde_json::Value::as_i64));
    assert_eq!(found.map(|(_, priority)| priority), [100, 10, 9, 0, -5]);
}

fn results(key: weevil_protocol::frame::AttemptKey, value: f64, capacity: u32) -> ClientFrame {
    let result = AttemptResult { key, outcome: number(value), slot: 0, compute_us: 1, flops: 0.0, log: None };
    ClientFrame::Results { results: vec![result], capacity }
}

fn of_two_workers_that_ask_for_one_job_one_gets_it(kind: DatabaseKind) {
    let server = kind.server();
    let workers = [1.0, 2.0].map(|value| (value, FakeWorker::join(&server.address, 1)));
    server.api().await_fleet(|fleet| fleet.workers.len() == 2);
    let first = server.api().run(&job_workflow(CODE, ""));
    let taken = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for (value, mut worker) in workers {
            let taken = &taken;
            scope.spawn(move || {
                let job = worker.job();
                worker.capacity = 0;
                let verdicts = worker.report(vec![(job.key, number(value))]);
                taken.lock().expect("nobody panics").push((job.key.job, value, verdicts));
            });
        }
        // Whoever got nothing gets this run's job.
        server.api().await_end(&first);
        server.api().run(&job_workflow(CODE, ""));
    });
    let taken = taken.into_inner().expect("nobody panics");
    assert!(taken.iter().all(|(_, _, verdicts)| verdicts == &[Verdict::Accepted]), "{taken:?}");
    assert_ne!(taken[0].0, taken[1].0, "two jobs: {taken:?}");
}

fn a_superseded_result_changes_nothing_and_is_told_so(kind: DatabaseKind) {
    let mut server = kind.server();
    let run = server.api().run(&job_workflow(CODE, ""));
    let mut old = FakeWorker::join(&server.address, 1);
    let given_back = old.job();
    old.capacity = 0;
    old.send(&ClientFrame::Yield { attempts: vec![given_back.key], capacity: 0 });
    let mut new = FakeWorker::join(&server.address, 1);
    let held = new.job();
    assert_eq!(held.key.job, given_back.key.job);
    assert_eq!(old.report(vec![(given_back.key, number(9.0))]), [Verdict::Superseded]);
    assert_eq!(old.report(vec![(given_back.key, thrown("boom"))]), [Verdict::Superseded]);
    assert_eq!(new.report(vec![(held.key, number(2.0))]), [Verdict::Accepted]);
    assert_eq!(server.api().await_end(&run).result, Some(2.into()));
    assert_eq!(old.report(vec![(given_back.key, number(9.0))]), [Verdict::Superseded], "nor afterwards");
    assert_eq!(server.api().result(&run).result, Some(2.into()));
    assert_eq!(server.audit().attempts, 2);
}

fn a_long_job_that_heartbeats_is_never_taken_away(kind: DatabaseKind) {
    let mut server = kind.server_with(LEASES);
    let long = LEASE * 5 / 2;
    let fleet = Fleet::start(&server.address, 0, &[(2, Habits::at_once(1).working(long, long))]);
    let run = server.api().run(&job_workflow(CODE, ""));
    assert_eq!(server.api().await_end(&run).summary.state, RunState::Finished);
    assert!(span(&server, &run) > LEASE * 2);
    assert_eq!((fleet.ledger().assigned(), fleet.ledger().revoked()), (1, 0), "{}", fleet.ledger());
    assert_eq!(server.audit().attempts, 1);
}

/// How long the first attempt of a run's first job has lasted, by the server's clock.
fn span(server: &TestServer, run: &str) -> Duration {
    let attempt = server.api().first_job(run).attempts.remove(0);
    let ended_at = attempt.ended_at.expect("it has ended");
    Duration::from_millis(ended_at.abs_diff(attempt.started_at))
}

/// How soon it is noticed, a busy machine decides.
fn a_silent_worker_loses_its_job_after_its_lease_and_not_before(kind: DatabaseKind) {
    let server = kind.server_with(LEASES);
    let run = server.api().run(&job_workflow(CODE, ""));
    let mut silent = FakeWorker::join(&server.address, 1);
    let came = server.api().await_fleet(|fleet| fleet.workers.len() == 1).workers[0].connected_at;
    silent.job();
    let next = Fleet::start(&server.address, 0, &[(1, Habits::at_once(1))]);
    next.ledger().await_counts(1, 0);
    // Its lease has ended, or its connection, which was silent for as long since its hello.
    let first = server.api().first_job(&run).attempts.remove(0);
    assert!(matches!(first.end.as_deref(), Some("expired" | "lost")), "{first:?}");
    let (lasted, slack) = (first.ended_at.expect("it has ended").abs_diff(came), Duration::from_millis(500));
    eprintln!("a lease of {LEASE:?} ended after {lasted} ms");
    assert!(Duration::from_millis(lasted) + slack >= LEASE, "{lasted} ms");
}

fn a_yield_frees_the_job_at_once_and_counts_as_nothing(kind: DatabaseKind) {
    const YIELDS: usize = 9;
    let server = kind.server();
    let run = waiting(&server, "");
    let behind = waiting(&server, "");
    let mut worker = FakeWorker::join(&server.address, 1);
    let mut job = worker.job();
    for _ in 0..YIELDS {
        worker.send(&ClientFrame::Yield { attempts: vec![job.key], capacity: 1 });
        let next = worker.job();
        assert_eq!(next.key.job, job.key.job, "at once: the one behind it is not handed out first");
        job = next;
    }
    server.api().cancel(&behind);
    drop(worker);
    for message in ["a", "b", "c"] {
        let mut worker = FakeWorker::join(&server.address, 1);
        let job = worker.job();
        worker.capacity = 0;
        assert_eq!(worker.report(vec![(job.key, thrown(message))]), [Verdict::Accepted]);
    }
    let error = server.api().await_end(&run).error.expect("a failed run says why");
    let told: Vec<_> = error.attempts.iter().map(|error| (error.attempt, error.message.as_str())).collect();
    // Nine were given back and the tenth was lost with its connection.
    assert_eq!(told, [(11, "a"), (12, "b"), (13, "c")], "every error, and nothing but errors");
}

fn cancel_racing_complete_has_one_winner(kind: DatabaseKind) {
    let mut server = kind.server();
    for round in 0..20 {
        let run = server.api().run(&job_workflow(CODE, ""));
        let mut worker = FakeWorker::join(&server.address, 1);
        let job = worker.job();
        let (ended, verdict) = thread::scope(|scope| {
            let cancel = scope.spawn(|| server.api().cancel(&run));
            worker.send(&results(job.key, 1.0, 0));
            let verdict = verdict(&mut worker);
            (cancel.join().expect("nobody panics"), verdict)
        });
        // What the server said first is what it says ever after.
        let later = server.api().result(&run);
        assert_eq!((ended.state, &ended.result), (later.state, &later.result), "{round}");
        match later.state {
            RunState::Finished => assert_eq!((verdict, later.result), (Verdict::Accepted, Some(1.into()))),
            // The result of a job may be stored when its run is cancelled, and is then nobody's.
            RunState::Cancelled => assert_eq!(later.result, None),
            other => panic!("{round}: {other:?}"),
        }
    }
    assert_eq!(server.audit().open, 0);
}

fn verdict(worker: &mut FakeWorker) -> Verdict {
    loop {
        if let ServerFrame::Verdicts(verdicts) = worker.frame().expect("the connection stays") {
            return verdicts[0].1;
        }
    }
}

fn what_waits_in_other_runs_stands_in_nobodys_way(kind: DatabaseKind) {
    const EACH: u32 = 5000;
    let server = kind.server();
    let input = format!("[{}]", vec!["1"; EACH as usize].join(","));
    for others in 1..=2 {
        server.api().run(&pool_workflow(&input, CODE, CODE));
        server.api().await_queue(|queue| queue.ready == u64::from(others * EACH));
    }
    let urgent = waiting(&server, "priority=\"1\"");
    let mut worker = FakeWorker::join(&server.address, 1);
    let job = worker.job();
    worker.capacity = 0;
    assert_eq!(worker.report(vec![(job.key, number(5.0))]), [Verdict::Accepted]);
    assert_eq!(server.api().await_end(&urgent).result, Some(5.into()));
}

on_each_database! {
    priorities_order_as_numbers,
    of_two_workers_that_ask_for_one_job_one_gets_it,
    a_superseded_result_changes_nothing_and_is_told_so,
    a_long_job_that_heartbeats_is_never_taken_away,
    a_silent_worker_loses_its_job_after_its_lease_and_not_before,
    a_yield_frees_the_job_at_once_and_counts_as_nothing,
    cancel_racing_complete_has_one_winner,
    what_waits_in_other_runs_stands_in_nobodys_way,
}
