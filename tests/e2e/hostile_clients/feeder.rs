//! The feeder and its database: what one worker or one row does must not stop what stands beside it.

use std::thread;

use serde_json::{Value as Json, json};
use weevil_api::JobHistory;
use weevil_e2e::{DatabaseKind, FakeWorker, TestServer, number, on_each_database, pool_workflow};
use weevil_failpoint::Point;
use weevil_model::{NodeState, RunState};
use weevil_protocol::frame::{
    Assignment, AttemptKey, AttemptResult, ClientFrame, Outcome, ServerFrame, Verdict,
};

/// Jobs that a worker may hold who has delivered nothing yet.
const HELD: usize = 16;

/// Refuses rows of a table before they are written, where this is so of `new`.
fn refuse(server: &TestServer, kind: DatabaseKind, (event, table): (&str, &str), so: &str) {
    server.sql(&match kind {
        DatabaseKind::Sqlite => format!(
            "create trigger poison_{table} before {event} on {table} when {so} begin select raise(abort, 'poisoned'); end"
        ),
        DatabaseKind::MariaDb => format!(
            "\ndelimiter //\ncreate trigger poison_{table} before {event} on {table} for each row begin if {so} then \
             signal sqlstate '45000' set message_text = 'poisoned'; end if; end//\n"
        ),
    });
}

fn keyed(key: &str) -> Json {
    json!({ "source": "function weevil_main() { return 1 }", "queue": "q", "key": key, "retryMs": 0 })
}

fn keys() -> Vec<Json> {
    (0..HELD).map(|at| keyed(&format!("k{at}"))).collect()
}

fn result(key: AttemptKey, outcome: Outcome) -> AttemptResult {
    AttemptResult { key, outcome, slot: 0, compute_us: 1, flops: 0.0, log: None }
}

/// Hands in a value for each, in one frame.
fn hand_in(worker: &mut FakeWorker, jobs: &[Assignment]) {
    let results = jobs.iter().map(|job| result(job.key, number(1.0))).collect();
    worker.capacity = 0;
    worker.send(&ClientFrame::Results { results, capacity: 0 });
}

fn verdicts(worker: &mut FakeWorker, many: usize) -> Vec<(AttemptKey, Verdict)> {
    let mut all = Vec::new();
    while all.len() < many {
        if let ServerFrame::Verdicts(verdicts) = worker.frame().expect("the connection stays") {
            all.extend(verdicts);
        }
    }
    all
}

fn set_aside(server: &TestServer, part: &str) -> f64 {
    server.api().metrics().get(&format!("weevil_asks_set_aside_total{{part=\"{part}\"}}"))
}

/// Values whose job's key ends with a 7 are refused.
fn refuse_one_value(server: &TestServer, kind: DatabaseKind) {
    let so = "new.ending = 'completed' and new.job in (select id from jobs where path = 'k7')";
    refuse(server, kind, ("update", "attempts"), so);
}

fn a_value_that_is_refused_stops_none_of_its_neighbours(kind: DatabaseKind) {
    let mut server = kind.server();
    refuse_one_value(&server, kind);
    let kept = server.api().put_jobs(&keys());
    let mut worker = FakeWorker::join(&server.address, 16);
    let jobs = worker.jobs_until(HELD);
    hand_in(&mut worker, &jobs);
    let verdicts = verdicts(&mut worker, HELD);
    assert!(verdicts.iter().all(|verdict| verdict.1 == Verdict::Accepted), "{verdicts:?}");
    for (at, kept) in kept.iter().enumerate().filter(|(at, _)| *at != 7) {
        assert_eq!(server.api().await_job(&kept.job).result, Some(1.into()), "{at}");
    }
    let history: JobHistory = server.api().json(&format!("/api/v1/jobs/{}", kept[7].job));
    let attempt = &history.attempts[0];
    assert_eq!(
        (attempt.kind.as_deref(), history.job.state),
        (Some("notStored"), NodeState::Enqueued),
        "{history:?}"
    );
    let words = attempt.message.as_deref().unwrap_or_default();
    assert!(words.contains("poisoned"), "{words}");
    assert!((set_aside(&server, "report") - 1.0).abs() < 0.1);
    assert_eq!(server.api().await_ready(200).status, 200);
    server.sql("drop trigger poison_attempts");
    let mut other = FakeWorker::join(&server.address, 1);
    let again = other.job();
    hand_in(&mut other, &[again]);
    assert_eq!(server.api().await_job(&kept[7].job).result, Some(1.into()));
    server.audit();
}

/// Alone it waits; with the first neighbour that is taken it is told.
fn a_request_that_is_refused_is_told_so(kind: DatabaseKind) {
    let mut server = kind.server();
    let other = server.api().put_job(&keyed("other"));
    let mut worker = FakeWorker::join(&server.address, 1);
    let held = worker.job();
    refuse(&server, kind, ("insert", "jobs"), "new.path = 'poison'");
    thread::scope(|scope| {
        let poison = scope.spawn(|| server.api().post_json("/api/v1/jobs", &keyed("poison")));
        server.api().await_metric("weevil_batch_failures_total", 3.0);
        hand_in(&mut worker, &[held]);
        let (status, refusal) = poison.join().expect("nobody panics").refusal();
        assert_eq!((status, refusal.code.as_str()), (422, "jobNotStored"), "{refusal:?}");
    });
    assert_eq!(server.api().await_job(&other.job).result, Some(1.into()));
    assert_eq!(server.api().await_ready(200).status, 200);
    assert!((set_aside(&server, "job") - 1.0).abs() < 0.1);
    server.audit();
}

fn a_node_whose_job_is_refused_fails_its_run_and_no_other(kind: DatabaseKind) {
    let mut server = kind.server();
    refuse(&server, kind, ("insert", "jobs"), "new.path like '%/17/%'");
    let code = "function weevil_main(n) { return n }";
    let sum = "function weevil_main(all) { return all.length }";
    let many = |len: usize| Json::from((0..len).collect::<Vec<_>>()).to_string();
    let run = server.api().run(&pool_workflow(&many(2_048), code, sum));
    let view = server.api().await_end(&run);
    let error = view.error.expect("a failed run says why");
    assert_eq!(
        (view.summary.state, error.attempts[0].kind.as_str()),
        (RunState::Failed, "notStored"),
        "{error:?}"
    );
    assert!(error.node.contains("/17/"), "{error:?}");
    assert!((server.api().metrics().get("weevil_jobs_enqueued_total") - 2_047.0).abs() < 0.1);
    server.audit();
}

fn a_database_that_refuses_everything_sets_nothing_aside(kind: DatabaseKind) {
    let mut server = kind.server();
    let kept = server.api().put_jobs(&keys());
    let mut worker = FakeWorker::join(&server.address, 16);
    let jobs = worker.jobs_until(HELD);
    refuse(&server, kind, ("update", "attempts"), "1 = 1");
    refuse(&server, kind, ("update", "jobs"), "1 = 1");
    hand_in(&mut worker, &jobs);
    server.api().await_metric("weevil_batch_failures_total", 6.0);
    let unready = server.api().await_ready(503);
    assert!(unready.text.contains("does not take it"), "{}", unready.text);
    assert!(set_aside(&server, "report") < 0.1);
    server.sql("drop trigger poison_attempts; drop trigger poison_jobs");
    assert!(verdicts(&mut worker, HELD).iter().all(|verdict| verdict.1 == Verdict::Accepted));
    // What was tried between the two drops may have been set aside: it is computed once more.
    thread::spawn({
        let address = server.address.clone();
        move || weevil_e2e::answer_all(FakeWorker::join(&address, 16))
    });
    for kept in kept {
        assert_eq!(server.api().await_job(&kept.job).result, Some(1.into()));
    }
    server.audit();
}

fn a_kill_between_two_pieces_loses_nothing(kind: DatabaseKind) {
    for nth in [1, 2, 4] {
        let mut server = kind.server();
        refuse_one_value(&server, kind);
        let kept = server.api().put_jobs(&keys());
        server.kill();
        assert!(server.restart_to_die(Point::PieceCommitted, nth));
        let mut worker = FakeWorker::join(&server.address, 16);
        let jobs = worker.jobs_until(HELD);
        hand_in(&mut worker, &jobs);
        server.await_death();
        server.restart();
        server.sql("drop trigger poison_attempts");
        let mut again = FakeWorker::join(&server.address, 0);
        hand_in(&mut again, &jobs);
        assert!(verdicts(&mut again, HELD).iter().all(|verdict| verdict.1 != Verdict::Unknown), "{nth}");
        thread::spawn({
            let address = server.address.clone();
            move || weevil_e2e::answer_all(FakeWorker::join(&address, 16))
        });
        for kept in kept {
            assert_eq!(server.api().await_job(&kept.job).result, Some(1.into()), "{nth}");
        }
        server.audit();
    }
}

/// What no worker holds costs a bounded number of look-ups, and no renewal.
fn heartbeats_of_unknown_attempts_are_not_heard_for_ever(kind: DatabaseKind) {
    const SOCKETS: u32 = 4;
    const HEARTBEATS: u32 = 3;
    const NAMED: i64 = 2_048;
    let server = kind.server();
    let mut flood: Vec<FakeWorker> = (0..SOCKETS).map(|_| FakeWorker::join(&server.address, 0)).collect();
    for at in 0..HEARTBEATS {
        for worker in &mut flood {
            let key = |n| AttemptKey { job: i64::from(at) * NAMED + n + 1, token: 7 };
            let holding: Vec<AttemptKey> = (0..NAMED).map(key).collect();
            worker.send(&ClientFrame::Heartbeat {
                holding: holding.clone(),
                slots: 1,
                capacity: 0,
                progress: vec![],
                duty: None,
            });
            worker.send(&ClientFrame::Yield { attempts: holding, capacity: 0 });
        }
    }
    let kept = server.api().put_job(&keyed("honest"));
    let mut honest = FakeWorker::join(&server.address, 1);
    let held = honest.job();
    hand_in(&mut honest, &[held]);
    assert_eq!(server.api().await_job(&kept.job).result, Some(1.into()));
    // Every socket's last frame has been read: it would be refused if it came after a ping.
    for worker in &mut flood {
        worker.ping();
    }
    let parts = server.api().metrics().get("weevil_batch_parts_sum");
    assert!(parts < 1.25 * 4_096.0 * f64::from(SOCKETS), "{parts} rows for {SOCKETS} sockets");
}

/// A router restarts and takes a thousand tabs along.
fn a_thousand_workers_that_leave_at_once_hold_nothing_up(kind: DatabaseKind) {
    const WORKERS: usize = 1_000;
    const ENDED: u32 = 200_000;
    let mut server = kind.server();
    server.sql(&ended_jobs(kind, ENDED));
    let jobs: Vec<Json> = (0..WORKERS).map(|at| keyed(&format!("c{at}"))).collect();
    let kept = server.api().put_jobs_when_ready(&jobs);
    let mut crowd: Vec<FakeWorker> = (0..WORKERS).map(|_| FakeWorker::join(&server.address, 1)).collect();
    for worker in &mut crowd {
        worker.job();
    }
    drop(crowd);
    thread::spawn({
        let address = server.address.clone();
        move || weevil_e2e::answer_all(FakeWorker::join(&address, 2_048))
    });
    for kept in kept {
        assert_eq!(server.api().await_job(&kept.job).result, Some(1.into()));
    }
    let metrics = server.api().metrics();
    let ended = |end: &str| metrics.get(&format!("weevil_attempts_ended_total{{end=\"{end}\"}}"));
    assert!(
        ended("expired") < 0.1 && (ended("lost") - 1_000.0).abs() < 0.1,
        "{} {}",
        ended("lost"),
        ended("expired")
    );
    server.audit();
}

/// Jobs of another queue that were cancelled, each with an input of half a kilobyte.
fn ended_jobs(kind: DatabaseKind, many: u32) -> String {
    let (numbers, blob) = match kind {
        DatabaseKind::Sqlite => (
            format!(
                "with recursive n(x) as (select 1 union all select x + 1 from n where x < {many}) select x from n"
            ),
            "zeroblob(500)",
        ),
        DatabaseKind::MariaDb => (format!("select seq as x from seq_1_to_{many}"), "repeat('x', 500)"),
    };
    format!(
        "insert into jobs (id, code, source, input, seed, order_key, timeout_ms, max_attempts, delivery, outcome,
             enqueued_at, ended_at, queue, path)
         select x, x'00', 's', {blob}, 0, 0, 1, 3, 2, 'cancelled', 1, 4102444800000, 'old', x from ({numbers}) ended;
         update project_usage set stored_bytes = stored_bytes + 500 * {many}"
    )
}

on_each_database! {
    a_value_that_is_refused_stops_none_of_its_neighbours,
    a_request_that_is_refused_is_told_so,
    a_node_whose_job_is_refused_fails_its_run_and_no_other,
    a_database_that_refuses_everything_sets_nothing_aside,
    a_kill_between_two_pieces_loses_nothing,
    heartbeats_of_unknown_attempts_are_not_heard_for_ever,
    a_thousand_workers_that_leave_at_once_hold_nothing_up,
}
