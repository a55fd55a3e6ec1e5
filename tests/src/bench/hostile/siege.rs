//! All attacks at once, for long, beside a little honest work; then the server is killed, and starts again over what it has
//! acknowledged.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use weevil_e2e::{Api, Fleet, Habits, TestServer, status};

use super::force::ALL;
use super::{PROXY, SHARE, besiege};
use crate::measure::Figures;

/// Minutes, unless the variable says otherwise.
const MINUTES: u64 = 60;
const VARIABLE: &str = "WEEVIL_SIEGE_MINUTES";
const PLACES: u32 = 100;
const WORKERS: usize = 4;
const CAPACITY: u32 = 64;
const SEED: u64 = 17;
/// Jobs of one request, and how often one comes: 200 jobs a second.
const JOBS: usize = 20;
const EVERY: Duration = Duration::from_millis(100);
const PATIENCE: Duration = Duration::from_mins(10);
const OPEN: [&str; 4] = ["ready", "leased", "delayed", "held"];

/// Jobs acknowledged, jobs behind at the end, jobs lost, the server's peak in MB, milliseconds until it listens again.
pub(crate) fn siege(binary: &Path, _: usize) -> Vec<Figures> {
    let minutes = std::env::var(VARIABLE).ok().and_then(|minutes| minutes.parse().ok()).unwrap_or(MINUTES);
    let mut server = TestServer::start_binary(binary, &PROXY);
    let posted = withstand(&server, Duration::from_mins(minutes));
    let behind = open(&server.api());
    let peak = status(server.pid(), "VmHWM");
    let restart_ms = restarted(&mut server);
    finish(&server);
    let audit = server.audit();
    let lost = posted as f64 - audit.jobs as f64;
    [posted as f64, behind, lost, peak, restart_ms].map(|figure| vec![figure]).into()
}

fn fleet(server: &TestServer) -> Fleet {
    Fleet::start(&server.address, SEED, &[(WORKERS, Habits::at_once(CAPACITY))])
}

/// Answers how many jobs were acknowledged meanwhile.
fn withstand(server: &TestServer, time: Duration) -> usize {
    let _honest = fleet(server);
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let posted = scope.spawn(|| post_until(&server.api_with(PATIENCE), &ended));
        besiege(server, ALL, PLACES, SHARE, time);
        ended.store(true, Ordering::Relaxed);
        posted.join().expect("every request is answered")
    })
}

fn post_until(api: &Api, ended: &AtomicBool) -> usize {
    let jobs = vec![json!({ "source": "function weevil_main() { return 1 }" }); JOBS];
    let mut posted = 0;
    while !ended.load(Ordering::Relaxed) {
        posted += api.put_jobs(&jobs).len();
        thread::sleep(EVERY);
    }
    posted
}

/// Jobs that have not ended.
fn open(api: &Api) -> f64 {
    let metrics = api.metrics();
    OPEN.iter().map(|delivery| metrics.get(&format!("weevil_queue_jobs{{delivery=\"{delivery}\"}}"))).sum()
}

/// Milliseconds from the start to the first word that it listens.
fn restarted(server: &mut TestServer) -> f64 {
    server.kill();
    let since = Instant::now();
    server.restart();
    since.elapsed().as_secs_f64() * 1000.0
}

/// Honest workers compute what is left.
fn finish(server: &TestServer) {
    let _honest = fleet(server);
    let (api, since) = (server.api(), Instant::now());
    while open(&api) > 0.0 {
        assert!(since.elapsed() < PATIENCE, "{} jobs have not ended", open(&api));
        thread::sleep(EVERY);
    }
}
