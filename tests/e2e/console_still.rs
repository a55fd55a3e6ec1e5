//! Readers of the one stream that stand still: what they cost the server, what they find when they read again, and that others go on.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use rustix::net::sockopt::set_socket_recv_buffer_size;
use rustix::net::{AddressFamily, SocketType, connect, socket};
use weevil_api::routes::Operation;
use weevil_e2e::{Form, PATIENCE, TestServer, job_workflow, resident};

/// As many as one subject holds open, but for the one that goes on.
const STILL: usize = 24;
/// Runs that are listened to, beside two overviews.
const RUNS: usize = 14;
/// Bytes of frames after which a reader that stands still is far behind: the kernel takes three million for each on its loopback.
const BEHIND: u64 = 4_500_000;
/// Frames that the server keeps.
const KEPT: u64 = 1024;
/// Between two sips: whoever takes nothing at all for two minutes is cut off (`UNTAKEN_MS`), and a busy machine takes longer to leave
/// somebody behind.
const SIP_EVERY: Duration = Duration::from_secs(20);
/// What the server may grow by meanwhile, in MB: the ring of frames holds 8 MiB at most. Queues of what nobody reads would hold 36.
const FLAT_MB: f64 = 20.0;
const RECEIVE_BUFFER: usize = 4096;

/// An address whose stream tells of every run and, twice, of all of them.
fn path(runs: &[String]) -> String {
    let topics: Vec<String> = runs.iter().map(|run| format!("run:{run}")).collect();
    format!("{}?topics=overview,overview:*,{}", Operation::Events.path(&[]), topics.join(","))
}

/// Asks in the words of HTTP/1.0, whose body ends with the connection and has no chunks between its lines.
fn open(server: &TestServer, path: &str) -> BufReader<TcpStream> {
    let address: SocketAddr = server.address.parse().expect("an address");
    let raw = socket(AddressFamily::INET, SocketType::STREAM, None).expect("a socket");
    // Before it is connected: that is when the window is agreed upon.
    set_socket_recv_buffer_size(&raw, RECEIVE_BUFFER).expect("it is set");
    connect(&raw, &address).expect("the server listens");
    let mut stream = TcpStream::from(raw);
    let token = server.token().expect("the server leaves a token");
    let head = format!("host: {}\r\nauthorization: Bearer {token}\r\n", server.address);
    write!(stream, "GET {path} HTTP/1.0\r\n{head}\r\n").expect("it is sent");
    let mut reader = BufReader::with_capacity(64, stream);
    let mut status = String::new();
    reader.read_line(&mut status).expect("it answers");
    assert!(status.contains(" 200 "), "{status}");
    reader
}

/// What a reader was told.
#[derive(Debug, Default)]
struct Told {
    events: u64,
    snapshots: usize,
}

/// A reader that stands still, but for a sip now and then.
struct Still {
    reader: BufReader<TcpStream>,
    told: Told,
}

impl Still {
    fn open(server: &TestServer, path: &str) -> Self {
        let reader = open(server, path);
        reader.get_ref().set_read_timeout(Some(PATIENCE)).expect("it is set");
        Self { reader, told: Told::default() }
    }

    /// Reads a line, and tells how long it is.
    fn line(&mut self) -> usize {
        let (mut line, told) = (String::new(), &mut self.told);
        let length =
            self.reader.read_line(&mut line).unwrap_or_else(|error| panic!("{error} after {told:?}"));
        assert!(length > 0, "the stream has ended after {told:?}");
        if let Some(data) = line.strip_prefix("data: ") {
            told.events += 1;
            told.snapshots += usize::from(data.starts_with("{\"whole\":true"));
        }
        length
    }

    /// As much as the kernel holds for it, so that its window opens once.
    fn sip(&mut self) {
        let mut bytes = 0;
        while bytes < RECEIVE_BUFFER {
            bytes += self.line();
        }
    }

    /// Reads until there were so many snapshots in all.
    fn read_until(&mut self, snapshots: usize) -> &Told {
        while self.told.snapshots < snapshots {
            self.line();
        }
        &self.told
    }
}

/// Reads all that comes until the server is gone, and tells the bytes of each event.
fn read_on(reader: impl BufRead, told: &Sender<u64>) {
    for line in reader.lines().map_while(Result::ok).filter(|line| line.starts_with("data: ")) {
        // Nobody counts any more once it is enough.
        let _ = told.send(line.len() as u64);
    }
}

/// Pauses and resumes every run until somebody says that it is enough.
fn change(server: &TestServer, runs: &[String], enough: &AtomicBool) {
    for turn in 0_u64.. {
        let operation = if turn.is_multiple_of(2) { Operation::PauseRun } else { Operation::ResumeRun };
        for run in runs {
            if enough.load(Ordering::Relaxed) {
                return;
            }
            server.api().post(&operation.path(&[run]), "", &[], &[]);
        }
    }
}

/// Ends what goes on beside a test, also where it fails.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Events that somebody who reads gets until those who stand still are far behind.
fn until_far_behind(told: &Receiver<u64>, still: &mut [Still]) -> u64 {
    let (mut events, mut bytes, mut sipped) = (0, 0, Instant::now());
    while bytes < BEHIND || events <= KEPT {
        bytes += told.recv_timeout(PATIENCE).expect("who reads goes on");
        events += 1;
        if sipped.elapsed() > SIP_EVERY {
            still.iter_mut().for_each(Still::sip);
            sipped = Instant::now();
        }
    }
    events
}

#[test]
fn readers_that_stand_still_cost_nothing_and_get_a_snapshot() {
    let server = TestServer::start(&[]);
    // As long as names can be, so that there is something to read.
    let name = "\u{1f41c}".repeat(100);
    let workflow = job_workflow("function weevil_main() { return 1 }", "");
    let start = || server.api().run_form(&Form::of(&workflow).text("name", &name)).run;
    let runs: Vec<String> = (0..RUNS).map(|_| start()).collect();
    let path = path(&runs);
    let reading = open(&server, &path);
    let (tell, told) = mpsc::channel();
    let goes_on = thread::spawn(move || read_on(reading, &tell));
    let mut still: Vec<Still> = (0..STILL).map(|_| Still::open(&server, &path)).collect();
    let before = resident(server.pid());
    let enough = AtomicBool::new(false);
    let made = thread::scope(|scope| {
        scope.spawn(|| change(&server, &runs, &enough));
        let _ends = Ends(&enough);
        until_far_behind(&told, &mut still)
    });
    let grown = resident(server.pid()) - before;
    assert!(grown < FLAT_MB, "the server has grown by {grown} MB for readers that stand still");
    for reader in &mut still {
        // Those of the beginning, and one more of each topic.
        let found = reader.read_until(2 * (RUNS + 2));
        assert!(found.events < made, "what was missed is not told: {found:?} of {made}");
    }
    drop((still, server));
    goes_on.join().expect("it ends with the server");
}
