//! What many open consoles cost the server while a run goes on, and what they cost the run.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use weevil_e2e::hostile::Stranger;
use weevil_e2e::{FakeWorker, TestServer, answer_all, cpu_seconds};

use super::paced::{fleet, nodes, worker};
use crate::measure::Figures;

pub(super) const READERS: usize = 200;
const NODES: usize = 100_000;
const CHANGES_PER_S: u32 = 1_000;
const WINDOW: Duration = Duration::from_secs(10);
/// Between two looks at what has come.
const PAUSE: Duration = Duration::from_millis(20);
/// Jobs that a worker holds which answers at once.
const HELD: u32 = 100;

/// Percent of a core that they take of the server while nodes change at a known pace, and percent of the rate of jobs that they
/// take where workers answer at once.
pub(crate) fn readers(binary: &Path, _: usize) -> Vec<Figures> {
    let [alone, watched] = [0, READERS].map(|readers| paced(binary, readers));
    let [free, slowed] = [0, READERS].map(|readers| rate(binary, readers));
    vec![vec![(watched - alone) * 100.0], vec![(1.0 - slowed / free) * 100.0]]
}

/// Percent of a core that each of those takes who read of ten thousand workers.
pub(crate) fn readers_of_fleet(binary: &Path, _: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let _fleet = fleet(&server);
    let alone = share(&server);
    let _readers = Readers::of_topics(&server, "overview,workers", READERS);
    vec![vec![(share(&server) - alone) * 100.0 / READERS as f64]]
}

/// The share of a core that the server takes while jobs end at a known pace.
fn paced(binary: &Path, count: usize) -> f64 {
    let server = TestServer::start_binary(binary, &[]);
    let run = server.api().run(&nodes(NODES));
    let readers = Readers::open(&server, &run, count);
    let working = worker(&server, CHANGES_PER_S);
    server.api().await_run(&run, |run| run.summary.progress.done > 0);
    let share = share(&server);
    drop((server, readers));
    working.join();
    share
}

fn share(server: &TestServer) -> f64 {
    let (start, before) = (Instant::now(), cpu_seconds(server.pid()));
    thread::sleep(WINDOW);
    (cpu_seconds(server.pid()) - before) / start.elapsed().as_secs_f64()
}

/// Jobs a second.
fn rate(binary: &Path, count: usize) -> f64 {
    let server = TestServer::start_binary(binary, &[]);
    let run = server.api().run(&nodes(NODES));
    let readers = Readers::open(&server, &run, count);
    let fake = FakeWorker::join(&server.address, HELD);
    let working = thread::spawn(|| answer_all(fake));
    let done =
        |least| server.api().await_run(&run, |run| run.summary.progress.done > least).summary.progress.done;
    let (first, start) = (done(0), Instant::now());
    thread::sleep(WINDOW);
    let rate = f64::from(done(first) - first) / start.elapsed().as_secs_f64();
    drop((server, readers));
    working.join().expect("a worker that ends with its server");
    rate
}

/// Streams that are read as fast as they come.
pub(super) struct Readers {
    over: Arc<AtomicBool>,
    reading: Option<JoinHandle<()>>,
}

impl Readers {
    /// What a page of a run listens to: one stream with topics, or of an older release the run's own.
    pub(super) fn open(server: &TestServer, run: &str, count: usize) -> Self {
        let stranger = reader(server);
        let knows = {
            let mut line = stranger.connect();
            line.send(&stranger.head("GET", &topics(&format!("overview,run:{run}")), &[]));
            line.take_until(b"\r\n").is_some_and(|head| head.starts_with(b"HTTP/1.1 200"))
        };
        if knows {
            Self::of_topics(server, &format!("overview,run:{run}"), count)
        } else {
            Self::of_path(server, &format!("/api/v1/runs/{run}/events"), count)
        }
    }

    /// Those who listen to these topics; an older release refuses them.
    pub(super) fn of_topics(server: &TestServer, named: &str, count: usize) -> Self {
        Self::of_path(server, &topics(named), count)
    }

    fn of_path(server: &TestServer, path: &str, count: usize) -> Self {
        let stranger = reader(server);
        let open = |_| {
            let mut line = stranger.connect();
            line.send(&stranger.head("GET", path, &[]));
            line
        };
        let mut lines: Vec<_> = (0..count).map(open).collect();
        let over = Arc::new(AtomicBool::new(false));
        let seen = over.clone();
        let reading = thread::spawn(move || {
            while !seen.load(Ordering::Relaxed) {
                for line in &mut lines {
                    line.discard();
                }
                thread::sleep(PAUSE);
            }
        });
        Self { over, reading: Some(reading) }
    }
}

fn reader(server: &TestServer) -> Stranger {
    let token = server.token().unwrap_or_default();
    Stranger::of(&server.address).with("Authorization", &format!("Bearer {token}"))
}

fn topics(named: &str) -> String {
    format!("/api/v1/events?topics={named}")
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        let _ended = self.reading.take().map(JoinHandle::join);
    }
}
