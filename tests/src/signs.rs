//! What a process lets be seen of itself: what it says on stdout, that it has stopped, that it has ended.

use std::io::{BufRead, BufReader};
use std::process::Child;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use crate::PATIENCE;

/// What no sign begins with: the link that a person would open.
const LINK: &str = "console: ";

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Said(String),
    /// By SIGSTOP: it may go on.
    Stopped,
    /// There is no other afterwards.
    Ended,
}

/// The signs of one child of this process, whose stdout is piped.
#[derive(Debug)]
pub(crate) struct Signs(Mutex<Receiver<Sign>>);

impl Signs {
    pub(crate) fn of(child: &mut Child) -> Self {
        let stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let process = Pid::from_child(child);
        let (see, seen) = channel();
        let said = see.clone();
        thread::spawn(move || {
            let lines = stdout.lines().map_while(Result::ok).filter(|line| !line.starts_with(LINK));
            lines.map(Sign::Said).all(|line| said.send(line).is_ok())
        });
        thread::spawn(move || tell_stop(process, &see));
        Self(Mutex::new(seen))
    }

    /// The next one, whichever it is, or the test fails.
    pub(crate) fn next(&mut self) -> Sign {
        match self.0.get_mut().expect("nobody panics").recv_timeout(PATIENCE) {
            Ok(sign) => sign,
            Err(RecvTimeoutError::Disconnected) => Sign::Ended,
            Err(RecvTimeoutError::Timeout) => panic!("the server neither speaks nor stops nor ends"),
        }
    }
}

/// The first stop of a process; its end is left to who reaps it.
fn tell_stop(process: Pid, see: &Sender<Sign>) {
    let changes = WaitIdOptions::STOPPED | WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    let seen = waitid(WaitId::Pid(process), changes);
    if seen.is_ok_and(|status| status.is_some_and(|status| status.stopped())) {
        // Nobody may wait for it any more.
        let _unheard = see.send(Sign::Stopped);
    }
}
