//! A terminal of 80 columns: what a program shows where somebody looks at it.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::PATIENCE;

pub const COLUMNS: u16 = 80;
const ROWS: u16 = 24;

/// All that was written so far, and whether nobody writes any more.
type Written = Arc<(Mutex<(Vec<u8>, bool)>, Condvar)>;

/// A program on a terminal; it is ended when this value is dropped.
#[derive(Debug)]
pub struct Terminal {
    child: Child,
    keys: File,
    written: Written,
}

impl Terminal {
    pub fn start(command: &mut Command) -> Self {
        let master =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
        grantpt(&master).and_then(|()| unlockpt(&master)).expect("its other side");
        let size = Winsize { ws_row: ROWS, ws_col: COLUMNS, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).expect("a size");
        let name = ptsname(&master, Vec::new()).expect("a name").into_string().expect("text");
        let slave = || OpenOptions::new().read(true).write(true).open(&name).expect("its other side opens");
        let has = |name: &str| command.get_envs().any(|(set, _)| set == name);
        let (has_term, has_no_color) = (has("TERM"), has("NO_COLOR"));
        if !has_term {
            command.env("TERM", "xterm-256color");
        }
        if !has_no_color {
            command.env_remove("NO_COLOR");
        }
        let child = command.stdin(slave()).stdout(slave()).stderr(slave()).spawn();
        let child = child.expect("the program starts");
        // The command would keep its side open for as long as it could be started again.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let keys = File::from(master);
        let written = Written::default();
        let (reader, heard) = (keys.try_clone().expect("a terminal"), written.clone());
        std::thread::spawn(move || hear(reader, &heard));
        Self { child, keys, written }
    }

    /// Presses keys.
    pub fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Waits until it has shown this.
    pub fn await_text(&self, text: &str) {
        self.await_that(|written, _| String::from_utf8_lossy(written).contains(text), text);
    }

    /// Waits for the end. Answers all that was written.
    pub fn end(mut self) -> (ExitStatus, String) {
        let status = self.child.wait().expect("the program ends");
        self.await_that(|_, is_over| is_over, "the end");
        let written = self.written.0.lock().unwrap_or_else(PoisonError::into_inner);
        (status, String::from_utf8_lossy(&written.0).into_owned())
    }

    fn await_that(&self, fits: impl Fn(&[u8], bool) -> bool, what: &str) {
        let (written, changed) = &*self.written;
        let written = written.lock().unwrap_or_else(PoisonError::into_inner);
        let (written, late) = changed
            .wait_timeout_while(written, PATIENCE, |(text, is_over)| !fits(text, *is_over) && !*is_over)
            .unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&written.0);
        assert!(!late.timed_out() && fits(&written.0, written.1), "never seen: {what}\n{text}");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// Linux answers EIO once nobody has the other side open (pty(7)).
fn hear(mut from: File, heard: &Written) {
    let (written, changed) = &**heard;
    let mut piece = [0; 4096];
    loop {
        let read = from.read(&mut piece).unwrap_or_default();
        let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
        written.0.extend_from_slice(&piece[..read]);
        written.1 = read == 0;
        changed.notify_all();
        if read == 0 {
            return;
        }
    }
}

/// The lines of what was shown, without what moves the cursor and colours (ECMA-48, section 5.4). Going back to the line's begin
/// counts as a line.
pub fn shown_lines(text: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\u{1b}' {
            plain.push(letter);
        } else if letters.next() == Some('[') {
            letters.find(|letter| matches!(letter, '@'..='~'));
        }
    }
    plain.split(['\n', '\r']).map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
}
