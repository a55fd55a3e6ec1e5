//! Kernels, checked in a child process: the compiler evaluates constants while it reads, so a text of one line may ask for
//! any memory and any time. The child is the program that asks, `weevil check-kernel`, which bounds itself before it reads.
//!
//! Here it is started, waited for and ended. Never compiles anything itself.

use std::cell::Cell;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use weevil_model::{KernelMistake, KernelOutline};

use crate::limits::{MAX_CHECK_CLOCK_SECONDS, MAX_CHECK_MIB, MAX_CHECK_SECONDS};
use crate::too_costly;

/// What the child is called on the command line.
pub const COMMAND: &str = "check-kernel";
/// This program, even where its file was replaced meanwhile.
pub const PROGRAM: &str = "/proc/self/exe";
/// Bytes of an answer: a text of the greatest length with a mistake in each of its lines says less.
const MAX_ANSWER_BYTES: u64 = 16 * 1024 * 1024;
/// Kernels of one workflow that may take too much before the others are left alone.
const MAX_COSTLY: u32 = 3;
/// How often a waiting check looks whether anybody wants it still.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What a kernel says of itself, or what is wrong with it.
pub type Answer = Result<KernelOutline, Vec<KernelMistake>>;

/// Whether the one who asked has gone.
#[derive(Debug, Clone, Default)]
pub struct Gone(Arc<AtomicBool>);

/// Ends what is checked for somebody when dropped.
#[derive(Debug)]
pub struct WhileWanted(Gone);

impl Gone {
    pub fn once_dropped(&self) -> WhileWanted {
        WhileWanted(self.clone())
    }

    fn has(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Drop for WhileWanted {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// Checks the kernels of one workflow.
#[derive(Debug, Default)]
pub struct KernelCheck {
    gone: Gone,
    costly: Cell<u32>,
}

impl KernelCheck {
    pub fn new(gone: Gone) -> Self {
        Self { gone, costly: Cell::new(0) }
    }

    /// Waits for a child of its own, up to five seconds.
    pub fn check(&self, text: &str) -> Answer {
        if self.gone.has() {
            return Err(vec![too_costly("nobody waits for it")]);
        }
        if self.costly.get() == MAX_COSTLY {
            return Err(vec![too_costly(&format!("{MAX_COSTLY} others of this workflow took too much"))]);
        }
        self.ask(text).map_err(|why| {
            self.costly.set(self.costly.get() + 1);
            vec![too_costly(&why)]
        })?
    }

    fn ask(&self, text: &str) -> Result<Answer, String> {
        let child = Command::new(PROGRAM)
            .arg(COMMAND)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child.map_err(|error| format!("no process could be started for it ({error})"))?;
        let (answer, ended) = self.converse(&mut child, text);
        let status = child.wait().map_err(|error| error.to_string())?;
        if !status.success() || ended {
            return Err(why(status, ended));
        }
        serde_json::from_slice(&answer).map_err(|_| "it had too much to say".to_owned())
    }

    /// What the child says until it ends; and whether it was ended from here. It is not waited for before, so that its
    /// number stays its own.
    fn converse(&self, child: &mut Child, text: &str) -> (Vec<u8>, bool) {
        let pid = Pid::from_child(child);
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (done, heard) = channel::<()>();
        let gone = self.gone.clone();
        thread::scope(|threads| {
            let watch = threads.spawn(move || end_in_time(pid, &heard, &gone));
            if let Some(mut stdin) = stdin {
                // A child that has ended already reads nothing more.
                let _ended = stdin.write_all(text.as_bytes());
            }
            let mut answer = Vec::new();
            if let Some(stdout) = stdout {
                // What was cut off is no answer.
                let _cut = stdout.take(MAX_ANSWER_BYTES).read_to_end(&mut answer);
            }
            drop(done);
            (answer, watch.join().unwrap_or(true))
        })
    }
}

/// Ends the child when its time is over or nobody wants it any more. Answers whether it did.
fn end_in_time(pid: Pid, heard: &Receiver<()>, gone: &Gone) -> bool {
    let end = Instant::now() + Duration::from_secs(MAX_CHECK_CLOCK_SECONDS);
    while heard.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
        if gone.has() || Instant::now() >= end {
            // It may have ended this moment.
            let _ended = kill_process(pid, Signal::KILL);
            return true;
        }
    }
    false
}

/// What the end of a child says that gave no answer.
fn why(status: ExitStatus, ended: bool) -> String {
    let signal = status.signal().and_then(Signal::from_named_raw);
    match signal {
        _ if ended => format!("it took more than {MAX_CHECK_CLOCK_SECONDS} s"),
        Some(Signal::XCPU) => format!("it took more than {MAX_CHECK_SECONDS} s of processor time"),
        Some(Signal::ABORT | Signal::SEGV) => format!("it took more than {MAX_CHECK_MIB} MiB of memory"),
        _ => "the compiler ended without an answer".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_child_tells_what_was_too_much() {
        for (raw, ended, words) in [
            (24, false, "more than 1 s of processor time"),
            (6, false, "more than 256 MiB of memory"),
            (11, false, "more than 256 MiB of memory"),
            (9, true, "more than 5 s"),
            (9, false, "without an answer"),
            (101 << 8, false, "without an answer"),
        ] {
            let told = why(ExitStatus::from_raw(raw), ended);
            assert!(told.contains(words), "{raw}: {told}");
        }
    }

    #[test]
    fn nothing_is_begun_for_who_has_gone() {
        let gone = Gone::default();
        drop(gone.once_dropped());
        let found = KernelCheck::new(gone).check("fn f() {}").unwrap_err();
        assert!(found[0].message.contains("nobody waits"), "{found:?}");
    }
}
