//! Two children of this program that write and flush without end: what a machine with other things to do does to a
//! suite. They end by their ids, and by themselves once this program is gone. Never measures anything.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::failure::{Done, Failure};
use crate::sh;

/// What runs now, by no name: the build before the tests may have put another xtask in its place.
const PROGRAM: &str = "/proc/self/exe";
const WRITERS: usize = 2;
const BYTES: usize = 16 << 20;
const PIECE: usize = 1 << 20;
/// The hidden command of xtask that a writer runs.
pub(crate) const COMMAND: &str = "write-without-end";

/// Ends with the value.
pub(super) struct Burden {
    writers: Vec<Child>,
    _folder: TempDir,
}

impl Burden {
    /// On the file system of the temporary folder, where the tests have their databases and profiles.
    pub(super) fn start() -> Done<Self> {
        let cure = "see that the temporary folder can be written";
        let failed = |error: std::io::Error| Failure::new(format!("no writer can be started: {error}"), cure);
        let folder = TempDir::new().map_err(failed)?;
        let files: Vec<_> = (0..WRITERS).map(|number| folder.path().join(number.to_string())).collect();
        let mut burden = Self { writers: Vec::new(), _folder: folder };
        for file in files {
            let child = Command::new(PROGRAM).arg(COMMAND).arg(file).stdin(Stdio::piped()).spawn();
            burden.writers.push(child.map_err(failed)?);
        }
        Ok(burden)
    }
}

impl Drop for Burden {
    fn drop(&mut self) {
        self.writers.iter_mut().for_each(sh::end);
    }
}

/// What a writer does, until its stdin ends with whoever started it.
pub(crate) fn write_without_end(file: &Path) -> Done {
    std::thread::spawn(|| {
        // Whatever it reads, there is nobody left to write for.
        let _ended = std::io::stdin().read(&mut [0]);
        std::process::exit(0)
    });
    loop {
        write_once(file).map_err(|error| Failure::file("write", file, &error))?;
    }
}

fn write_once(path: &Path) -> std::io::Result<()> {
    let piece = vec![0x5a; PIECE];
    let mut file = File::create(path)?;
    for _ in 0..BYTES / PIECE {
        file.write_all(&piece)?;
    }
    file.sync_all()?;
    file.rewind()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_writer_writes_what_it_should_and_can_begin_again() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("it");
        for _ in 0..2 {
            write_once(&file).unwrap();
            assert_eq!(file.metadata().unwrap().len(), BYTES as u64);
        }
    }
}
