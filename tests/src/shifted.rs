//! A clock that a test sets forward for a whole server, by Debian's libfaketime: what is told by minutes is seen at once.
//!
//! Only the time of day moves: timers and stopwatches of the server go on as ever.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::default_binary;

/// The dynamic loader puts the folder of this machine's libraries in the place of `$LIB`.
const LIBRARY: &str = "/usr/$LIB/faketime/libfaketimeMT.so.1";

/// Owns what its server reads: it is to outlive it.
#[derive(Debug)]
pub struct ShiftedClock {
    folder: TempDir,
}

impl ShiftedClock {
    /// At the machine's own time, for a server as the tests start it.
    pub fn at_now() -> Self {
        Self::of(&default_binary())
    }

    /// As `at_now`, for this binary.
    pub fn of(binary: &Path) -> Self {
        let clock = Self { folder: TempDir::new().expect("a temporary folder can be made") };
        clock.set(0);
        let script = format!(
            "#!/bin/sh\nexport LD_PRELOAD='{LIBRARY}' FAKETIME_TIMESTAMP_FILE='{}'\nexport FAKETIME_NO_CACHE=1 \
             FAKETIME_DONT_FAKE_MONOTONIC=1 TZ=UTC\nexec '{}' \"$@\"\n",
            clock.file("time").display(),
            binary.display(),
        );
        fs::write(clock.server(), script).expect("the folder is there");
        fs::set_permissions(clock.server(), Permissions::from_mode(0o700)).expect("the script is there");
        clock
    }

    /// What starts a server that has this time.
    pub fn server(&self) -> PathBuf {
        self.file("server")
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
        let next = self.file("next");
        fs::write(&next, format!("{time}\n")).expect("the folder is there");
        fs::rename(next, self.file("time")).expect("the folder is there");
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}
