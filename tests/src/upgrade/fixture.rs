//! The files of one kind of database, and a server over a copy of them.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::Builder;

use super::answers::Answers;
use crate::{DatabaseKind, MariaDb, ShiftedClock, TestServer};

/// When the databases are opened: after everything in them. The clock of their servers stands still.
pub const MOMENT: &str = "2026-11-23 13:00:00";

#[derive(Debug)]
pub struct Fixture {
    pub kind: DatabaseKind,
    folder: PathBuf,
}

impl Fixture {
    /// As it is kept in the repository.
    pub fn kept(kind: DatabaseKind) -> Self {
        Self::of(kind, Path::new(env!("CARGO_MANIFEST_DIR")).join("upgrade"))
    }

    pub const fn of(kind: DatabaseKind, folder: PathBuf) -> Self {
        Self { kind, folder }
    }

    /// SQLite's file, or the statements that make MariaDB's tables.
    pub fn tables(&self) -> PathBuf {
        self.folder.join(match self.kind {
            DatabaseKind::Sqlite => "sqlite.db",
            DatabaseKind::MariaDb => "mariadb.sql",
        })
    }

    fn answers_file(&self) -> PathBuf {
        self.folder.join(match self.kind {
            DatabaseKind::Sqlite => "sqlite.json",
            DatabaseKind::MariaDb => "mariadb.json",
        })
    }

    pub fn answers(&self) -> Answers {
        Answers::read(&self.answers_file())
    }

    pub fn keep_answers(&self, answers: &Answers) {
        answers.write(&self.answers_file());
    }

    /// Over a copy of the tables, at the moment at which this clock stands.
    pub fn open(&self, clock: &ShiftedClock) -> TestServer {
        let data = Builder::new().permissions(Permissions::from_mode(0o700)).tempdir();
        let data = data.expect("a temporary folder can be made");
        match self.kind {
            DatabaseKind::Sqlite => {
                fs::copy(self.tables(), data.path().join("weevil.db")).expect("the file can be copied");
                TestServer::start_over(data, &clock.server(), &[])
            }
            DatabaseKind::MariaDb => {
                let database = MariaDb::shared().database_of(&self.tables());
                TestServer::start_over(data, &clock.server(), &["--database", &database])
            }
        }
    }
}
