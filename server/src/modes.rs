//! Who may read what is durable: its owner alone. New files begin like that; what is wider already is told, never changed.

use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::Mode;
use weevil_store::Database;

/// What the group and others may do.
const OTHERS: u32 = 0o077;
/// What SQLite calls the files beside a database (sqlite.org/tempfiles.html, sections 2.2 and 2.3).
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];

/// From now on folders are made with the mode 0700 and files with 0600.
pub(crate) fn keep_to_the_owner() {
    // What held before is nobody's business any more.
    let _before = rustix::process::umask(Mode::from_bits_truncate(OTHERS));
}

/// Says in the log which of a database's files others can read, and what closes them.
pub(crate) fn tell_of_wider(database: &Database) {
    let Database::Sqlite(path) = database else { return };
    for (path, mode, command) in wider(path) {
        let path = path.display();
        tracing::warn!("others may read or write {path} (its mode is {mode:03o}); this closes it: {command}");
    }
}

/// Folder and files that are not their owner's alone: path, mode, cure.
fn wider(database: &Path) -> Vec<(PathBuf, u32, String)> {
    let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let files = BESIDE.iter().map(|ending| {
        let mut file = database.as_os_str().to_owned();
        file.push(ending);
        PathBuf::from(file)
    });
    let found = [folder.to_owned()].into_iter().chain(files).filter_map(|path| {
        let metadata = path.metadata().ok()?;
        let mode = metadata.permissions().mode() & 0o777;
        (mode & OTHERS != 0).then(|| (path.clone(), mode, cure(&path, &metadata)))
    });
    found.collect()
}

/// A command for a shell, whatever the path is called.
fn cure(path: &Path, metadata: &Metadata) -> String {
    let mode = if metadata.is_dir() { "700" } else { "600" };
    let quoted = path.display().to_string().replace('\'', r"'\''");
    format!("chmod {mode} '{quoted}'")
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};

    use super::*;

    #[test]
    fn what_is_wider_is_told_with_its_cure() {
        let folder = tempfile::TempDir::new().unwrap();
        let data = folder.path().join("it's data");
        fs::create_dir(&data).unwrap();
        let database = data.join("weevil.db");
        for name in ["weevil.db", "weevil.db-wal", "other"] {
            fs::write(data.join(name), "").unwrap();
        }
        for (folder_mode, file_mode, expected) in [
            (0o700, 0o600, vec![]),
            (0o755, 0o600, vec!["chmod 700 'X'"]),
            (0o700, 0o640, vec!["chmod 600 'X/weevil.db'", "chmod 600 'X/weevil.db-wal'"]),
            (0o700, 0o400, vec![]),
        ] {
            for name in ["weevil.db", "weevil.db-wal"] {
                fs::set_permissions(data.join(name), Permissions::from_mode(file_mode)).unwrap();
            }
            fs::set_permissions(&data, Permissions::from_mode(folder_mode)).unwrap();
            let quoted = data.display().to_string().replace('\'', r"'\''");
            let told: Vec<String> = wider(&database).into_iter().map(|(.., cure)| cure).collect();
            let expected: Vec<String> = expected.iter().map(|cure| cure.replace('X', &quoted)).collect();
            assert_eq!(told, expected, "{folder_mode:o} {file_mode:o}");
        }
    }
}
