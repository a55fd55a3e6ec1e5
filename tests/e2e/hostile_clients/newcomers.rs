//! Newcomers of one place hold few jobs together, and take and leave only so often; others are handed what is left.

use serde_json::json;
use weevil_e2e::TestServer;
use weevil_e2e::hostile::cbor::uint;
use weevil_e2e::hostile::words::{Told, heartbeat};
use weevil_e2e::hostile::{ByteWorker, Stranger};

/// What a worker holds at first, whatever it asks for.
const WINDOW: usize = 16;
/// What all newcomers of one place hold.
const NEWCOMERS: usize = 512;

fn put(server: &TestServer, jobs: usize) {
    let job = json!({ "source": "function weevil_main() { return 7 }" });
    assert_eq!(server.api().put_jobs(&vec![job; jobs]).len(), jobs);
}

#[test]
fn newcomers_of_one_place_hold_few_jobs_together() {
    let server = TestServer::start(&["--trusted-proxy", "127.0.0.1"]);
    let stranger = Stranger::of(&server.address);
    let (greedy, honest) = (stranger.clone().from("203.0.113.1"), stranger.from("198.51.100.1"));
    put(&server, NEWCOMERS);
    let mut holding: Vec<_> = (0..NEWCOMERS / WINDOW).map(|_| greedy.join(2048)).collect();
    for worker in &mut holding {
        worker.jobs(WINDOW);
    }
    let _one_more = greedy.join(2048);
    put(&server, WINDOW);
    honest.join(1).compute(WINDOW, &uint(7));
}

/// Attempts that a place may give back at once; it has owed some more by the time that it rests.
const RETURNS: usize = 4096;
const CROWD: usize = 16;

/// Whether a worker was given anything before the answer to its heartbeat.
fn was_given(worker: &mut ByteWorker) -> bool {
    worker.say(&heartbeat(&[], 1, worker.capacity));
    let mut given = false;
    loop {
        let message = worker.socket.message().expect("the connection stays");
        match Told::read(&message) {
            Told::Assign(_) => given = true,
            Told::Heard => return given,
            _ => {}
        }
    }
}

/// A crowd that comes, takes, and leaves. Answers whether any of it was given something, by the time that somebody else has
/// had jobs thrice.
fn take_and_leave(server: &TestServer, greedy: &Stranger, honest: &mut ByteWorker) -> bool {
    let mut crowd: Vec<_> = (0..CROWD).map(|_| greedy.join(WINDOW as u64)).collect();
    put(server, 3);
    honest.compute(3, &uint(7));
    crowd.iter_mut().map(was_given).filter(|given| *given).count() > 0
}

#[test]
fn a_place_that_takes_and_leaves_without_end_rests() {
    let server = TestServer::start(&["--trusted-proxy", "127.0.0.1"]);
    let stranger = Stranger::of(&server.address);
    let (greedy, other) = (stranger.clone().from("203.0.113.1"), stranger.from("198.51.100.1"));
    put(&server, 2 * CROWD * WINDOW);
    let mut honest = other.join(1);
    let rounds = 3 * RETURNS / (CROWD * WINDOW);
    let taken = (0..rounds).take_while(|_| take_and_leave(&server, &greedy, &mut honest)).count();
    assert!(taken * CROWD * WINDOW >= RETURNS / 2, "it rests after {taken} rounds");
    assert!(taken < rounds, "it takes on and on");
    put(&server, WINDOW);
    honest.compute(WINDOW, &uint(7));
}
