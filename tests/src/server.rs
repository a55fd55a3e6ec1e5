//! A real `weevil serve` on a free loopback port with its own data folder.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};
use tempfile::TempDir;
use weevil_failpoint::Point;

use crate::{Api, PATIENCE};

/// Ends, by its process id, when dropped.
#[derive(Debug)]
pub struct TestServer {
    child: Child,
    /// Ends with the process.
    stdout: Option<BufReader<ChildStdout>>,
    data: TempDir,
    binary: PathBuf,
    args: Vec<String>,
    pub address: String,
}

impl TestServer {
    /// With the binary that `WEEVIL_BIN` names, or the one built beside the tests.
    pub fn start(args: &[&str]) -> Self {
        Self::start_binary(&default_binary(), args)
    }

    pub fn start_binary(binary: &Path, args: &[&str]) -> Self {
        Self::start_over(TempDir::new().expect("a temporary folder can be made"), binary, args)
    }

    /// Over data that is there already.
    pub fn start_over(data: TempDir, binary: &Path, args: &[&str]) -> Self {
        let args: Vec<String> = args.iter().map(ToString::to_string).collect();
        let mut child = spawn(binary, data.path(), "127.0.0.1:0", &args, None);
        let (stdout, address) = await_address(&mut child);
        let address = address.expect("the server starts");
        Self { child, stdout: Some(stdout), data, binary: binary.to_owned(), args, address }
    }

    /// Starts anew over the same data and port, to die when it passes `point` for the `nth` time. Answers whether it came
    /// as far as to listen.
    pub fn restart_to_die(&mut self, point: Point, nth: u32) -> bool {
        self.respawn(Some((point, nth))).is_some()
    }

    /// Waits until the process has ended by itself, or fails the test. Answers how.
    pub fn await_death(&mut self) -> ExitStatus {
        let (to, from) = channel();
        let stdout = self.stdout.take().expect("the server was started");
        std::thread::spawn(move || to.send(stdout.lines().count()));
        from.recv_timeout(PATIENCE).expect("the server ends");
        self.child.wait().expect("the server has ended")
    }

    fn respawn(&mut self, fail: Option<(Point, u32)>) -> Option<String> {
        self.child = spawn(&self.binary, self.data.path(), &self.address, &self.args, fail);
        let (stdout, address) = await_address(&mut self.child);
        self.stdout = Some(stdout);
        address
    }

    pub fn api(&self) -> Api {
        Api::new(&self.address)
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn binary(&self) -> &Path {
        &self.binary
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it was started with after this name.
    pub(crate) fn option(&self, name: &str) -> Option<&str> {
        self.args.iter().skip_while(|arg| *arg != name).nth(1).map(String::as_str)
    }

    /// SIGTERM: what a service manager sends first.
    pub fn terminate(&self) {
        kill_process(self.rustix_pid(), Signal::TERM).expect("the server runs");
    }

    /// No file of the server may grow beyond this many bytes, as if its disk were full; none lifts that.
    pub fn limit_files(&self, bytes: Option<u64>) {
        let limit = Rlimit { current: bytes, maximum: None };
        prlimit(Some(self.rustix_pid()), Resource::Fsize, limit).expect("the server runs");
    }

    fn rustix_pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// SIGKILL: no goodbye, no flush.
    pub fn kill(&mut self) {
        self.child.kill().expect("the server can be killed");
        self.child.wait().expect("the server has ended");
    }

    /// Starts again over the same data, on the same port.
    pub fn restart(&mut self) {
        let address = self.respawn(None);
        assert_eq!(address.as_ref(), Some(&self.address));
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        // It may have ended already.
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

fn spawn(binary: &Path, data: &Path, listen: &str, args: &[String], fail: Option<(Point, u32)>) -> Child {
    let armed = fail.map(|(point, nth)| (weevil_failpoint::VARIABLE, format!("{}:{nth}", point.as_str())));
    Command::new(binary)
        .args(["serve", "--listen", listen, "--data"])
        .arg(data)
        .args(args)
        .env("RUST_LOG", "warn")
        .envs(armed)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{} cannot be started: {error}", binary.display()))
}

/// Where the server listens; nowhere if it ended before.
fn await_address(child: &mut Child) -> (BufReader<ChildStdout>, Option<String>) {
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
    let mut line = String::new();
    stdout.read_line(&mut line).expect("the server speaks");
    let address = line.trim().strip_prefix("listening on http://").map(str::to_owned);
    (stdout, address)
}

/// The binary that `WEEVIL_BIN` names, or the one built beside the tests.
pub fn default_binary() -> PathBuf {
    if let Some(binary) = std::env::var_os("WEEVIL_BIN") {
        return binary.into();
    }
    let tests = std::env::current_exe().expect("the tests know where they are");
    let profile = tests.ancestors().nth(2).expect("tests are built into target/<profile>/deps");
    let binary = profile.join("weevil");
    assert!(binary.exists(), "{} is missing: run `cargo build -p weevil-server`", binary.display());
    binary
}
