//! Ways to the server on which the sandbox arrives with one of its two defences missing: weak on purpose.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::thread;

const BUFFER: usize = 65_536;

/// What is to be found in an answer, and what is put in its place: of the same length, so that lengths stay true.
type Change = (&'static [u8], &'static [u8]);

const NO_POLICY: Change = (b"content-security-policy:", b"x-no-such-security-rule:");
/// What takes a name away from job code; in its place stands what changes nothing, and answers as if it had.
const NO_DELETIONS: Change = (b"Reflect.deleteProperty", b"Reflect.getPrototypeOf");
/// Answers come as plain text then.
const PLAIN: Change = (b"accept-encoding:", b"x-no-such-field:");

/// An address to use instead of `server`: no answer has a security policy. Until the process ends.
pub fn without_policies(server: &str) -> String {
    softened(server, NO_POLICY)
}

/// An address to use instead of `server`: the runtime removes no global names. Until the process ends.
pub fn without_deletions(server: &str) -> String {
    softened(server, NO_DELETIONS)
}

fn softened(server: &str, change: Change) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("there is a free port");
    let address = listener.local_addr().expect("it is bound").to_string();
    let server = server.to_owned();
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let server = TcpStream::connect(&server).expect("the server is there");
            join(&client, &server, change);
        }
    });
    address
}

/// Carries bytes both ways, each in a thread of its own.
fn join(client: &TcpStream, server: &TcpStream, change: Change) {
    let ends = || Some((client.try_clone().ok()?, server.try_clone().ok()?));
    let (Some(up), Some(down)) = (ends(), ends()) else { return };
    thread::spawn(move || carry(&up.0, &up.1, PLAIN));
    thread::spawn(move || carry(&down.1, &down.0, change));
}

fn apply((from, to): Change, bytes: &mut [u8]) {
    let found = bytes.windows(from.len()).position(|window| window.eq_ignore_ascii_case(from));
    if let Some(at) = found {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
}

fn carry(mut from: &TcpStream, mut to: &TcpStream, change: Change) {
    let mut buffer = vec![0; BUFFER];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        apply(change, &mut buffer[..read]);
        if to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    for end in [from, to] {
        // The other direction may have ended it already.
        let _ended = end.shutdown(Shutdown::Both);
    }
}
