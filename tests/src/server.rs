//! A real `weevil serve` on a free loopback port with its own data folder.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};
use tempfile::{Builder, TempDir};
use weevil_api::ConsoleLink;
use weevil_api::routes::Operation;
use weevil_client::Server;
use weevil_failpoint::Point;

use crate::hostile::Stranger;
use crate::signs::{Sign, Signs};
use crate::{Api, Browser, PATIENCE, Page};

/// Ends, by its process id, when dropped.
#[derive(Debug)]
pub struct TestServer {
    child: Child,
    signs: Signs,
    data: TempDir,
    /// Where it leaves its token.
    runtime: TempDir,
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
        Self::start_over(own_folder(), binary, args)
    }

    /// Over data that is there already.
    pub fn start_over(data: TempDir, binary: &Path, args: &[&str]) -> Self {
        let args: Vec<String> = args.iter().map(ToString::to_string).collect();
        let runtime = own_folder();
        let mut child = spawn(binary, [data.path(), runtime.path()], "127.0.0.1:0", &args, None);
        let mut signs = Signs::of(&mut child);
        let address = address(&signs.next()).expect("the server starts");
        Self { child, signs, data, runtime, binary: binary.to_owned(), args, address }
    }

    /// Starts anew over the same data and port, to die when it passes `point` for the `nth` time. Answers whether it came
    /// as far as to listen.
    pub fn restart_to_die(&mut self, point: Point, nth: u32) -> bool {
        self.respawn(Some(format!("{}:{nth}", point.as_str())));
        self.listens()
    }

    /// As `restart_to_die`, to be stopped there.
    pub fn restart_to_stop(&mut self, point: Point, nth: u32) -> bool {
        self.respawn(Some(format!("{}:{nth}:stop", point.as_str())));
        self.listens()
    }

    /// Waits until it is stopped at its point.
    pub fn await_stop(&mut self) {
        assert_eq!(self.signs.next(), Sign::Stopped);
    }

    /// SIGCONT: a stopped server goes on.
    pub fn proceed(&self) {
        kill_process(self.rustix_pid(), Signal::CONT).expect("the server is there");
    }

    /// Waits until it takes requests. Answers whether it came as far.
    pub fn listens(&mut self) -> bool {
        address(&self.signs.next()).is_some_and(|address| address == self.address)
    }

    /// Waits until the process has ended by itself, or fails the test. Answers how.
    pub fn await_death(&mut self) -> ExitStatus {
        while self.signs.next() != Sign::Ended {}
        self.child.wait().expect("the server has ended")
    }

    fn respawn(&mut self, fail: Option<String>) {
        let folders = [self.data.path(), self.runtime.path()];
        self.child = spawn(&self.binary, folders, &self.address, &self.args, fail);
        self.signs = Signs::of(&mut self.child);
    }

    /// Where volunteers on other machines reach it: the next socket of `--public-listen` that it has told of.
    pub fn public_address(&mut self) -> String {
        self.told("volunteers: ")
    }

    /// Where plain HTTP is sent on to HTTPS.
    pub fn redirect_address(&mut self) -> String {
        self.told("redirect: ")
    }

    /// The link that makes the first account.
    pub fn first_admin_link(&mut self) -> String {
        let address = self.told("first admin: ");
        address.split_once("#link=").expect("an address with a link").1.to_owned()
    }

    /// Whether the line after the first one, of a server with a public face, is for the first admin.
    pub fn asks_for_first_admin(&mut self) -> bool {
        let Sign::Said(line) = self.signs.next() else { panic!("the server tells of no public face") };
        line.starts_with("first admin: ")
    }

    /// The address in the next line that begins so.
    fn told(&mut self, of: &str) -> String {
        loop {
            let Sign::Said(line) = self.signs.next() else { panic!("the server tells of no {of}") };
            let rest = line.strip_prefix(of).and_then(|url| url.split_once("://"));
            if let Some((_, address)) = rest {
                return address.trim_end_matches('/').to_owned();
            }
        }
    }

    /// As the server's owner asks.
    pub fn api(&self) -> Api {
        self.api_with(PATIENCE)
    }

    /// As `api`, for work that takes longer than a test may.
    pub fn api_with(&self, patience: Duration) -> Api {
        Api::of_owner(&self.address, self.runtime(), patience)
    }

    /// The folder in which it leaves its token.
    pub fn runtime(&self) -> &Path {
        self.runtime.path()
    }

    /// What its owner proves to be with; older binaries leave no token.
    pub fn token(&self) -> Option<String> {
        Server::new(&self.url("")).with_folder(self.runtime().to_owned()).local_token()
    }

    /// Nobody, by hand.
    pub fn stranger(&self) -> Stranger {
        Stranger::of(&self.address)
    }

    /// Its owner, by hand.
    pub fn owner(&self) -> Stranger {
        let stranger = Stranger::of(&self.address);
        match self.token() {
            Some(token) => stranger.with("Authorization", &format!("Bearer {token}")),
            None => stranger,
        }
    }

    /// The binary as its owner calls it.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command.env("WEEVIL_RUNTIME_DIR", self.runtime());
        command
    }

    /// The console, opened by a link of its own, at a place like `#/runs/run_..`.
    pub fn console<'b>(&self, browser: &'b Browser, place: &str) -> Page<'b> {
        self.console_at(&self.address, browser, place)
    }

    /// As `console`, by another address that leads to this server.
    pub fn console_at<'b>(&self, address: &str, browser: &'b Browser, place: &str) -> Page<'b> {
        let made = self.api().post(&Operation::MakeConsoleLink.path(&[]), "text/plain", &[], b"");
        let ConsoleLink { link, .. } = made.created();
        let page = browser.open(&format!("http://{address}/console#link={link}"));
        page.wait_for("document.documentElement.dataset.live === 'true'");
        if !place.is_empty() {
            page.eval(&format!("location.hash = '{place}'"));
        }
        page
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

    /// SIGHUP: it looks at its certificate anew.
    pub fn hang_up(&self) {
        kill_process(self.rustix_pid(), Signal::HUP).expect("the server runs");
    }

    /// No file of the server may grow beyond this many bytes, as if its disk were full; `None` lifts that.
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
        self.respawn(None);
        assert!(self.listens());
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        // It may have ended already.
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// Its owner's alone, whatever the umask: a server tells of a wider one, or does not take it.
fn own_folder() -> TempDir {
    let folder = Builder::new().permissions(Permissions::from_mode(0o700)).tempdir();
    folder.expect("a temporary folder can be made")
}

/// `folders` hold what survives, and its token.
fn spawn(binary: &Path, folders: [&Path; 2], listen: &str, args: &[String], fail: Option<String>) -> Child {
    let [data, runtime] = folders;
    Command::new(binary)
        .args(["serve", "--listen", listen, "--data"])
        .arg(data)
        .args(args)
        .env("RUST_LOG", "warn")
        .env("WEEVIL_RUNTIME_DIR", runtime)
        .envs(fail.map(|fail| (weevil_failpoint::VARIABLE, fail)))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{} cannot be started: {error}", binary.display()))
}

/// Where the server says that it listens.
fn address(sign: &Sign) -> Option<String> {
    let Sign::Said(line) = sign else { return None };
    let url = line.strip_prefix("listening on ")?;
    url.split_once("://").map(|(_, address)| address.to_owned())
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
