//! The figures of the queue: jobs a second with every result durable, how soon the next job comes, what a long line costs,
//! what ten thousand idle workers cost.

use std::path::Path;
use std::time::Duration;

use weevil_e2e::{Api, DatabaseKind, Fleet, Habits, TestServer, cpu_seconds, pool_workflow, resident};
use weevil_model::RunState;

use crate::floor;
use crate::measure::Figures;
use crate::sizes::sized;

const SEED: u64 = 4;
pub(crate) const SQLITE_JOBS: u64 = 500_000;
pub(crate) const MARIADB_JOBS: u64 = 100_000;
/// Workers that answer at once, and how many jobs each wants to hold.
const WORKERS: usize = 8;
const CAPACITY: u32 = 512;
const PATIENCE: Duration = Duration::from_mins(10);

/// 500 jobs a second: this many workers with one job of this time each.
const DISPATCH_WORKERS: usize = 5;
const DISPATCH_WORK: Duration = Duration::from_millis(10);
const DISPATCH_JOBS: u64 = 5_000;

const IDLE_WORKERS: usize = 10_000;
/// Longer than a lease: who was not heard by then is gone.
const IDLE_TIME: Duration = Duration::from_secs(70);

/// Jobs a second, the server's processor time for each, what the store alone does, and the first over the third.
pub(crate) fn sqlite(binary: &Path, figures: usize) -> Vec<Figures> {
    let (rates, cpu) = throughput(binary, DatabaseKind::Sqlite, SQLITE_JOBS, figures);
    let [floors, over] = floor::beside(DatabaseKind::Sqlite, &rates);
    vec![rates, cpu, floors, over]
}

/// The same without the processor time: the database has a process of its own.
pub(crate) fn mariadb(binary: &Path, figures: usize) -> Vec<Figures> {
    let (rates, _) = throughput(binary, DatabaseKind::MariaDb, MARIADB_JOBS, figures);
    let [floors, over] = floor::beside(DatabaseKind::MariaDb, &rates);
    vec![rates, floors, over]
}

/// The figures of `rate`, of a server each.
fn throughput(binary: &Path, database: DatabaseKind, jobs: u64, figures: usize) -> (Figures, Figures) {
    let run = |_| {
        let server = database.server_of(binary);
        rate(&server, &server.address, jobs)
    };
    (0..figures).map(run).unzip()
}

/// No-op jobs a second from the run's creation to its durable end, by workers that come in at this address; and the server's
/// processor time for each.
pub(crate) fn rate(server: &TestServer, address: &str, jobs: u64) -> (f64, f64) {
    let _fleet = Fleet::start(address, SEED, &[(WORKERS, Habits::at_once(CAPACITY))]);
    server.api().await_fleet(|fleet| fleet.workers.len() == WORKERS);
    let before = cpu_seconds(server.pid());
    let seconds = pool_of(jobs, &server.api_with(PATIENCE));
    let jobs = (jobs + 1) as f64;
    (jobs / seconds, (cpu_seconds(server.pid()) - before) * 1000.0 / jobs)
}

/// Runs a pool of this many no-op jobs. Answers the seconds that it took by the server's clock.
fn pool_of(jobs: u64, api: &Api) -> f64 {
    let input = format!("[{}]", vec!["1"; usize::try_from(jobs).expect("not too many")].join(","));
    let (each, all) = ("function weevil_main(n) { return n }", "function weevil_main(all) { return 1 }");
    let run = api.run(&pool_workflow(&input, each, all));
    let view = api.await_end(&run);
    assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
    let ended = view.summary.finished_at.expect("an ended run has an end");
    (ended - view.summary.created_at) as f64 / 1000.0
}

/// From handing a result in to holding the next job, for workers that hold one job at a time.
pub(crate) fn dispatch(binary: &Path, figures: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    waits(&server, &server.address, figures).into()
}

/// The median and the 99th percentile of that, by workers that come in at this address.
pub(crate) fn waits(server: &TestServer, address: &str, figures: usize) -> [Figures; 2] {
    let habits = Habits::at_once(1).working(DISPATCH_WORK, DISPATCH_WORK);
    let fleet = Fleet::start(address, SEED, &[(DISPATCH_WORKERS, habits)]);
    let (mut p50, mut p99) = (Vec::new(), Vec::new());
    for _ in 0..figures {
        pool_of(sized(DISPATCH_JOBS), &server.api());
        let mut waits = fleet.ledger().take_waits();
        waits.sort_unstable();
        let at = |percent: usize| waits[(waits.len() - 1) * percent / 100].as_secs_f64() * 1000.0;
        p50.push(at(50));
        p99.push(at(99));
    }
    [p50, p99]
}

/// What the server holds while many workers are connected and have nothing to do.
pub(crate) fn idle(binary: &Path, _: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let fleet = Fleet::start(&server.address, SEED, &[(IDLE_WORKERS, Habits::at_once(1))]);
    let api = server.api_with(PATIENCE);
    api.await_fleet(|fleet| fleet.workers.len() == IDLE_WORKERS);
    std::thread::sleep(IDLE_TIME);
    assert_eq!(fleet.ledger().lost(), 0, "heartbeats are kept: {}", fleet.ledger());
    vec![vec![resident(server.pid())]]
}
