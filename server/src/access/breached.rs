//! The list of passwords that were stolen elsewhere, as a file.
//!
//! What it holds `weevil_access` finds; nothing is read into memory as a whole.

use std::fs::File;
use std::io::Result;
use std::os::unix::fs::FileExt;
use std::path::Path;

use weevil_access::{BreachedList, Password};

pub(crate) struct BreachedFile(File);

impl BreachedFile {
    /// Whether the file has this password. One that cannot be read has none, and the log says so.
    pub(crate) fn holds(path: &Path, password: &Password) -> bool {
        let found = Self::look(path, password).inspect_err(|why| {
            tracing::error!(path = %path.display(), %why, "the list of breached passwords cannot be read");
        });
        found.unwrap_or(false)
    }

    /// # Errors
    /// Why the file is no such list.
    pub(crate) fn check(path: &Path) -> std::result::Result<(), String> {
        Self::look(path, &Password::of("password")).map(drop)
    }

    fn look(path: &Path, password: &Password) -> std::result::Result<bool, String> {
        let mut file = Self(File::open(path).map_err(|error| error.to_string())?);
        password.is_breached(&mut file).map_err(|error| error.to_string())
    }
}

impl BreachedList for BreachedFile {
    type Error = std::io::Error;

    fn size(&mut self) -> Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> Result<usize> {
        let mut count = 0;
        while count < buffer.len() {
            match self.0.read_at(&mut buffer[count..], at + count as u64)? {
                0 => break,
                more => count += more,
            }
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_searched_and_one_that_is_gone_holds_nothing() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("list");
        // SHA-1 of `password`, between two others.
        let list = "00000A:1\n5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:3\nFFFFFF\n";
        std::fs::write(&path, list).unwrap();
        for (path, word, held) in [
            (&path, "password", true),
            (&path, "another", false),
            (&folder.path().join("gone"), "password", false),
        ] {
            assert_eq!(BreachedFile::holds(path, &Password::of(word)), held, "{word}");
            assert_eq!(BreachedFile::check(path).is_ok(), path.exists());
        }
    }
}
