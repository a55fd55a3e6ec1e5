//! A client made of bytes: heads, masks, lengths and frames by hand, over blocking sockets, at any pace. Shares no code
//! with the server or its protocol: what both misread alike, no test would see. Never asserts what is right.
//!
//! `Stranger` is where one comes from and what its heads carry; it makes a `Line` (a TCP connection), a `Reply` (an
//! answer), a `RawSocket` (a WebSocket) and a `ByteWorker` (one that is welcome). `cbor` writes and reads values,
//! `words` the frames of docs/protocol.md.

pub mod cbor;
mod line;
mod reply;
mod socket;
pub mod words;
mod worker;

pub use line::Line;
pub use reply::Reply;
pub use socket::{MASK, Opcode, RawFrame, RawSocket};
pub use worker::{ByteWorker, Refusal};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The example of RFC 6455, 1.3: any sixteen bytes do.
const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";

/// Somebody who can reach the server at `address`, and says `headers` with every request.
#[derive(Debug, Clone)]
pub struct Stranger {
    pub address: String,
    headers: Vec<(String, String)>,
}

impl Stranger {
    pub fn of(address: &str) -> Self {
        Self { address: address.to_owned(), headers: Vec::new() }
    }

    /// With this header in each head. `Host`, too, once it is named.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// As a trusted proxy tells of a client: `X-Forwarded-For`.
    #[must_use]
    pub fn from(self, place: &str) -> Self {
        self.with("X-Forwarded-For", place)
    }

    /// Connects, without a word.
    pub fn connect(&self) -> Line {
        Line::to(&self.address)
    }

    /// A head with nothing but this, the stranger's own headers and, where nobody names one, `Host`.
    pub fn head(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Vec<u8> {
        let own = self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let all: Vec<_> = own.chain(headers.iter().copied()).collect();
        let host = [("Host", self.address.as_str())];
        let named = all.iter().any(|(name, _)| name.eq_ignore_ascii_case("host"));
        let lines = host.iter().take(usize::from(!named)).chain(&all);
        let lines: Vec<String> = lines.map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        format!("{method} {path} HTTP/1.1\r\n{}\r\n", lines.concat()).into_bytes()
    }

    /// A request over a connection of its own, with its length before its body.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let length = body.len().to_string();
        let length = [("Content-Length", length.as_str())];
        let sized = if body.is_empty() && method == "GET" { &length[..0] } else { &length[..] };
        let mut line = self.connect();
        line.send(&self.head(method, path, &[headers, sized].concat()));
        line.send(body);
        line.reply().unwrap_or_else(|| panic!("{method} {path} has no answer"))
    }

    pub fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], &[])
    }

    pub fn post(&self, path: &str, content_type: &str, body: &[u8]) -> Reply {
        self.ask("POST", path, &[("Content-Type", content_type)], body)
    }

    /// An exchange of the plain protocol: `join`, `dequeue`, `submit`, `heartbeat`, `leave`.
    pub fn plain(&self, exchange: &str, xml: &str) -> Reply {
        self.post(&format!("/worker/v1/{exchange}"), "application/xml", xml.as_bytes())
    }

    /// Asks for a WebSocket at `path`. The answer, where it is another than 101; `None` where the connection ended without.
    pub fn upgrade_at(&self, path: &str, headers: &[(&str, &str)]) -> Result<RawSocket, Option<Reply>> {
        let upgrade = [
            ("Connection", "Upgrade"),
            ("Upgrade", "websocket"),
            ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", KEY),
        ];
        let mut line = self.connect();
        line.send(&self.head("GET", path, &[&upgrade[..], headers].concat()));
        match line.reply() {
            Some(Reply { status: 101, .. }) => Ok(RawSocket::over(line)),
            other => Err(other),
        }
    }

    /// A WebSocket of the worker's protocol, before any hello.
    pub fn upgrade(&self) -> Result<RawSocket, Option<Reply>> {
        self.upgrade_at("/ws/v1", &[])
    }

    /// A worker that is welcome and wants to hold `capacity` jobs.
    pub fn join(&self, capacity: u64) -> ByteWorker {
        ByteWorker::join(self, capacity)
    }
}

/// This process may open as many files as the system lets it: a crowd is many sockets.
pub fn many_descriptors() {
    let maximum = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).expect("up to the hard limit");
}
