//! A server's database behind its back, for tests of what it must bear: rows of other releases, damage, triggers.

use std::path::Path;
use std::process::Command;

use weevil_mariadb::MariaDb;

use crate::TestServer;

/// Runs statements in the file whose path comes first.
const SQLITE: &str =
    "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], 60); c.executescript(sys.argv[2]); c.close()";

impl TestServer {
    /// Runs statements in the server's own database, which is SQLite or one of the shared MariaDB.
    pub fn sql(&self, statements: &str) {
        sql(&self.data().join("weevil.db"), self.option("--database"), statements);
    }
}

/// Runs statements in the database with this address, or in this file of SQLite's.
pub(crate) fn sql(file: &Path, address: Option<&str>, statements: &str) {
    let Some(address) = address else {
        let ran = Command::new("python3").args(["-c", SQLITE]).arg(file).arg(statements).status();
        assert!(ran.expect("python3 is installed: `cargo xtask setup`").success(), "{statements}");
        return;
    };
    let (_, name) = address.rsplit_once('/').expect("an address names its database");
    MariaDb::shared().sql(&format!("use {name}; {statements}"));
}
