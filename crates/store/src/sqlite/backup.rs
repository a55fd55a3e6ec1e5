//! A copy of a database that is in use: one consistent moment of it, in a file of its own.
//!
//! Never touches the database itself, and never a file that was there before.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;

/// Why there is no backup. Nothing was left behind.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("there is no database at {}", .0.display())]
    NoDatabase(PathBuf),
    #[error("{} is there already and a backup never replaces a file: name another", .0.display())]
    Exists(PathBuf),
    #[error("the path {} is not UTF-8, which SQLite needs", .0.display())]
    NotText(PathBuf),
    #[error("{} cannot be written: {cause}", .path.display())]
    Write { path: PathBuf, cause: std::io::Error },
    #[error("the database {} cannot be copied: {cause}", .path.display())]
    Copy { path: PathBuf, cause: sqlx::Error },
}

/// Copies the database at `database` to `to`, whether or not a server writes it meanwhile. What was committed before
/// the call is in the copy, and the copy is on the disk when this returns. Answers its size in bytes.
pub async fn backup(database: &Path, to: &Path) -> Result<u64, BackupError> {
    let write = |cause| BackupError::Write { path: to.to_owned(), cause };
    if !database.is_file() {
        return Err(BackupError::NoDatabase(database.to_owned()));
    }
    let partial = Partial::claim(to)?;
    copy(database, &partial.0).await?;
    let file = File::open(&partial.0).map_err(write)?;
    file.sync_all().map_err(write)?;
    let bytes = file.metadata().map_err(write)?.len();
    partial.become_whole(to)?;
    Ok(bytes)
}

/// Reads in one transaction beside a server that writes. `vacuum into` takes an empty file as its target
/// (<https://sqlite.org/lang_vacuum.html#vacuuminto>): the one that was claimed.
async fn copy(database: &Path, to: &Path) -> Result<(), BackupError> {
    let fail = |cause| BackupError::Copy { path: database.to_owned(), cause };
    let text = to.to_str().ok_or_else(|| BackupError::NotText(to.to_owned()))?;
    let options = SqliteConnectOptions::new().filename(database).read_only(true);
    let mut connection = options.connect().await.map_err(fail)?;
    let done = sqlx::query("vacuum into ?1").bind(text).execute(&mut connection).await;
    done.map(drop).map_err(fail)
}

/// The copy while it grows, beside its place so that it can be moved there in one step. Removed when dropped. After
/// a crash it stays, and the next backup to this place names it and refuses.
struct Partial(PathBuf);

impl Partial {
    fn claim(to: &Path) -> Result<Self, BackupError> {
        let to =
            std::path::absolute(to).map_err(|cause| BackupError::Write { path: to.to_owned(), cause })?;
        refuse_existing(&to)?;
        let mut path = to.into_os_string();
        path.push(".partial");
        let path = PathBuf::from(path);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(_) => Ok(Self(path)),
            Err(cause) if cause.kind() == std::io::ErrorKind::AlreadyExists => Err(BackupError::Exists(path)),
            Err(cause) => Err(BackupError::Write { path, cause }),
        }
    }

    /// The name is durable only when its folder is.
    fn become_whole(self, to: &Path) -> Result<(), BackupError> {
        let write = |cause| BackupError::Write { path: to.to_owned(), cause };
        refuse_existing(to)?;
        std::fs::rename(&self.0, to).map_err(write)?;
        let folder = self.0.parent().unwrap_or(Path::new("/"));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(write)
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // Moved to its place, it is not there any more.
        let _moved = std::fs::remove_file(&self.0);
    }
}

fn refuse_existing(to: &Path) -> Result<(), BackupError> {
    match to.try_exists() {
        Ok(false) => Ok(()),
        Ok(true) => Err(BackupError::Exists(to.to_owned())),
        Err(cause) => Err(BackupError::Write { path: to.to_owned(), cause }),
    }
}
