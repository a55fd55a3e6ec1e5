//! A clock that a test sets forward for a whole server, by Debian's libfaketime: what is told by minutes is seen at once.
//!
//! Only the time of day moves: timers and stopwatches of the server go on as ever.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Wrapped, default_binary};

/// Owns what its server reads: it is to outlive it.
#[derive(Debug)]
pub struct ShiftedClock(Wrapped);

impl ShiftedClock {
    /// At the machine's own time, for a server as the tests start it.
    pub fn at_now() -> Self {
        Self::of(&default_binary())
    }

    /// As `at_now`, for this binary.
    pub fn of(binary: &Path) -> Self {
        let clock = Self(Wrapped::by("shifted", binary));
        clock.set(0);
        clock
    }

    /// What starts a server that has this time.
    pub fn server(&self) -> PathBuf {
        self.0.server()
    }

    /// So many seconds after the machine's own time, from now on.
    pub fn set(&self, seconds: u32) {
        self.say(&format!("+{seconds}"));
    }

    /// It stands still from now on, at this moment of UTC: `2026-11-23 12:00:00`.
    pub fn stand(&self, moment: &str) {
        self.say(moment);
    }

    fn say(&self, time: &str) {
        let next = self.0.file("next");
        fs::write(&next, format!("{time}\n")).expect("the folder is there");
        fs::rename(next, self.0.file("time")).expect("the folder is there");
    }
}
