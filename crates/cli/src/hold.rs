//! `weevil hold`, which other commands start: runs a program for as long as somebody holds the other end of stdin.
//!
//! An end that is dropped is seen whatever ended its owner, a SIGKILL included: then the program ends with all that it has started,
//! and its folder goes.

use std::ffi::OsString;
use std::fs::remove_dir_all;
use std::io::{Read, stdin};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::Exit;

#[derive(Debug, Args)]
pub struct Hold {
    /// The folder to remove at the end.
    #[arg(long, value_name = "DIR")]
    remove: PathBuf,
    /// The program and its arguments.
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
}

/// The group of the program, until its number may be another one's.
type Group = Arc<Mutex<Option<Pid>>>;

impl Hold {
    pub(crate) fn execute(self) -> Exit {
        let ended = self.hold();
        // What is gone already needs no removing.
        let _gone = remove_dir_all(&self.remove);
        ended.map_or_else(Exit::CouldNot, |()| Exit::Done)
    }

    fn hold(&self) -> Result<(), String> {
        let Some((name, arguments)) = self.program.split_first() else { return Ok(()) };
        // A group of its own: what it starts is ended with it.
        let started = Command::new(name).args(arguments).process_group(0).stdin(Stdio::null()).spawn();
        let child = started.map_err(|error| format!("{} cannot be started: {error}", name.display()))?;
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let group: Group = Arc::new(Mutex::new(pid));
        let held = group.clone();
        std::thread::spawn(move || {
            let _let_go = stdin().read_to_end(&mut Vec::new());
            end(&held);
        });
        await_end(pid);
        end(&group);
        group.lock().unwrap_or_else(PoisonError::into_inner).take();
        reap(child)
    }
}

/// Waits for the end and leaves the process to be reaped, so that nobody else gets its number.
fn await_end(pid: Option<Pid>) {
    if let Some(pid) = pid {
        let _ended = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
    }
}

fn end(group: &Group) {
    if let Some(pid) = *group.lock().unwrap_or_else(PoisonError::into_inner) {
        let _gone = kill_process_group(pid, Signal::KILL);
    }
}

fn reap(mut child: Child) -> Result<(), String> {
    child.wait().map(drop).map_err(|error| error.to_string())
}
