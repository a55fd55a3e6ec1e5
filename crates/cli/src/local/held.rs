//! A program that ends when this value is dropped, or when this process ends in any other way.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use super::scratch::scratch;

/// What is kept of what a program complains about: its last lines, and of each so many bytes.
const KEPT_LINES: usize = 20;
const KEPT_BYTES: u64 = 400;

type Complaints = Arc<Mutex<VecDeque<String>>>;

#[derive(Debug)]
pub(super) struct Held {
    /// `weevil hold`, which ends the program once `open` is closed.
    keeper: Child,
    open: Option<ChildStdin>,
    complaints: Complaints,
    said: Option<ChildStdout>,
}

/// What is to be started, in a folder of its own that goes with it.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) folder: PathBuf,
    keeper: Command,
}

impl Program {
    /// # Errors
    /// In words for people.
    pub(super) fn new(program: &Path) -> Result<Self, String> {
        let own = std::env::current_exe().map_err(|error| format!("this program is not found: {error}"))?;
        let folder = scratch().map_err(|error| format!("no temporary folder can be made: {error}"))?;
        let mut keeper = Command::new(own);
        // Nobody reads what a browser prints, and a full pipe would stop it.
        keeper.stdout(Stdio::null());
        keeper.arg("hold").arg("--remove").arg(&folder).arg("--").arg(program);
        Ok(Self { folder, keeper })
    }

    /// For its arguments and variables.
    pub(super) const fn command(&mut self) -> &mut Command {
        &mut self.keeper
    }

    /// # Errors
    /// In words for people.
    pub(super) fn start(mut self) -> Result<Held, String> {
        // Ctrl-C in a terminal reaches the group of this process, and is this process's to answer.
        let keeper = self.keeper.process_group(0).stdin(Stdio::piped());
        let mut keeper = keeper
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("this program cannot start itself: {error}"))?;
        let complaints = Complaints::default();
        if let Some(stderr) = keeper.stderr.take() {
            let heard = complaints.clone();
            std::thread::spawn(move || hear(stderr, &heard));
        }
        let (open, said) = (keeper.stdin.take(), keeper.stdout.take());
        Ok(Held { keeper, open, complaints, said })
    }
}

impl Held {
    /// What it prints, once, where its command asked for a pipe.
    pub(super) fn said(&mut self) -> Option<impl BufRead + use<>> {
        self.said.take().map(BufReader::new)
    }

    pub(super) fn has_ended(&mut self) -> bool {
        !matches!(self.keeper.try_wait(), Ok(None))
    }

    /// The last of what it complained about.
    pub(super) fn complaints(&self) -> String {
        let heard = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        heard.iter().fold(String::new(), |told, line| told + "\n" + line)
    }

    /// Waits until it has ended by itself.
    pub(super) fn await_end(&mut self) {
        let _ended = self.keeper.wait();
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        drop(self.open.take());
        self.await_end();
    }
}

/// Reads until nobody writes any more: a full pipe would stop the program.
fn hear(from: impl Read, heard: &Complaints) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while matches!(from.by_ref().take(KEPT_BYTES).read_until(b'\n', &mut line), Ok(1..)) {
        let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.push_back(String::from_utf8_lossy(line.trim_ascii_end()).into_owned());
        if heard.len() > KEPT_LINES {
            heard.pop_front();
        }
        line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_complaints_are_kept_and_no_more() {
        for (text, expected) in [
            (String::new(), vec![]),
            ("one\ntwo".to_owned(), vec!["one".to_owned(), "two".to_owned()]),
            ("x".repeat(500), vec!["x".repeat(400), "x".repeat(100)]),
            ((0..30).map(|n| n.to_string() + "\n").collect(), (10..30).map(|n| n.to_string()).collect()),
        ] {
            let heard = Complaints::default();
            hear(text.as_bytes(), &heard);
            assert_eq!(heard.lock().unwrap().iter().cloned().collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
