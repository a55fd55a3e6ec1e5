//! One build of the project that is measured: its server, and its own bench program where there is one.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// More than a server over an empty folder needs.
const PATIENCE: Duration = Duration::from_secs(30);
const LISTENING: &str = "listening on http://";

#[derive(Debug, Clone)]
pub(crate) struct Subject {
    /// The release binary of its server.
    pub server: PathBuf,
    /// `None` where only a server was given.
    pub program: Option<PathBuf>,
}

impl Subject {
    /// Starts the server once, so that a binary that cannot be measured is told before anything is.
    ///
    /// # Errors
    /// Where the binary cannot be started, or does not listen.
    pub(crate) fn that_listens(server: PathBuf, program: Option<PathBuf>) -> Result<Self, String> {
        let listens =
            listens(&server).map_err(|error| format!("{} cannot be started: {error}", server.display()))?;
        if listens {
            return Ok(Self { server, program });
        }
        let server = server.display();
        Err(format!("{server} does not say that it listens: give the `weevil` of a release build"))
    }
}

/// Whether the server of this binary has a setting. Older releases lack some.
pub(crate) fn knows(server: &Path, setting: &str) -> bool {
    let help = Command::new(server).args(["serve", "--help"]).output().expect("the binary runs");
    String::from_utf8_lossy(&help.stdout).contains(setting)
}

fn listens(server: &Path) -> std::io::Result<bool> {
    let folder = TempDir::new()?;
    let mut child = Command::new(server)
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(folder.path())
        .env("RUST_LOG", "error")
        .stdout(Stdio::piped())
        .spawn()?;
    let listens = first_line(&mut child).is_some_and(|line| line.starts_with(LISTENING));
    child.kill()?;
    child.wait()?;
    Ok(listens)
}

/// What the child says first; `None` where it ends or keeps silent.
fn first_line(child: &mut Child) -> Option<String> {
    let stdout = BufReader::new(child.stdout.take()?);
    let (say, said) = mpsc::channel();
    thread::spawn(move || {
        // Nobody hears a line that comes too late.
        let _late = stdout.lines().next().and_then(Result::ok).map(|line| say.send(line));
    });
    said.recv_timeout(PATIENCE).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_listen_is_refused_with_the_cure() {
        for (server, words) in [
            ("/bin/true", "give the `weevil` of a release build"),
            ("/does/not/exist", "/does/not/exist cannot be started"),
        ] {
            let refusal = Subject::that_listens(server.into(), None).unwrap_err();
            assert!(refusal.contains(words), "{refusal}");
        }
    }
}
