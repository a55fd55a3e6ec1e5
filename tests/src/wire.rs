//! A way to the server that can be cut: with a bang, or so that packets vanish and nobody says a word.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::net::sockopt::set_socket_linger;

use crate::request_lines::RequestLines;

const BUFFER: usize = 65_536;

/// How a connection goes on.
#[derive(Debug)]
struct Connection {
    client: TcpStream,
    server: TcpStream,
    /// What goes in does not come out, on either side, for ever.
    swallows: AtomicBool,
}

/// What becomes of new connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Open,
    Reset,
    Swallow,
}

#[derive(Debug)]
struct Shared {
    mode: Mutex<Mode>,
    open: Mutex<Vec<Arc<Connection>>>,
    passed: AtomicU32,
    received: AtomicU64,
    requests: Mutex<Vec<String>>,
    /// Whether answers wait.
    held: Mutex<bool>,
    let_go: Condvar,
}

/// Takes connections until the process ends.
#[derive(Debug)]
pub struct Wire {
    /// To be used instead of the server's.
    pub address: String,
    shared: Arc<Shared>,
}

impl Wire {
    pub fn to(server: &str) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("there is a free port");
        let address = listener.local_addr().expect("it is bound").to_string();
        let shared = Arc::new(Shared {
            mode: Mutex::new(Mode::Open),
            open: Mutex::default(),
            passed: AtomicU32::new(0),
            received: AtomicU64::new(0),
            requests: Mutex::default(),
            held: Mutex::default(),
            let_go: Condvar::new(),
        });
        let (taking, server) = (shared.clone(), server.to_owned());
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                taking.take(client, &server);
            }
        });
        Self { address, shared }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Every connection is reset, and so is each new one.
    pub fn cut(&self) {
        *self.shared.mode() = Mode::Reset;
        for connection in self.shared.open().drain(..) {
            connection.swallows.store(true, Ordering::SeqCst);
            reset(&connection.client);
            reset(&connection.server);
        }
    }

    /// Whatever is sent from now on vanishes, over connections that are there and over new ones. None of them ends.
    pub fn swallow(&self) {
        *self.shared.mode() = Mode::Swallow;
        for connection in self.shared.open().iter() {
            connection.swallows.store(true, Ordering::SeqCst);
        }
    }

    /// New connections work again. What vanished stays lost.
    pub fn restore(&self) {
        *self.shared.mode() = Mode::Open;
    }

    /// What the server answers from now on waits here, for as long as it takes to be let go.
    pub fn hold(&self) {
        *self.shared.held() = true;
    }

    /// What waits goes on.
    pub fn let_go(&self) {
        *self.shared.held() = false;
        self.shared.let_go.notify_all();
    }

    /// Bytes that the server has sent so far.
    pub fn received(&self) -> u64 {
        self.shared.received.load(Ordering::SeqCst)
    }

    /// Method and target of each request so far, over whichever connection.
    pub fn requests(&self) -> Vec<String> {
        self.shared.requests().clone()
    }

    /// Connections that were made while the way was open.
    pub fn passed(&self) -> u32 {
        self.shared.passed.load(Ordering::SeqCst)
    }
}

impl Shared {
    fn mode(&self) -> MutexGuard<'_, Mode> {
        self.mode.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self) -> MutexGuard<'_, Vec<Arc<Connection>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn requests(&self) -> MutexGuard<'_, Vec<String>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn held(&self) -> MutexGuard<'_, bool> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn await_let_go(&self) {
        drop(self.let_go.wait_while(self.held(), |held| *held));
    }

    fn take(self: &Arc<Self>, client: TcpStream, server: &str) {
        let mode = self.mode();
        if *mode == Mode::Reset {
            return reset(&client);
        }
        let Ok(server) = TcpStream::connect(server) else { return reset(&client) };
        let connection = Connection { client, server, swallows: AtomicBool::new(*mode == Mode::Swallow) };
        self.passed.fetch_add(u32::from(*mode == Mode::Open), Ordering::SeqCst);
        let connection = Arc::new(connection);
        self.open().push(connection.clone());
        let back = connection.clone();
        let shared = self.clone();
        let (asked, mut lines) = (self.clone(), RequestLines::default());
        let keep = move |bytes: &[u8]| asked.requests().extend(lines.read(bytes));
        thread::spawn(move || carry(&connection, &connection.client, &connection.server, keep));
        let count = move |bytes: &[u8]| {
            shared.received.fetch_add(bytes.len() as u64, Ordering::SeqCst);
            shared.await_let_go();
        };
        thread::spawn(move || carry(&back, &back.server, &back.client, count));
    }
}

/// An end without a goodbye, RST instead of FIN, once nobody reads from it: who does, reads its end.
fn reset(stream: &TcpStream) {
    // It may have ended already.
    let _ended = set_socket_linger(stream, Some(Duration::ZERO));
    let _ended = stream.shutdown(Shutdown::Read);
}

fn carry(connection: &Connection, mut from: &TcpStream, mut to: &TcpStream, mut look: impl FnMut(&[u8])) {
    let mut buffer = vec![0; BUFFER];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        look(&buffer[..read]);
        if !connection.swallows.load(Ordering::SeqCst) && to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    if !connection.swallows.load(Ordering::SeqCst) {
        for end in [from, to] {
            // The other direction may have ended it already.
            let _ended = end.shutdown(Shutdown::Both);
        }
    }
}
