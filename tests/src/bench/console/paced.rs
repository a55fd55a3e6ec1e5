//! A run that changes at a known pace: a worker that answers so many jobs a second and no more; and a fleet that has nothing to do.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use weevil_e2e::{FakeWorker, Files, Fleet, Habits, TestServer, layered, number};
use weevil_protocol::frame::{AttemptResult, ClientFrame, ServerFrame};

const SEED: u64 = 3;
const WORKERS: usize = 10_000;
/// Jobs of each layer: so many wait at a time. Layers of them and the last node are no more than a workflow may have.
const WIDTH: usize = 999;
/// Each job is handed out and ends: two changes.
const CHANGES_OF_A_JOB: u32 = 2;
/// Jobs that the worker holds at a time.
const HELD: u32 = 200;

/// A workflow of so many nodes, less one in a hundred at most.
pub(super) fn nodes(count: usize) -> Files {
    layered((count - 1) / WIDTH, WIDTH, SEED)
}

/// Ten thousand workers, all of them there.
pub(super) fn fleet(server: &TestServer) -> Fleet {
    let fleet = Fleet::start(&server.address, SEED, &[(WORKERS, Habits::at_once(1))]);
    // The stream tells of no more than some hundred one by one.
    server.api().await_fleet(|fleet| fleet.workers.len() + fleet.more as usize == WORKERS);
    fleet
}

/// How many jobs a worker has answered, and when it was (milliseconds since 1970).
pub(super) type Answered = Vec<(u32, f64)>;

/// A worker at its pace.
pub(super) struct Paced {
    working: JoinHandle<()>,
    answered: Arc<Mutex<Answered>>,
}

impl Paced {
    /// All that has been answered.
    pub(super) fn answered(&self) -> Answered {
        self.answered.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Its server has ended.
    pub(super) fn join(self) {
        self.working.join().expect("a worker that ends with its server");
    }
}

/// A worker that lets so many nodes change a second, until its server ends.
pub(super) fn worker(server: &TestServer, changes_per_s: u32) -> Paced {
    let worker = FakeWorker::join(&server.address, HELD);
    worker.wait_for_ever();
    let answered = Arc::<Mutex<Answered>>::default();
    let told = answered.clone();
    let step = Duration::from_secs(1) * CHANGES_OF_A_JOB / changes_per_s;
    Paced { working: thread::spawn(move || answer(worker, step, &told)), answered }
}

/// One answer for each step of the clock; who is behind catches up with what it holds alone.
fn answer(mut worker: FakeWorker, step: Duration, answered: &Mutex<Answered>) {
    let mut count = 0;
    let mut due = Instant::now();
    while let Some(frame) = worker.frame() {
        let ServerFrame::Assign { jobs, .. } = frame else { continue };
        due = due.max(Instant::now()) + step * u32::try_from(jobs.len()).unwrap_or(u32::MAX);
        thread::sleep(due.saturating_duration_since(Instant::now()));
        let results = jobs.iter().map(|job| AttemptResult {
            key: job.key,
            outcome: number(1.0),
            slot: 0,
            compute_us: 1,
            flops: 0.0,
            log: None,
        });
        let results: Vec<_> = results.collect();
        count += u32::try_from(results.len()).unwrap_or(u32::MAX);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        answered.lock().unwrap_or_else(PoisonError::into_inner).push((count, now.as_secs_f64() * 1e3));
        worker.send(&ClientFrame::Results { results, capacity: worker.capacity });
    }
}
