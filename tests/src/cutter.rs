//! A way to MariaDB that loses the answers to commits: the database has done it, the server never hears so.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

use weevil_mariadb::MariaDb;

/// As the driver sends it: a command of text.
const COMMIT: &[u8] = b"\x03COMMIT";
const BUFFER: usize = 16_384;

/// Takes connections until the process ends.
#[derive(Debug)]
pub struct Cutter {
    from: u16,
    to: u16,
    left: Arc<AtomicU32>,
}

impl Cutter {
    /// Loses nothing until it is told to.
    pub fn before(maria: &MariaDb) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("there is a free port");
        let from = listener.local_addr().expect("it is bound").port();
        let (to, left) = (maria.port(), Arc::new(AtomicU32::new(0)));
        let cuts = left.clone();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let server = TcpStream::connect((Ipv4Addr::LOCALHOST, to)).expect("MariaDB is there");
                join(&client, &server, &cuts);
            }
        });
        Self { from, to, left }
    }

    /// The address of a database, by this way.
    pub fn through(&self, address: &str) -> String {
        address.replace(&format!(":{}/", self.to), &format!(":{}/", self.from))
    }

    /// From now on so many answers are lost, each with its connection.
    pub fn cut(&self, answers: u32) {
        self.left.store(answers, Ordering::SeqCst);
    }

    /// Answers that are still to be lost.
    pub fn left(&self) -> u32 {
        self.left.load(Ordering::SeqCst)
    }
}

/// Carries bytes both ways, each in a thread of its own.
fn join(client: &TcpStream, server: &TcpStream, cuts: &Arc<AtomicU32>) {
    let ends = || Some((client.try_clone().ok()?, server.try_clone().ok()?));
    let (Some(up), Some(down)) = (ends(), ends()) else { return };
    let committing = Arc::new(AtomicBool::new(false));
    let (asked, cuts) = (committing.clone(), cuts.clone());
    let heard = move |bytes: &[u8]| {
        asked.fetch_or(bytes.ends_with(COMMIT), Ordering::SeqCst);
        true
    };
    let answered = move |_: &[u8]| !committing.swap(false, Ordering::SeqCst) || !take_one(&cuts);
    thread::spawn(move || carry(&up.0, &up.1, heard));
    thread::spawn(move || carry(&down.1, &down.0, answered));
}

fn take_one(cuts: &AtomicU32) -> bool {
    cuts.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
}

/// Until one side ends, or something may not pass: then both have ended.
fn carry(mut from: &TcpStream, mut to: &TcpStream, may_pass: impl Fn(&[u8]) -> bool) {
    let mut buffer = [0; BUFFER];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        if !may_pass(&buffer[..read]) || to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    for end in [from, to] {
        // The other direction may have ended it already.
        let _ended = end.shutdown(Shutdown::Both);
    }
}
