//! The demo's server: a process of its own with its data in `data/demo`, ended when dropped.
//! It never looks into the data.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Done, Failure};
use crate::{paths, sh};

const READY_WITHIN: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(50);
const READY: &str = "listening on ";
/// Lines of the log that a failure shows.
const LOG_TAIL: usize = 12;

/// The running server.
#[derive(Debug)]
pub(super) struct Server {
    process: Child,
    log: PathBuf,
    pub(super) url: String,
}

/// The folder of the demo's data and logs.
pub(super) fn data() -> PathBuf {
    paths::root().join("data/demo")
}

/// Fails early and in words where something else holds the port.
pub(super) fn check_port(port: u16) -> Done {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map(drop).map_err(|error| {
        Failure::new(
            format!("port {port} of 127.0.0.1 cannot be had: {error}"),
            "end what holds it, or take another: cargo xtask demo --port 8090",
        )
    })
}

impl Server {
    /// Starts the demo's build and waits until it listens.
    pub(super) fn start(port: u16) -> Done<Self> {
        let data = data();
        fs::create_dir_all(&data).map_err(|error| Failure::file("create", &data, &error))?;
        let log = data.join("server.log");
        let output = own_file(&log).map_err(|error| Failure::file("write", &log, &error))?;
        let errors = output.try_clone().map_err(|error| Failure::file("write", &log, &error))?;
        let mut command = sh::cmd(paths::weevil("demo"));
        command.args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--data", "./data/demo"]);
        sh::say(format!("{} (its words go to data/demo/server.log)", sh::shown(&command)));
        let process =
            command.stdin(Stdio::null()).stdout(output).stderr(errors).spawn().map_err(|error| {
                Failure::new(
                    format!("the server could not be started: {error}"),
                    "cargo build --profile demo --package weevil-server",
                )
            })?;
        let mut server = Self { process, log, url: format!("http://127.0.0.1:{port}") };
        server.wait_until_ready()?;
        Ok(server)
    }

    fn wait_until_ready(&mut self) -> Done {
        let deadline = Instant::now() + READY_WITHIN;
        while Instant::now() < deadline {
            if says_ready(&self.log) {
                return Ok(());
            }
            self.must_run()?;
            thread::sleep(POLL);
        }
        Err(self.failure("does not listen"))
    }

    /// Fails with the end of the log where the server is gone.
    pub(super) fn must_run(&mut self) -> Done {
        match self.process.try_wait() {
            Ok(None) => Ok(()),
            Ok(Some(status)) => Err(self.failure(&format!("ended ({status})"))),
            Err(error) => Err(self.failure(&format!("cannot be asked: {error}"))),
        }
    }

    /// Prints where to look and serves until the person ends it.
    pub(super) fn serve_on(&mut self) -> Done {
        println!("\nstill serving; Ctrl-C ends it");
        println!("  volunteer: {}/", self.url);
        println!(
            "  console:   {} (good once, for five minutes; `weevil console` prints another)",
            self.console()
        );
        // Waited for only here, where nothing else is left to do.
        let status =
            self.process.wait().map_err(|error| self.failure(&format!("cannot be asked: {error}")))?;
        if status.success() { Ok(()) } else { Err(self.failure(&format!("ended ({status})"))) }
    }

    /// A link that opens the console, or its address where none can be had.
    fn console(&self) -> String {
        let link = weevil_client::Server::new(&self.url).console_link();
        link.map_or_else(
            |_| format!("{}/console", self.url),
            |made| format!("{}/console#link={}", self.url, made.link),
        )
    }

    fn failure(&self, what: &str) -> Failure {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let from = log.lines().count().saturating_sub(LOG_TAIL);
        let tail = log.lines().skip(from).collect::<Vec<_>>().join("\n  | ");
        Failure::new(format!("the server {what}; its last words:\n  | {tail}"), "read data/demo/server.log")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        sh::end(&mut self.process);
    }
}

/// A new file that its owner alone can read: the server prints a link into it that opens the console.
fn own_file(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

fn says_ready(log: &Path) -> bool {
    fs::read_to_string(log).is_ok_and(|text| text.lines().any(|line| line.starts_with(READY)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_use_is_refused_with_the_way_out() {
        let holder = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let refusal = check_port(holder.local_addr().unwrap().port()).unwrap_err().to_string();
        assert!(refusal.contains("--port"), "{refusal}");
    }

    #[test]
    fn ready_is_a_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        fs::write(&log, "starting\n").unwrap();
        assert!(!says_ready(&log));
        fs::write(&log, "starting\nlistening on http://127.0.0.1:8080\n").unwrap();
        assert!(says_ready(&log));
    }
}
