//! One TCP connection: bytes out at any pace, bytes in as they come. Knows nothing of what they mean but how an answer
//! of HTTP is read.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use rustix::net::sockopt::set_socket_linger;

use super::Reply;
use crate::PATIENCE;

/// Bytes that are asked of the socket at once.
const READ: usize = 65_536;

/// Dropping it closes it.
#[derive(Debug)]
pub struct Line {
    stream: TcpStream,
    /// Read from the socket, not yet by anybody here.
    ahead: Vec<u8>,
}

impl Line {
    pub(super) fn to(address: &str) -> Self {
        Self::try_to(address).unwrap_or_else(|| panic!("{address} takes no connection"))
    }

    pub(super) fn try_to(address: &str) -> Option<Self> {
        let stream = TcpStream::connect(address).ok()?;
        stream.set_nodelay(true).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        stream.set_write_timeout(Some(PATIENCE)).ok()?;
        Some(Self { stream, ahead: Vec::new() })
    }

    /// Answers whether the other side takes it all.
    pub fn send(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }

    /// Sends `piece` bytes every `pause`, until all are sent or the other side has ended the connection. Answers how many
    /// were sent.
    pub fn trickle(&mut self, bytes: &[u8], piece: usize, pause: Duration) -> usize {
        let mut sent = 0;
        for piece in bytes.chunks(piece) {
            if !self.is_open() || !self.send(piece) {
                break;
            }
            sent += piece.len();
            thread::sleep(pause);
        }
        sent
    }

    /// Sends what the other side takes, until it has taken nothing for `pause`. Answers how many bytes it took.
    pub fn offer(&mut self, bytes: &[u8], pause: Duration) -> usize {
        self.stream.set_write_timeout(Some(pause)).expect("a pause is longer than nothing");
        let mut sent = 0;
        while let Ok(took @ 1..) = self.stream.write(&bytes[sent..]) {
            sent += took;
        }
        self.stream.set_write_timeout(Some(PATIENCE)).expect("the socket is there");
        sent
    }

    /// Says that nothing more comes, and goes on reading.
    pub fn half_close(&mut self) {
        // It may have ended already.
        let _ended = self.stream.shutdown(Shutdown::Write);
    }

    /// Ends without a goodbye: RST instead of FIN.
    pub fn reset(self) {
        // It may have ended already.
        let _ended = set_socket_linger(&self.stream, Some(Duration::ZERO));
    }

    /// Whether the other side has not ended it as far as is known by now. Does not wait.
    pub fn is_open(&mut self) -> bool {
        let mut byte = [0];
        self.stream.set_nonblocking(true).expect("the socket is there");
        let seen = self.stream.peek(&mut byte);
        self.stream.set_nonblocking(false).expect("the socket is there");
        match seen {
            Ok(count) => count > 0,
            Err(error) => error.kind() == ErrorKind::WouldBlock,
        }
    }

    /// Throws away what has come by now. Does not wait.
    pub fn discard(&mut self) {
        self.ahead.clear();
        self.stream.set_nonblocking(true).expect("the socket is there");
        while self.fill().is_ok_and(|read| read > 0) {
            self.ahead.clear();
        }
        self.stream.set_nonblocking(false).expect("the socket is there");
    }

    /// Waits for the other side to end it, whatever it says before. False where it has not within `PATIENCE`.
    pub fn ended(&mut self) -> bool {
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            self.ahead.clear();
            match self.fill() {
                Ok(0) => return true,
                Ok(_) => {}
                Err(kind) => return !is_silence(kind),
            }
        }
        false
    }

    /// The next answer of HTTP; `None` where the connection ends without one.
    pub fn reply(&mut self) -> Option<Reply> {
        Reply::read(self)
    }

    /// The next `count` bytes; `None` where the connection ends before.
    pub(super) fn take(&mut self, count: usize) -> Option<Vec<u8>> {
        while self.ahead.len() < count {
            self.more()?;
        }
        Some(self.ahead.drain(..count).collect())
    }

    /// What comes up to `mark` and with it; `None` where the connection ends before.
    pub fn take_until(&mut self, mark: &[u8]) -> Option<Vec<u8>> {
        loop {
            if let Some(at) = self.ahead.windows(mark.len()).position(|window| window == mark) {
                return self.take(at + mark.len());
            }
            self.more()?;
        }
    }

    /// All that comes until the other side ends.
    pub(super) fn take_all(&mut self) -> Vec<u8> {
        while self.more().is_some() {}
        std::mem::take(&mut self.ahead)
    }

    /// `None` once the connection has ended. Silence is no end.
    fn more(&mut self) -> Option<()> {
        match self.fill() {
            Ok(read) => (read > 0).then_some(()),
            Err(kind) => {
                assert!(!is_silence(kind), "nothing came for {PATIENCE:?}, and no end");
                None
            }
        }
    }

    fn fill(&mut self) -> Result<usize, ErrorKind> {
        let mut buffer = vec![0; READ];
        let read = self.stream.read(&mut buffer).map_err(|error| error.kind())?;
        self.ahead.extend_from_slice(&buffer[..read]);
        Ok(read)
    }
}

fn is_silence(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut)
}
