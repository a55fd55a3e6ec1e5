//! What large values cost: their reader, their claims, their check. Each on a server of its own.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use weevil_e2e::hostile::{Stranger, cbor};
use weevil_e2e::{TestServer, forget_peak, resident, status};
use weevil_model::Encoded;

use crate::measure::Figures;

/// One-byte numbers of one value.
const NUMBERS: u64 = 16_000_000;
const LARGE_JOBS: usize = 200;
const LARGE_INPUT: usize = 15 << 20;
const LARGE_WORKERS: usize = 8;
/// How long those who do not read hold what they were given.
const HELD: Duration = Duration::from_secs(10);
const SOURCE: &str = "function weevil_main(a) { return 1 }";

/// What the process has at most from now on is its peak. Answers what it has now.
fn forget(server: &TestServer) -> f64 {
    forget_peak(server.pid());
    resident(server.pid())
}

/// One reader of sixteen million numbers, and `/healthz` for others meanwhile.
pub(crate) fn read(binary: &Path, figures: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let stranger = server.owner();
    let job = server.api().put_job(&json!({ "source": SOURCE })).job;
    let zeros = vec![0; usize::try_from(NUMBERS).expect("it is small")];
    stranger.join(1).compute(1, &[cbor::head(4, NUMBERS), zeros].concat());
    let path = format!("/api/v1/jobs/{job}/result");
    let (mut extra, mut others) = (Vec::new(), Vec::new());
    for _ in 0..figures {
        let before = forget(&server);
        let ended = AtomicBool::new(false);
        let mut asked = thread::scope(|scope| {
            let asking = scope.spawn(|| ask_until(&stranger, &ended));
            assert_eq!(stranger.get(&path).status, 200);
            ended.store(true, Ordering::Relaxed);
            asking.join().expect("nobody panics")
        });
        asked.sort_by(f64::total_cmp);
        extra.push(status(server.pid(), "VmHWM") - before);
        others.push(asked[(asked.len() - 1) * 99 / 100]);
    }
    vec![extra, others]
}

/// Milliseconds of each question, at least one.
fn ask_until(stranger: &Stranger, ended: &AtomicBool) -> Vec<f64> {
    let mut asked = Vec::new();
    while asked.is_empty() || !ended.load(Ordering::Relaxed) {
        let since = Instant::now();
        stranger.get("/healthz");
        asked.push(since.elapsed().as_secs_f64() * 1000.0);
        thread::sleep(Duration::from_millis(2));
    }
    asked
}

/// What the server holds at most beyond before, while eight workers that do not read want all jobs of 15 MiB each.
pub(crate) fn claim(binary: &Path, _: usize) -> Vec<Figures> {
    let mut server = TestServer::start_binary(binary, &[]);
    for number in 0..LARGE_JOBS {
        let input = format!("{number:03}{}", "x".repeat(LARGE_INPUT));
        server.api().put_job(&json!({ "source": SOURCE, "input": [input] }));
    }
    // What was kept while they were stored would hide what a claim takes.
    server.kill();
    server.restart();
    let before = forget(&server);
    let stranger = Stranger::of(&server.address);
    let _workers: Vec<_> = (0..LARGE_WORKERS).map(|_| stranger.join(2048)).collect();
    thread::sleep(HELD);
    vec![vec![status(server.pid(), "VmHWM") - before]]
}

/// Milliseconds that the largest values take to be checked: one-byte numbers, empty arrays, one text.
pub(crate) fn check(figures: usize) -> Vec<Figures> {
    let items = |byte: u8| {
        let count = usize::try_from(NUMBERS).expect("it is small");
        [cbor::head(4, NUMBERS), vec![byte; count]].concat()
    };
    let shapes = [items(0), items(0x80), cbor::text(&"x".repeat(16_000_000))];
    let ms = shapes.map(|bytes| {
        let ms = (0..figures).map(|_| {
            let since = Instant::now();
            Encoded::checked(&bytes).expect("it is a value");
            since.elapsed().as_secs_f64() * 1000.0
        });
        ms.collect()
    });
    ms.into()
}
