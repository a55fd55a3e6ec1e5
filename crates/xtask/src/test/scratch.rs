//! Where tests put their files: a folder in memory where there is room, so that none of them waits for a disk; else the temporary
//! folder, as for everybody. `command.rs` lends it to the Rust tests. Never for tests under load, whose disk is to be slow, nor for
//! benchmarks.

use std::fs;
use std::path::Path;
use std::process::Command;

use rustix::fs::statvfs;
use tempfile::{Builder, TempDir};

use crate::sh;

/// A file system in memory, on Linux.
const MEMORY: &str = "/dev/shm";
const PREFIX: &str = "weevil-tests-";
/// Several times what all tests together have been seen to leave there.
const ROOM: u64 = 12 << 30;

/// Goes with the value, whatever the tests have left in it.
pub(super) struct Scratch(Option<TempDir>);

impl Scratch {
    pub(super) fn new() -> Self {
        sweep();
        let folder = has_room().then(|| {
            let name = format!("{PREFIX}{}-", std::process::id());
            Builder::new().prefix(&name).tempdir_in(MEMORY).ok()
        });
        let folder = folder.flatten();
        let place = if folder.is_some() { "in memory" } else { "in the temporary folder" };
        sh::say(format!("tests have their files {place}"));
        Self(folder)
    }

    /// The temporary folder of what the command runs.
    pub(super) fn lend(&self, command: &mut Command) {
        if let Some(folder) = &self.0 {
            command.env("TMPDIR", folder.path());
        }
    }
}

/// The file system may be larger than the memory, or far smaller, as in a container.
fn has_room() -> bool {
    let files = statvfs(MEMORY).map(|about| about.f_bavail.saturating_mul(about.f_frsize));
    let memory = fs::read_to_string("/proc/meminfo").ok().and_then(|told| available(&told));
    files.is_ok_and(|bytes| bytes >= ROOM) && memory.is_some_and(|bytes| bytes >= ROOM)
}

/// Bytes.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// A run that was cut off leaves its folder, and memory does not empty itself.
fn sweep() {
    let Ok(entries) = fs::read_dir(MEMORY) else { return };
    for folder in entries.flatten().map(|entry| entry.path()).filter(|entry| is_left(entry)) {
        // It may be somebody else's.
        let _ = fs::remove_dir_all(folder);
    }
}

/// Nobody runs any more who has made this folder.
fn is_left(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let maker = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-'));
    maker.is_some_and(|(maker, _)| maker.parse::<u32>().is_ok() && !Path::new("/proc").join(maker).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_in_bytes() {
        for (told, bytes) in [
            ("MemTotal: 9 kB\nMemAvailable:   23000000 kB\n", Some(23_552_000_000)),
            ("MemAvailable: many kB", None),
            ("MemFree: 9 kB", None),
        ] {
            assert_eq!(available(told), bytes, "{told}");
        }
    }

    #[test]
    fn only_what_nobody_runs_for_is_left() {
        let own = std::process::id();
        for (name, left) in [
            (format!("{PREFIX}{own}-x"), false),
            (format!("{PREFIX}{}-x", u32::MAX), true),
            (format!("{PREFIX}x-x"), false),
            (format!("{PREFIX}{}", u32::MAX), false),
            ("sem.x".to_owned(), false),
        ] {
            assert_eq!(is_left(&Path::new(MEMORY).join(&name)), left, "{name}");
        }
    }
}
