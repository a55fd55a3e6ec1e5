//! A thousand workers with eight jobs each are cut off at once: how soon all that they held is handed out again, over a
//! long table.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weevil_e2e::hostile::words::{Claim, Told, heartbeat, results};
use weevil_e2e::hostile::{ByteWorker, Stranger, cbor, many_descriptors};
use weevil_e2e::{Api, DatabaseKind, Fleet, Habits};

const JOBS: usize = 1_000_000;
const ENDED: usize = 900_000;
/// Bytes of each input.
const INPUT: usize = 4096;
/// Jobs in one request.
const AT_ONCE: usize = 1000;
const WORKERS: usize = 1000;
const HELD: usize = 8;
/// Those who are there when the others are cut off.
const TAKERS: usize = 8;
/// As many jobs as one worker may hold.
const CAPACITY: u64 = 2048;
const PATIENCE: Duration = Duration::from_mins(30);
const SEED: u64 = 7;

/// Milliseconds.
pub(crate) fn cut(binary: &Path, kind: DatabaseKind) -> f64 {
    many_descriptors();
    let server = kind.server_of(binary);
    let api = server.api_with(PATIENCE);
    fill(&api, ENDED);
    let fleet = Fleet::start(&server.address, SEED, &[(TAKERS, Habits::at_once(512))]);
    fleet.ledger().await_results(ENDED, PATIENCE);
    drop(fleet);
    fill(&api, JOBS - ENDED);
    let stranger = Stranger::of(&server.address);
    let takers: Vec<ByteWorker> = (0..TAKERS).map(|_| known(&stranger)).collect();
    let mut held = HashSet::new();
    let workers: Vec<ByteWorker> = (0..WORKERS)
        .map(|_| {
            let mut worker = stranger.join(HELD as u64);
            held.extend(worker.jobs(HELD).iter().map(|job| job.key.0));
            worker
        })
        .collect();
    let left = Mutex::new(held);
    thread::scope(|scope| {
        let since = Instant::now();
        drop(workers);
        for taker in takers {
            let left = &left;
            scope.spawn(move || take(taker, left));
        }
        while !left.lock().expect("nobody panics").is_empty() {
            thread::sleep(Duration::from_millis(1));
        }
        since.elapsed().as_secs_f64() * 1000.0
    })
}

/// Jobs that each have a large input.
fn fill(api: &Api, count: usize) {
    let input = "x".repeat(INPUT);
    let job = json!({ "source": "function weevil_main(a) { return 1 }", "input": [input] });
    let jobs: Vec<Value> = vec![job; AT_ONCE];
    for _ in 0..count / AT_ONCE {
        api.put_jobs(&jobs);
    }
}

/// A worker that has delivered so much that it may hold all that it says: who has not begins with sixteen jobs.
fn known(stranger: &Stranger) -> ByteWorker {
    let mut worker = stranger.join(CAPACITY);
    let mut delivered = 0;
    while delivered < CAPACITY {
        let keys = worker.next_keys().expect("the connection stays");
        delivered += keys.len() as u64;
        if delivered >= CAPACITY {
            worker.capacity = 0;
        }
        let claims: Vec<_> = keys.iter().map(|key| Claim::value(*key, &cbor::uint(1))).collect();
        worker.say(&results(&claims, worker.capacity));
    }
    worker
}

/// Takes and answers until nothing of it is left.
fn take(mut taker: ByteWorker, left: &Mutex<HashSet<u64>>) {
    taker.capacity = CAPACITY;
    taker.say(&heartbeat(&[], 1, taker.capacity));
    while !left.lock().expect("nobody panics").is_empty() {
        let Told::Assign(jobs) = taker.told().expect("the connection stays") else { continue };
        let mut left = left.lock().expect("nobody panics");
        for job in &jobs {
            left.remove(&job.key.0);
        }
        drop(left);
        let claims: Vec<_> = jobs.iter().map(|job| Claim::value(job.key, &cbor::uint(1))).collect();
        taker.say(&results(&claims, taker.capacity));
    }
}
