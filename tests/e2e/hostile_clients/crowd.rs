//! Crowds of one machine: sockets that say nothing, messages that are announced and never sent, bodies that never end,
//! joins without number. Bounds of counts and memory, while an honest worker computes and a new one is welcomed.

use std::thread;
use std::time::{Duration, Instant};

use weevil_e2e::hostile::cbor::uint;
use weevil_e2e::hostile::{ByteWorker, Line, MASK, RawFrame, RawSocket, Reply, Stranger, many_descriptors};
use weevil_e2e::{PATIENCE, TestServer, Wrapped, default_binary, job_workflow, status};

/// The server's resident memory at its highest, in MB.
const MOST_MB: f64 = 512.0;
const MIB: usize = 1024 * 1024;
const BEHIND_A_PROXY: [&str; 2] = ["--trusted-proxy", "127.0.0.1"];

/// Where a crowd comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    OnePlace,
    AHundred,
    Loopback,
}

const EVERYWHERE: [From; 3] = [From::OnePlace, From::AHundred, From::Loopback];

impl From {
    fn stranger(self, server: &TestServer, number: usize) -> Stranger {
        let stranger = Stranger::of(&server.address);
        match self {
            Self::OnePlace => stranger.from("203.0.113.7"),
            Self::AHundred => stranger.from(&format!("203.0.113.{}", 100 + number % 100)),
            Self::Loopback => stranger,
        }
    }

    /// What the crowd may hold of a row that one place, and all together, may hold so much of.
    fn most(self, place: usize, all: usize) -> usize {
        match self {
            Self::OnePlace => place.min(all),
            Self::AHundred => all.min(100 * place),
            Self::Loopback => all,
        }
    }
}

/// A fresh connection until the server answers over it: one that it has no room for it closes.
fn answer(stranger: &Stranger, path: &str) -> Reply {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let mut line = stranger.connect();
        line.send(&stranger.head("GET", path, &[]));
        if let Some(reply) = line.reply() {
            return reply;
        }
        assert!(Instant::now() < deadline, "{path} has no answer");
        thread::yield_now();
    }
}

/// As a tab does that is turned away: it comes again.
fn welcome(stranger: &Stranger) -> ByteWorker {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match ByteWorker::try_join(stranger, 1) {
            Ok(worker) => return worker,
            Err(why) => assert!(Instant::now() < deadline, "not welcome: {why:?}"),
        }
        thread::yield_now();
    }
}

/// Meanwhile the server answers, an honest worker computes, and a new one is welcomed.
fn goes_on(server: &TestServer, honest: &mut ByteWorker) {
    assert_eq!(answer(&Stranger::of(&server.address), "/healthz").text(), "ok");
    let run = server.api().run(&job_workflow("function weevil_main() { return 7 }", ""));
    honest.compute(1, &uint(7));
    assert_eq!(server.api().await_end(&run).result, Some(7.into()));
    let mut newcomer = welcome(&Stranger::of(&server.address).from("198.51.100.9"));
    newcomer.say(&weevil_e2e::hostile::words::bye());
}

fn used(server: &TestServer, row: &str) -> usize {
    let used = server.api().metrics().get(&format!("weevil_budget_used{{row=\"{row}\"}}"));
    format!("{used}").parse().expect("a whole number")
}

/// A client hears of an end before the server has given back what it held for it.
fn holds_nothing(server: &TestServer, rows: &[&str]) {
    let deadline = Instant::now() + PATIENCE;
    while rows.iter().any(|row| used(server, row) > 0) {
        assert!(Instant::now() < deadline, "something of {rows:?} is held for ever");
        thread::yield_now();
    }
}

fn refusals(server: &TestServer, row: &str) -> f64 {
    server.api().metrics().get(&format!("weevil_budget_refusals_total{{row=\"{row}\"}}"))
}

/// Sockets that were opened and say nothing.
fn silent(server: &TestServer, from: From, count: usize) -> Vec<RawSocket> {
    (0..count).filter_map(|number| from.stranger(server, number).upgrade().ok()).collect()
}

#[test]
fn silent_sockets_are_no_fleet() {
    many_descriptors();
    for from in EVERYWHERE {
        let server = TestServer::start(&BEHIND_A_PROXY);
        let mut honest = Stranger::of(&server.address).join(1);
        let _sockets = silent(&server, from, 1100);
        assert!(used(&server, "lobby") <= from.most(64, 1024), "{from:?}");
        assert!(refusals(&server, "lobby") > 0.0, "{from:?}");
        assert_eq!(used(&server, "seats"), 1, "{from:?}: who says nothing has no seat");
        goes_on(&server, &mut honest);
    }
}

#[test]
fn a_connection_that_says_nothing_is_closed() {
    let server = TestServer::start(&[]);
    let mut socket = Stranger::of(&server.address).upgrade().expect("the lobby is open");
    while socket.message().is_some() {}
    holds_nothing(&server, &["lobby"]);
}

/// A hundred workers announce 32 MiB, and offer as much of it as the server takes.
#[test]
fn what_is_announced_is_not_read_without_room() {
    for (from, messages) in [(From::OnePlace, 1), (From::AHundred, 4), (From::Loopback, 4)] {
        let server = TestServer::start(&BEHIND_A_PROXY);
        let mut honest = Stranger::of(&server.address).join(1);
        let piece = vec![0; 32 * MIB - 1];
        let crowd: Vec<ByteWorker> = (0..24)
            .map(|number| {
                let mut worker = from.stranger(&server, number).join(0);
                worker.socket.send(&RawFrame::announcing(32 * MIB as u64));
                worker.socket.line.offer(&piece, Duration::from_millis(100));
                worker
            })
            .collect();
        assert!(used(&server, "unfinished") <= messages * 32 * MIB, "{from:?}");
        goes_on(&server, &mut honest);
        let peak = status(server.pid(), "VmHWM");
        assert!(peak < MOST_MB, "{from:?}: {peak} MB");
        drop(crowd);
    }
}

#[test]
fn what_comes_too_slowly_ends() {
    let server = TestServer::start(&[]);
    let stranger = server.owner();
    let mut head = stranger.connect();
    head.send(b"POST /worker/v1/join HTTP/1.1\r\n");
    let slow_body = |path: &str| {
        let mut line: Line = stranger.connect();
        line.send(&stranger.head(
            "POST",
            path,
            &[("Content-Length", "100"), ("Content-Type", "application/xml")],
        ));
        line.send(b"<");
        line
    };
    let bodies = ["/worker/v1/join", "/worker/v1/submit", "/api/v1/runs"].map(|path| (path, slow_body(path)));
    let mut message = stranger.join(0);
    message.socket.send(&RawFrame::announcing(100));
    let mut pieces = stranger.join(0);
    pieces.socket.send(&RawFrame { last: false, ..RawFrame::binary(&[0x82]) });
    let mut half = stranger.join(0);
    half.socket.line.send(&[0x82]);
    assert!(head.ended(), "a head that never ends");
    for (path, mut line) in bodies {
        let reply = line.reply().unwrap_or_else(|| panic!("{path} has no answer"));
        assert_eq!((reply.status, reply.code()), (408, "tooSlow".to_owned()), "{path}");
    }
    for (what, worker) in [("a message", &mut message), ("its pieces", &mut pieces), ("its head", &mut half)]
    {
        assert!(worker.socket.line.ended(), "{what}");
    }
    assert_eq!(stranger.get("/healthz").status, 200);
}

#[test]
fn joins_without_number_take_the_seats_of_one_place() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let mut honest = Stranger::of(&server.address).join(1);
    let stranger = From::OnePlace.stranger(&server, 0);
    let join = r#"<join protocol="1" browser_type="crowd" capabilities="1"/>"#;
    let replies: Vec<Reply> = (0..1500).map(|_| stranger.plain("join", join)).collect();
    let with = |code: &str| replies.iter().filter(|reply| reply.code() == code).count();
    assert_eq!(with("") + with("placeFull") + with("slowDown"), replies.len());
    assert!(with("") >= 512 && used(&server, "seats") <= 513, "{} seats", used(&server, "seats"));
    assert!(with("placeFull") > 0 && with("slowDown") > 0, "each bound was reached");
    goes_on(&server, &mut honest);
}

/// The status of the answer to each of these who ask for a stream, with its connection.
fn streams(count: usize, stranger: impl Fn(usize) -> Stranger) -> Vec<(Line, u16)> {
    let ask = |number| {
        let stranger = stranger(number);
        let mut line = stranger.connect();
        line.send(&stranger.head("GET", "/api/v1/events", &[]));
        let head = line.take_until(b"\r\n").expect("the server answers");
        let status = String::from_utf8_lossy(&head).split(' ').nth(1).and_then(|word| word.parse().ok());
        (line, status.expect("a status"))
    };
    (0..count).map(ask).collect()
}

#[test]
fn streams_of_events_are_few_and_strangers_have_none() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let mut honest = Stranger::of(&server.address).join(1);
    for from in EVERYWHERE {
        let refused = streams(100, |number| from.stranger(&server, number));
        assert!(refused.iter().all(|(_, status)| *status == 401), "{from:?}");
    }
    assert_eq!(used(&server, "streams"), 0);
    let owner = server.owner();
    let streams = streams(300, |_| owner.clone());
    let open = streams.iter().filter(|(_, status)| *status == 200).count();
    assert_eq!(open, 256);
    assert!(streams.iter().all(|(_, status)| [200, 429].contains(status)));
    goes_on_without_streams(&server, &mut honest);
}

/// As `goes_on`, where there may be no stream of events left to wait with.
fn goes_on_without_streams(server: &TestServer, honest: &mut ByteWorker) {
    assert_eq!(answer(&Stranger::of(&server.address), "/healthz").text(), "ok");
    server.api().run(&job_workflow("function weevil_main() { return 7 }", ""));
    honest.compute(1, &uint(7));
    welcome(&Stranger::of(&server.address).from("198.51.100.9"));
}

/// With no more than 1,024 files and sockets, as many systems have it.
#[test]
fn few_descriptors_do_not_end_the_console() {
    many_descriptors();
    let few = Wrapped::by("few-descriptors", &default_binary());
    let server = TestServer::start_binary(&few.server(), &[]);
    let mut honest = Stranger::of(&server.address).join(1);
    let idle: Vec<Line> = (0..1100).map(|_| Stranger::of(&server.address).connect()).collect();
    let _sockets = silent(&server, From::Loopback, 1100);
    assert!(used_when_there_is_room(&server, "connections") <= 896);
    assert!(used_when_there_is_room(&server, "lobby") <= 192);
    goes_on(&server, &mut honest);
    drop(idle);
}

/// As `used`, where a request may find no room for its connection.
fn used_when_there_is_room(server: &TestServer, row: &str) -> usize {
    let text = answer(&server.owner(), "/metrics").text();
    let line = format!("weevil_budget_used{{row=\"{row}\"}} ");
    let used = text.lines().find_map(|found| found.strip_prefix(&line)).expect("the row is told");
    used.parse().expect("a whole number")
}

#[test]
fn what_closed_holds_nothing() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let stranger = From::OnePlace.stranger(&server, 0);
    for _ in 0..3 {
        let mut sockets = silent(&server, From::OnePlace, 40);
        for socket in &mut sockets {
            socket.send(&RawFrame { mask: Some(MASK), ..RawFrame::announcing(4097) });
        }
        let worker = stranger.join(0);
        drop((sockets, worker));
    }
    holds_nothing(&server, &["lobby", "seats", "unfinished"]);
}
