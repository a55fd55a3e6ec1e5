//! Wrong sign-ins and refused requests at a steady rate, from many places: what they take from honest work, and from somebody
//! who signs in meanwhile.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::json;
use weevil_api::routes::Operation;
use weevil_e2e::hostile::{Line, Stranger};
use weevil_e2e::{DatabaseKind, TestServer};

use super::force::{Force, PEACE};
use super::honest::Honest;
use super::{PROXY, beside};
use crate::measure::Figures;
use crate::residents::{self, ACCOUNTS, PROJECTS};
use crate::sizes::sized;
use crate::somebody::Somebody;

/// The attacker's process that floods.
pub(super) const FLOOD: &str = "flood";
const PLACES: u32 = 10_000;
const SIGN_INS_A_SECOND: u32 = 200;
const REQUESTS_A_SECOND: u32 = 1000;
/// Sockets of each: more sign-ins wait for the lane of hashes than it lets wait.
const SIGNING: usize = 100;
const ASKING: usize = 16;
const SECONDS: u64 = 30;
/// The rates bound it, not a share of a core.
const SHARE: f64 = 1.0;
/// Between two right sign-ins, in which others find room in the lane.
const PAUSE: Duration = Duration::from_secs(1);

/// Jobs a second under the flood over those in peace, and the milliseconds of each right sign-in meanwhile.
pub(crate) fn flooded(binary: &Path, _: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &PROXY);
    residents::settle(&server, DatabaseKind::Sqlite, ACCOUNTS, PROJECTS);
    let (somebody, honest) = (Somebody::joins(&server), Honest::start(&server));
    let time = Duration::from_secs(sized(SECONDS));
    let before = refused(&server);
    let ((attacked, share), sign_ins) =
        with_sign_ins(&somebody, || beside(&server, &honest, (FLOOD, PLACES, SHARE), time));
    let rates = refused(&server).map(|count| count / time.as_secs_f64());
    let before = before.map(|count| count / time.as_secs_f64());
    let ((peace, _), _) = with_sign_ins(&somebody, || beside(&server, &honest, (PEACE, PLACES, share), time));
    eprintln!(
        "flood: {attacked:.0} jobs/s, {peace:.0} in peace; {:.0} wrong sign-ins and {:.0} refused requests a second",
        rates[0] - before[0],
        rates[1] - before[1]
    );
    vec![vec![attacked / peace], sign_ins]
}

/// Does something beside somebody who signs in again and again; answers the milliseconds of each.
fn with_sign_ins<T>(somebody: &Somebody, work: impl FnOnce() -> T) -> (T, Figures) {
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let signing = scope.spawn(|| {
            let mut sign_ins = Figures::new();
            while !ended.load(Ordering::Relaxed) {
                sign_ins.push(somebody.signs_in());
                thread::sleep(PAUSE);
            }
            sign_ins
        });
        let done = work();
        ended.store(true, Ordering::Relaxed);
        (done, signing.join().expect("every right sign-in is answered"))
    })
}

/// Sign-ins and requests for runs that the server has refused so far.
fn refused(server: &TestServer) -> [f64; 2] {
    let metrics = server.api().metrics();
    [Operation::SignIn, Operation::ListRuns].map(|operation| {
        let name = format!("weevil_http_requests_total{{route=\"{}\",status=\"4xx\"}}", operation.row().path);
        if metrics.has(&name) { metrics.get(&name) } else { 0.0 }
    })
}

/// Moments that some sockets share: each is one's alone.
struct Pace {
    next: AtomicU32,
    a_second: u32,
}

impl Pace {
    fn of(a_second: u32) -> Arc<Self> {
        Arc::new(Self { next: AtomicU32::new(0), a_second })
    }

    /// Waits for the next moment. Its number, unless the time is over.
    fn turn(&self, force: &Force) -> Option<u32> {
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        force.waits_until(Duration::from_secs(1) * turn / self.a_second).then_some(turn)
    }
}

/// Begins to flood, from so many places.
pub(super) fn flood(address: &str, places: u32, force: &Arc<Force>) {
    let sign_in: fn(&Stranger, u32) -> Vec<u8> = wrong_sign_in;
    for (sockets, a_second, request) in
        [(SIGNING, SIGN_INS_A_SECOND, sign_in), (ASKING, REQUESTS_A_SECOND, refused_request)]
    {
        let pace = Pace::of(a_second);
        for _ in 0..sockets {
            let (address, pace, force) = (address.to_owned(), pace.clone(), force.clone());
            // One that waits for its answer ends with the process.
            thread::spawn(move || ask(&address, places, request, &pace, &force));
        }
    }
}

fn ask(address: &str, places: u32, request: fn(&Stranger, u32) -> Vec<u8>, pace: &Pace, force: &Force) {
    let mut line: Option<Line> = None;
    while let Some(turn) = pace.turn(force) {
        let number = turn % places;
        let stranger = Stranger::of(address).from(&format!("198.18.{}.{}", number >> 8, number & 255));
        let mut open = line.take().unwrap_or_else(|| stranger.connect());
        // A connection that the server has ended is followed by another one.
        line = (open.send(&request(&stranger, turn)) && open.reply().is_some()).then_some(open);
    }
}

fn wrong_sign_in(stranger: &Stranger, turn: u32) -> Vec<u8> {
    let name = format!("{}{}", residents::NAME, u64::from(turn) % ACCOUNTS + 1);
    let body = json!({ "name": name, "password": "six mauve herons argue" }).to_string();
    let length = body.len().to_string();
    let headers = [("Content-Type", "application/json"), ("Content-Length", length.as_str())];
    [stranger.head("POST", &Operation::SignIn.path(&[]), &headers), body.into_bytes()].concat()
}

fn refused_request(stranger: &Stranger, _: u32) -> Vec<u8> {
    stranger.head("GET", &Operation::ListRuns.path(&[]), &[])
}
