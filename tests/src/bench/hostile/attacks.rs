//! The fourteen attacks. Each is what one socket does until it is ended, or the time is over.

use std::sync::LazyLock;
use std::time::Duration;

use weevil_e2e::hostile::words::{Claim, Key, heartbeat, hello, results, yields};
use weevil_e2e::hostile::{ByteWorker, RawFrame, RawSocket, Stranger, cbor};

use super::force::Force;

pub(crate) struct Attack {
    pub name: &'static str,
    pub(super) run: fn(&Stranger, &Force),
}

pub(crate) const ATTACKS: [Attack; 14] = [
    Attack { name: "silent", run: silent },
    Attack { name: "announced", run: announced },
    Attack { name: "large_values", run: large_values },
    Attack { name: "large_xml", run: large_xml },
    Attack { name: "slow_bodies", run: slow_bodies },
    Attack { name: "empty_results", run: |stranger, force| flood(stranger, force, &results(&[], 0)) },
    Attack {
        name: "unknown_heartbeats",
        run: |stranger, force| flood(stranger, force, &heartbeat(&unknown(), 1, 0)),
    },
    Attack { name: "unknown_yields", run: |stranger, force| flood(stranger, force, &yields(&unknown(), 0)) },
    Attack { name: "take_and_leave", run: take_and_leave },
    Attack { name: "take_and_keep", run: take_and_keep },
    Attack { name: "join_and_drop", run: join_and_drop },
    Attack { name: "control_errors", run: control_errors },
    Attack { name: "replays", run: replays },
    Attack { name: "odd_doors", run: odd_doors },
];

/// Attempts that one frame may name.
const KEYS: u64 = 2048;
/// Jobs that one worker asks for.
const TAKEN: u64 = 512;
const ANNOUNCED: u64 = 32 << 20;
const LARGE: usize = 8 << 20;
const BODY: usize = 1 << 20;
const SLOW_PIECE: usize = 16;
const SLOW: Duration = Duration::from_millis(100);
const HELD: Duration = Duration::from_secs(1);

/// Keys that were never handed out.
fn unknown() -> Vec<Key> {
    (1..=KEYS).map(|number| (number, number)).collect()
}

/// Open until the other side ends it.
fn hold(socket: &mut RawSocket, force: &Force) {
    while socket.line.is_open() && force.waits(HELD) {
        socket.line.discard();
    }
}

fn silent(stranger: &Stranger, force: &Force) {
    if let Ok(mut socket) = stranger.upgrade() {
        hold(&mut socket, force);
    }
    force.rests();
}

fn announced(stranger: &Stranger, force: &Force) {
    if let Ok(mut socket) = stranger.upgrade() {
        socket.say(&hello(1, 0));
        socket.send(&RawFrame::announcing(ANNOUNCED));
        hold(&mut socket, force);
    }
    force.rests();
}

/// A whole frame with empty arrays in its value, put together once.
static LARGE_FRAME: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let value = [cbor::head(4, LARGE as u64), vec![0x80; LARGE]].concat();
    RawFrame::binary(&results(&[Claim::value((1, 1), &value)], 0)).bytes()
});

fn large_values(stranger: &Stranger, force: &Force) {
    let Ok(mut worker) = ByteWorker::try_join(stranger, 0) else { return force.rests() };
    while force.goes_on() && worker.socket.line.send(&LARGE_FRAME) {
        worker.socket.line.discard();
    }
}

static LARGE_XML: LazyLock<String> = LazyLock::new(|| {
    let head = "<submit worker=\"wrk_0000000000001\" secret=\"none\"><result job_id=\"job_0000000000001\" token=\"1\"><value>[";
    format!("{head}{}1]</value></result></submit>", "[],".repeat(LARGE / 3))
});

fn large_xml(stranger: &Stranger, _: &Force) {
    let length = LARGE_XML.len().to_string();
    let mut line = stranger.connect();
    line.send(&stranger.head("POST", "/worker/v1/submit", &[("Content-Length", &length)]));
    line.send(LARGE_XML.as_bytes());
    line.reply();
}

fn slow_bodies(stranger: &Stranger, force: &Force) {
    let mut line = stranger.connect();
    line.send(&stranger.head("POST", "/api/v1/jobs", &[("Content-Length", &BODY.to_string())]));
    while force.waits(SLOW) && line.is_open() && line.send(&[b' '; SLOW_PIECE]) {}
}

/// The same frame for as long as it is taken.
fn flood(stranger: &Stranger, force: &Force, frame: &[u8]) {
    let Ok(mut worker) = ByteWorker::try_join(stranger, 0) else { return force.rests() };
    let bytes = RawFrame::binary(frame).bytes();
    while force.goes_on() && worker.socket.line.send(&bytes) && worker.socket.line.is_open() {
        worker.socket.line.discard();
    }
}

/// A worker that has been given something.
fn taking(stranger: &Stranger, wants: u64) -> Option<(ByteWorker, Vec<Key>)> {
    let mut worker = ByteWorker::try_join(stranger, wants).ok()?;
    let keys = worker.next_keys()?;
    Some((worker, keys))
}

fn take_and_leave(stranger: &Stranger, _: &Force) {
    let _gone = taking(stranger, TAKEN);
}

fn join_and_drop(stranger: &Stranger, _: &Force) {
    let _gone = ByteWorker::try_join(stranger, 0);
}

fn take_and_keep(stranger: &Stranger, force: &Force) {
    let Some((mut worker, keys)) = taking(stranger, KEYS) else { return force.rests() };
    while worker.say(&heartbeat(&keys, 1, 0)) && force.waits(HELD * 10) {
        worker.socket.line.discard();
    }
}

fn control_errors(stranger: &Stranger, force: &Force) {
    let words = "\u{1b}]0;mine\u{7}\u{202e}\r\n".repeat(200);
    while let Some((mut worker, keys)) = taking(stranger, TAKEN) {
        let claims: Vec<_> = keys.iter().map(|key| Claim::error(*key, 0, &words)).collect();
        worker.say(&results(&claims, 0));
        if !force.goes_on() {
            return;
        }
    }
    force.rests();
}

fn replays(stranger: &Stranger, force: &Force) {
    let Some((mut worker, keys)) = taking(stranger, 1) else { return force.rests() };
    let claims: Vec<_> = keys.iter().map(|key| Claim::value(*key, &cbor::uint(1))).collect();
    let bytes = RawFrame::binary(&results(&claims, 0)).bytes();
    while force.goes_on() && worker.socket.line.send(&bytes) && worker.socket.line.is_open() {
        worker.socket.line.discard();
    }
}

fn odd_doors(stranger: &Stranger, _: &Force) {
    let foreign = [("Origin", "http://evil.example")];
    for path in ["/ws/v1", "/%77s/v1", "//ws/v1", "/./ws/v1"] {
        // Whatever it is answered, the next one is tried.
        let _answer = stranger.upgrade_at(path, &foreign);
    }
}
