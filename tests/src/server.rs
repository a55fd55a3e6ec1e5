//! A real `weevil serve` on a free loopback port with its own data folder.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::Api;

/// Ends, by its process id, when dropped.
#[derive(Debug)]
pub struct TestServer {
    child: Child,
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
        let data = TempDir::new().expect("a temporary folder can be made");
        let args: Vec<String> = args.iter().map(ToString::to_string).collect();
        let (child, address) = spawn(binary, data.path(), "127.0.0.1:0", &args);
        Self { child, data, binary: binary.to_owned(), args, address }
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

    /// SIGKILL: no goodbye, no flush.
    pub fn kill(&mut self) {
        self.child.kill().expect("the server can be killed");
        self.child.wait().expect("the server has ended");
    }

    /// Starts again over the same data, on the same port.
    pub fn restart(&mut self) {
        let (child, address) = spawn(&self.binary, self.data.path(), &self.address, &self.args);
        assert_eq!(address, self.address);
        self.child = child;
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        // It may have ended already.
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

fn spawn(binary: &Path, data: &Path, listen: &str, args: &[String]) -> (Child, String) {
    let mut child = Command::new(binary)
        .args(["serve", "--listen", listen, "--data"])
        .arg(data)
        .args(args)
        .env("RUST_LOG", "warn")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{} cannot be started: {error}", binary.display()));
    let stdout = child.stdout.take().expect("stdout is piped");
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line).expect("the server speaks");
    let address = line.trim().strip_prefix("listening on http://");
    let address = address.unwrap_or_else(|| panic!("the server did not start: `{line}`")).to_owned();
    (child, address)
}

fn default_binary() -> PathBuf {
    if let Some(binary) = std::env::var_os("WEEVIL_BIN") {
        return binary.into();
    }
    let tests = std::env::current_exe().expect("the tests know where they are");
    let profile = tests.ancestors().nth(2).expect("tests are built into target/<profile>/deps");
    let binary = profile.join("weevil");
    assert!(binary.exists(), "{} is missing: run `cargo build -p weevil-server`", binary.display());
    binary
}
