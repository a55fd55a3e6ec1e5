//! The files of one kind of database, and a server over a copy of them.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempDir};
use weevil_store::Database;

use super::answers::Answers;
use crate::{DatabaseKind, MariaDb, ShiftedClock, TestServer, rows};

/// When the databases are opened: after everything in them. The clock of their servers stands still.
pub const MOMENT: &str = "2026-11-23 13:00:00";
/// Where SQLite keeps everything, in a folder of data.
const FILE: &str = "weevil.db";

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
        self.copy().open(&clock.server())
    }

    /// A copy of the tables.
    pub fn copy(&self) -> Older {
        let data = Builder::new().permissions(Permissions::from_mode(0o700)).tempdir();
        let data = data.expect("a temporary folder can be made");
        let address = match self.kind {
            DatabaseKind::Sqlite => {
                fs::copy(self.tables(), data.path().join(FILE)).expect("the file can be copied");
                None
            }
            DatabaseKind::MariaDb => Some(MariaDb::shared().database_of(&self.tables())),
        };
        Older { data, address }
    }
}

/// A database that no server of today has opened yet.
#[derive(Debug)]
pub struct Older {
    data: TempDir,
    /// Where it is not a file.
    address: Option<String>,
}

impl Older {
    /// What opens it names it so.
    pub fn database(&self) -> Database {
        match &self.address {
            None => Database::Sqlite(self.data.path().join(FILE)),
            Some(address) => address.parse().expect("it is an address"),
        }
    }

    /// Runs statements in it.
    pub fn sql(&self, statements: &str) {
        rows::sql(&self.data.path().join(FILE), self.address.as_deref(), statements);
    }

    /// A server over it.
    pub fn open(self, binary: &Path) -> TestServer {
        let args = self.address.as_deref().map(|address| ["--database", address]);
        TestServer::start_over(self.data, binary, args.as_ref().map_or(&[], |args| args))
    }
}
