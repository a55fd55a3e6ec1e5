//! A shell between the tests and the server: it starts and kills the server when told, and when nobody can tell it
//! anything any more it kills the server and removes the folder. So a killed test leaves nothing behind.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};

use crate::PATIENCE;

/// The folder, then the server's command line. What the server says comes out here, too.
const SCRIPT: &str = r#"
trap '' INT TERM HUP XFSZ
folder=$1; shift; pid=
while read -r order; do
    case $order in
        start) "$@" 2>&1 & pid=$! ;;
        kill) kill -9 "$pid"; wait "$pid"; pid=; echo 'guard: killed' ;;
    esac
done
if [ -n "$pid" ]; then kill -9 "$pid"; wait "$pid"; fi
rm -rf "$folder"
"#;

#[derive(Debug)]
pub(crate) struct Guard {
    shell: Child,
    /// Closed when dropped: the last order.
    orders: Option<ChildStdin>,
    said: Mutex<Receiver<String>>,
}

impl Guard {
    pub(crate) fn new(folder: &Path, server: &[OsString]) -> Self {
        let mut shell = Command::new("sh")
            .args(["-c", SCRIPT, "guard"])
            .arg(folder)
            .args(server)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell can be started");
        let stdout = BufReader::new(shell.stdout.take().expect("stdout is piped"));
        let (to, said) = channel();
        // Ends with the shell; after the receiver it still keeps the pipe from filling up.
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).for_each(|line| drop(to.send(line))));
        Self { orders: shell.stdin.take(), shell, said: Mutex::new(said) }
    }

    /// Returns when the server takes connections.
    pub(crate) fn start(&mut self) {
        self.order("start");
        self.await_line("ready for connections");
    }

    /// Returns when the server is gone.
    pub(crate) fn kill(&mut self) {
        self.order("kill");
        self.await_line("guard: killed");
    }

    fn order(&mut self, order: &str) {
        let orders = self.orders.as_mut().expect("open until dropped");
        writeln!(orders, "{order}").expect("the guard listens");
    }

    fn await_line(&mut self, part: &str) {
        let lines = self.said.get_mut().expect("nobody panics");
        let mut said = Vec::new();
        loop {
            let line = lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("MariaDB never said `{part}`, only {said:#?}"));
            let aborting = line.contains("[ERROR] Aborting");
            if line.contains(part) {
                return;
            }
            said.push(line);
            assert!(!aborting, "MariaDB did not start: {said:#?}");
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.orders.take());
        // The shell may be gone already.
        let _ended = self.shell.wait();
    }
}
