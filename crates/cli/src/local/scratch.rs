//! Folders of the owner's alone that are thrown away.

use std::fs::DirBuilder;
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::process::id;

/// Names that are tried: others of this process, and of dead ones with its number.
const NAMES: u32 = 1000;

/// A new folder among temporary files.
///
/// Its name is short: Chromium's socket below it has to fit into 107 bytes (unix(7)).
pub(super) fn scratch() -> Result<PathBuf> {
    for number in 0..NAMES {
        let path = std::env::temp_dir().join(format!("weevil-{}-{number}", id()));
        match DirBuilder::new().mode(0o700).create(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made.map(|()| path),
        }
    }
    Err(Error::from(ErrorKind::AlreadyExists))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn each_folder_is_new_and_its_owner_s_alone() {
        let (first, second) = (scratch().unwrap(), scratch().unwrap());
        assert_ne!(first, second);
        for folder in [first, second] {
            assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
            std::fs::remove_dir(folder).unwrap();
        }
    }
}
