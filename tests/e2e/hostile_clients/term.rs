//! Whoever names what it holds keeps it until its term, and no longer; what may compute for longer stays.

use serde_json::json;
use weevil_e2e::hostile::cbor::uint;
use weevil_e2e::hostile::words::{Claim, Key, Told, heartbeat};
use weevil_e2e::hostile::{ByteWorker, Stranger};
use weevil_e2e::{DatabaseKind, ShiftedClock, TestServer, on_each_database};

/// Half a lease: a heartbeat each renews it.
const STEP: usize = 30;
const MINUTE: u32 = 60;
const SHORT_MS: u64 = 1000;
/// Half an hour: longer than the ten minutes in which a job is to be begun.
const LONG_MS: u64 = 1_800_000;
const ACCEPTED: u64 = 0;

fn put(server: &TestServer, timeout_ms: u64) -> String {
    let job = json!({ "source": "function weevil_main() { return 7 }", "timeoutMs": timeout_ms });
    server.api().put_job(&job).job
}

/// Returns when the database has what the worker says: a job that is stored after it is there.
fn beat(server: &TestServer, worker: &mut ByteWorker, held: &[Key]) {
    worker.say(&heartbeat(held, 1, 0));
    while !matches!(Told::read(&worker.socket.message().expect("the connection stays")), Told::Heard) {}
    put(server, SHORT_MS);
}

fn failures(server: &TestServer, job: &str) -> u32 {
    server.api().await_history(job, |_| true).job.failures
}

fn heartbeats_beyond_the_term_are_in_vain(kind: DatabaseKind) {
    let clock = ShiftedClock::at_now();
    let server = kind.server_of(&clock.server());
    let (short, long) = (put(&server, SHORT_MS), put(&server, LONG_MS));
    let mut holder = Stranger::of(&server.address).join(2);
    let held = holder.jobs(2);
    holder.capacity = 0;
    let keys: Vec<Key> = held.iter().map(|job| job.key).collect();
    let mut beats_until = |from: u32, until: u32| {
        for seconds in (from..=until).step_by(STEP) {
            clock.set(seconds);
            beat(&server, &mut holder, &keys);
        }
    };
    beats_until(0, 9 * MINUTE);
    assert_eq!((failures(&server, &short), failures(&server, &long)), (0, 0), "in time both are held");
    beats_until(9 * MINUTE, 12 * MINUTE);
    server.api().await_history(&short, |history| history.job.failures == 1);
    beats_until(12 * MINUTE, 20 * MINUTE);
    assert_eq!(failures(&server, &long), 0, "it may compute for longer");
    let long = held.iter().find(|job| job.timeout_ms == LONG_MS).expect("it was handed out");
    assert_eq!(holder.report(&[Claim::value(long.key, &uint(7))]), [ACCEPTED]);
}

on_each_database!(heartbeats_beyond_the_term_are_in_vain);
