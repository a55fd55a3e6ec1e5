//! How long lists and details take over a large database, beside a small one: clients with tokens over connections that stay.

mod asks;
mod seed;

use std::path::Path;
use std::thread;
use std::time::Instant;

use weevil_e2e::DatabaseKind;
use weevil_e2e::hostile::Stranger;

use crate::measure::Figures;
use crate::residents;
use crate::sizes::sized;
use asks::{Ask, Row, asks};
use seed::{FEW_JOBS, Seeded, Size};

const CLIENTS: u8 = 8;
/// Clients take turns, or all of their requests were more than a minute's rate of a token.
const SHIFTS: u8 = 2;
/// Requests of each client for each thing.
const REQUESTS: usize = 100;
/// Runs of a million jobs in all, and of a thousand: a page of runs is full in both.
const RUNS: u64 = 10_000;
const JOBS: u64 = 100;
const FEW_RUNS: u64 = 100;

/// The 99th percentile of each row of things, in milliseconds; and the largest ratio of a thing's median to that in a small database.
/// A figure of each comes from clients of its own: one moment in which the machine does something else is the percentile of whatever
/// was asked for then.
pub(crate) fn times(binary: &Path, kind: DatabaseKind, figures: usize) -> Vec<Figures> {
    let small = rounds(&Seeded::of(binary, kind, Size { runs: FEW_RUNS, jobs: FEW_JOBS }), figures);
    let large = rounds(&Seeded::of(binary, kind, Size { runs: sized(RUNS), jobs: JOBS }), figures);
    let ratios = small.iter().zip(&large).map(|(small, large)| largest_ratio(small, large)).collect();
    let all = |row: Row| {
        let of = |round: &Vec<Taken>| {
            let times = round.iter().filter(|taken| taken.row == row).flat_map(|taken| &taken.ms);
            percentile(times.copied().collect(), 99)
        };
        large.iter().map(of).collect()
    };
    Row::ALL.map(all).into_iter().chain([ratios]).collect()
}

fn largest_ratio(small: &[Taken], large: &[Taken]) -> f64 {
    let median = |taken: &Taken| percentile(taken.ms.clone(), 50);
    let ratios = small.iter().zip(large).map(|(small, large)| {
        let (one, other) = (median(large), median(small));
        eprintln!("{}: {one:.2} ms, {other:.2} ms over a small database", large.name);
        one / other
    });
    ratios.fold(0.0, f64::max)
}

/// What all clients waited for one thing.
struct Taken {
    name: &'static str,
    row: Row,
    ms: Figures,
}

fn rounds(seeded: &Seeded, figures: usize) -> Vec<Vec<Taken>> {
    let count = u8::try_from(figures).ok().and_then(|figures| figures.checked_mul(CLIENTS * SHIFTS));
    let clients = residents::with_tokens(&seeded.server, count.expect("few figures"));
    let asks = asks(seeded);
    clients.chunks((CLIENTS * SHIFTS).into()).map(|clients| taken(&asks, clients)).collect()
}

fn taken(asks: &[Ask], clients: &[Stranger]) -> Vec<Taken> {
    let taken = asks.iter().zip(clients.chunks(CLIENTS.into()).cycle()).map(|(ask, clients)| {
        let ms = thread::scope(|scope| {
            let clients = clients
                .iter()
                .zip(0..)
                .map(|(client, number)| scope.spawn(move || waits(client, number, ask)));
            let clients: Vec<_> = clients.collect();
            clients.into_iter().flat_map(|client| client.join().expect("each is answered")).collect()
        });
        Taken { name: ask.name, row: ask.row, ms }
    });
    taken.collect()
}

/// Milliseconds of each request; the first one, before which nobody has asked over the connection, is not counted.
fn waits(client: &Stranger, number: usize, ask: &Ask) -> Figures {
    let mut line = client.connect();
    let mut next = None;
    let mut ms = Figures::new();
    for time in 0..=REQUESTS {
        let path = (ask.path)(number * REQUESTS + time, next.as_deref());
        let began = Instant::now();
        assert!(line.send(&client.head("GET", &path, &[])), "the server reads");
        let reply = line.reply().expect("each request is answered");
        let took = began.elapsed().as_secs_f64() * 1000.0;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        if time > 0 {
            ms.push(took);
        }
        let body: serde_json::Value = serde_json::from_slice(&reply.body).expect("JSON");
        next = body["next"].as_str().map(str::to_owned);
    }
    ms
}

fn percentile(mut ms: Figures, percent: usize) -> f64 {
    ms.sort_by(f64::total_cmp);
    ms.get(ms.len().saturating_sub(1) * percent / 100).copied().unwrap_or(f64::NAN)
}
