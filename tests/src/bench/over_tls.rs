//! What TLS costs a server with many workers: memory, and the time until all are back.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use weevil_e2e::{Certified, Fleet, Habits, TestServer, resident};

use crate::measure::Figures;

const SEED: u64 = 7;
const BACK: usize = 10_000;
const IDLE: usize = 5_000;
const IDLE_TIME: Duration = Duration::from_secs(10);
/// Sum of joins; more than there is patience for is a failure.
const PATIENCE: Duration = Duration::from_mins(10);
const POLL: Duration = Duration::from_millis(10);
const NAME: &str = "localhost";

/// Seconds from the start of a server that was killed until all its workers are welcome again.
pub(crate) fn reconnect(binary: &Path, _: usize) -> Vec<Figures> {
    let certified = Certified::of(&[NAME]);
    let mut server = encrypted(binary, &certified);
    let fleet = fleet(&server, &certified, BACK);
    server.kill();
    let began = Instant::now();
    server.restart();
    await_joined(&fleet, 2 * BACK);
    vec![vec![began.elapsed().as_secs_f64()]]
}

/// Resident memory of a server for each idle worker over TLS, beyond one that speaks plain HTTP.
pub(crate) fn idle(binary: &Path, _: usize) -> Vec<Figures> {
    let plain = TestServer::start_binary(binary, &[]);
    let workers = Fleet::start(&plain.address, SEED, &[(IDLE, Habits::at_once(1))]);
    let without = settled(&plain, &workers);
    drop((workers, plain));
    let certified = Certified::of(&[NAME]);
    let server = encrypted(binary, &certified);
    let workers = fleet(&server, &certified, IDLE);
    let kilobytes = (settled(&server, &workers) - without) * 1000.0;
    vec![vec![kilobytes / IDLE as f64]]
}

fn encrypted(binary: &Path, certified: &Certified) -> TestServer {
    let args = certified.args();
    let args = args.iter().map(String::as_str).chain(["--tls", "all"]);
    TestServer::start_binary(binary, &args.collect::<Vec<_>>())
}

fn fleet(server: &TestServer, certified: &Certified, workers: usize) -> Fleet {
    let there = (server.address.as_str(), NAME, certified.authority());
    let fleet = Fleet::start_over_tls(there, SEED, &[(workers, Habits::at_once(1))]);
    await_joined(&fleet, workers);
    fleet
}

/// Megabytes once all have been there for a while.
fn settled(server: &TestServer, fleet: &Fleet) -> f64 {
    await_joined(fleet, IDLE);
    thread::sleep(IDLE_TIME);
    assert_eq!(fleet.ledger().lost(), 0, "heartbeats are kept: {}", fleet.ledger());
    resident(server.pid())
}

fn await_joined(fleet: &Fleet, times: usize) {
    let deadline = Instant::now() + PATIENCE;
    while fleet.ledger().joined() < times as u64 {
        assert!(Instant::now() < deadline, "{}", fleet.ledger());
        thread::sleep(POLL);
    }
}
