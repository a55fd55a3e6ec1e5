//! A file that only its owner can read, in a folder that is the owner's alone; it goes with the value that stands for it.
//!
//! Never follows a link for the folder or the file, and never takes a folder that others can reach.

use std::fs::{DirBuilder, File};
use std::io::{Error, Result, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use rustix::fs::{AtFlags, Mode, OFlags, fstat, openat, renameat, statat, unlinkat};
use rustix::process::geteuid;

/// What the group and others may do.
const OTHERS: u32 = 0o077;

/// Removed when dropped, unless another start has put its own there.
pub(crate) struct LocalFile {
    folder: OwnedFd,
    name: String,
    inode: u64,
}

impl LocalFile {
    /// Writes a file of this name with the mode 0600; one that was there is replaced at once.
    ///
    /// # Errors
    /// The folder cannot be made, is a link, is somebody else's, or others can reach it.
    pub(crate) fn leave(folder: &Path, name: &str, text: &[u8]) -> Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let folder = own_folder(folder)?;
        let unfinished = format!(".{name}.{}", std::process::id());
        // What a killed start of this very number left behind.
        let _none = unlinkat(&folder, &unfinished, AtFlags::empty());
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(&folder, &unfinished, flags, Mode::RUSR | Mode::WUSR)?;
        let inode = fstat(&file)?.st_ino;
        File::from(file).write_all(text)?;
        renameat(&folder, &unfinished, &folder, name)?;
        Ok(Self { folder, name: name.to_owned(), inode })
    }
}

impl Drop for LocalFile {
    fn drop(&mut self) {
        let folder = self.folder.as_fd();
        if statat(folder, &self.name, AtFlags::SYMLINK_NOFOLLOW).is_ok_and(|found| found.st_ino == self.inode)
        {
            // It may have gone already.
            let _gone = unlinkat(folder, &self.name, AtFlags::empty());
        }
    }
}

fn own_folder(path: &Path) -> Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = rustix::fs::open(path, flags, Mode::empty())?;
    let found = fstat(&folder)?;
    if found.st_uid != geteuid().as_raw() {
        return Err(Error::other("the folder is somebody else's"));
    }
    if found.st_mode & OTHERS != 0 {
        return Err(Error::other("others can reach the folder; `chmod 700` closes it"));
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn the_file_is_its_owner_s_alone_and_goes_with_its_value() {
        let root = tempfile::TempDir::new().unwrap();
        let folder = root.path().join("a/b");
        let left = LocalFile::leave(&folder, "7.json", b"one").unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        let file = folder.join("7.json");
        assert_eq!((mode(&folder), mode(&file)), (0o700, 0o600));
        let again = LocalFile::leave(&folder, "7.json", b"two").unwrap();
        drop(left);
        assert_eq!(fs::read(&file).unwrap(), b"two", "what another start has left stays");
        drop(again);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_others_can_reach_or_replace_is_not_taken() {
        let root = tempfile::TempDir::new().unwrap();
        let (wide, own, link) = (root.path().join("wide"), root.path().join("own"), root.path().join("link"));
        for (folder, mode) in [(&wide, 0o750), (&own, 0o700)] {
            fs::create_dir(folder).unwrap();
            fs::set_permissions(folder, Permissions::from_mode(mode)).unwrap();
        }
        symlink(&own, &link).unwrap();
        let file = root.path().join("file");
        fs::write(&file, "").unwrap();
        for (folder, taken) in [(&wide, false), (&own, true), (&link, false), (&file, false)] {
            assert_eq!(LocalFile::leave(folder, "7.json", b"").is_ok(), taken, "{}", folder.display());
        }
    }

    #[test]
    fn a_link_in_the_folder_leads_nowhere() {
        let root = tempfile::TempDir::new().unwrap();
        fs::set_permissions(root.path(), Permissions::from_mode(0o700)).unwrap();
        let elsewhere = root.path().join("elsewhere");
        fs::write(&elsewhere, "untouched").unwrap();
        symlink(&elsewhere, root.path().join("7.json")).unwrap();
        let left = LocalFile::leave(root.path(), "7.json", b"secret").unwrap();
        assert_eq!(fs::read(&elsewhere).unwrap(), b"untouched");
        drop(left);
        assert!(elsewhere.exists());
    }
}
