//! Honest work beside the attacks: a fleet that answers at once, jobs without end, and somebody who asks `/healthz`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::json;
use weevil_e2e::hostile::Stranger;
use weevil_e2e::{Api, Fleet, Habits, TestServer};

const WORKERS: usize = 8;
const CAPACITY: u32 = 512;
const SEED: u64 = 13;
/// Jobs in one request, which is then a small body.
const JOBS: usize = 500;
/// More come where fewer jobs are ready, whether those before them have ended or not: an attack may hold some up, and there is
/// always something to hand out.
const READY: f64 = 16_000.0;
/// Requests between two looks.
const REQUESTS: usize = 16;
const LOOK_EVERY: Duration = Duration::from_millis(100);
const PATIENCE: Duration = Duration::from_mins(10);
const READY_JOBS: &str = r#"weevil_queue_jobs{delivery="ready"}"#;
const ASK_EVERY: Duration = Duration::from_millis(20);

/// Ends with the value.
pub(super) struct Honest {
    fleet: Fleet,
    asked_ms: Arc<Mutex<Vec<f64>>>,
    ended: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Honest {
    pub(super) fn start(server: &TestServer) -> Self {
        let fleet = Fleet::start(&server.address, SEED, &[(WORKERS, Habits::at_once(CAPACITY))]);
        server.api().await_fleet(|fleet| fleet.workers.len() == WORKERS);
        let mut honest = Self { fleet, asked_ms: Arc::default(), ended: Arc::default(), threads: Vec::new() };
        let (api, ended) = (server.api_with(PATIENCE), honest.ended.clone());
        honest.threads.push(thread::spawn(move || jobs(&api, &ended)));
        let (stranger, ended) = (Stranger::of(&server.address), honest.ended.clone());
        let asked_ms = honest.asked_ms.clone();
        honest.threads.push(thread::spawn(move || ask(&stranger, &ended, &asked_ms)));
        honest
    }

    /// Jobs whose results were accepted.
    pub(super) fn done(&self) -> usize {
        self.fleet.ledger().accepted_jobs()
    }

    pub(super) fn healthz_p99_ms(&self) -> f64 {
        let mut asked = self.asked_ms.lock().unwrap_or_else(PoisonError::into_inner).clone();
        asked.sort_by(f64::total_cmp);
        asked.get(asked.len().saturating_sub(1) * 99 / 100).copied().unwrap_or(f64::NAN)
    }
}

impl Drop for Honest {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // One that has panicked has said so.
            let _ended = thread.join();
        }
    }
}

/// Stand-alone jobs without end: where two places end one with the same error, no other one ends with it.
fn jobs(api: &Api, ended: &AtomicBool) {
    let job = json!({ "source": "function weevil_main(n) { return n }", "input": [1] });
    let jobs = vec![job; JOBS];
    while !ended.load(Ordering::Relaxed) {
        if api.metrics().get(READY_JOBS) < READY {
            for _ in 0..REQUESTS {
                api.put_jobs(&jobs);
            }
        } else {
            thread::sleep(LOOK_EVERY);
        }
    }
}

fn ask(stranger: &Stranger, ended: &AtomicBool, asked_ms: &Mutex<Vec<f64>>) {
    while !ended.load(Ordering::Relaxed) {
        let since = Instant::now();
        stranger.get("/healthz");
        let ms = since.elapsed().as_secs_f64() * 1000.0;
        asked_ms.lock().unwrap_or_else(PoisonError::into_inner).push(ms);
        thread::sleep(ASK_EVERY);
    }
}
