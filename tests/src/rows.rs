//! A server's database behind its back, for tests of what it must bear: rows of other releases, damage, triggers; and for
//! benchmarks with more rows than a server would take in.

use std::path::{Path, PathBuf};
use std::process::Command;

use weevil_mariadb::MariaDb;

use crate::{TestServer, default_binary};

/// Runs statements in the file whose path comes first.
const SQLITE: &str =
    "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], 60); c.executescript(sys.argv[2]); c.close()";
/// Prints the first column of each row.
const SQLITE_ASKED: &str = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], 60); [print(row[0]) for row in c.execute(sys.argv[2])]";

impl TestServer {
    /// Runs statements in the server's own database, which is SQLite or one of the shared MariaDB.
    pub fn sql(&self, statements: &str) {
        sql(&self.file(), self.option("--database"), statements);
    }

    /// The first column of each row that a query of the server's own database finds.
    pub fn rows(&self, query: &str) -> Vec<String> {
        let text = if let Some(address) = self.option("--database") {
            MariaDb::shared().sql(&format!("use {}; {query}", name(address)))
        } else {
            let asked =
                Command::new("python3").args(["-c", SQLITE_ASKED]).arg(self.file()).arg(query).output();
            let asked = asked.expect("python3 is installed: `cargo xtask setup`");
            assert!(asked.status.success(), "{query}: {}", String::from_utf8_lossy(&asked.stderr));
            String::from_utf8(asked.stdout).expect("text")
        };
        text.lines().map(str::to_owned).collect()
    }

    /// The columns of a table that are written, in their order; of one that this server's release does not know there are none.
    pub fn columns(&self, table: &str) -> Vec<String> {
        match self.option("--database") {
            Some(address) => self.rows(&format!(
                "select column_name from information_schema.columns
                 where table_schema = '{}' and table_name = '{table}' and is_generated = 'NEVER' order by ordinal_position",
                name(address)
            )),
            None => self.rows(&format!("select name from pragma_table_info('{table}')")),
        }
    }

    /// `weevil db check` of the server's own database. Answers whether all is well, and what it says.
    pub fn check_database(&self) -> (bool, String) {
        let mut command = Command::new(default_binary());
        command.args(["db", "check", "--data"]).arg(self.data());
        command.args(self.option("--database").iter().flat_map(|address| ["--database", address]));
        let told = command.output().expect("the binary runs");
        (told.status.success(), String::from_utf8_lossy(&told.stdout).into_owned())
    }

    fn file(&self) -> PathBuf {
        self.data().join("weevil.db")
    }
}

/// Statements that change files or inputs of runs, so that what is counted of their projects stays true.
pub fn counted(change: &str) -> String {
    let count = |sign| {
        format!(
            "update project_usage set stored_bytes = stored_bytes {sign} (
    select coalesce(sum(length(b.bytes)), 0) from project_blobs p join blobs b on b.hash = p.`blob`
    where p.project = project_usage.project) {sign} (
    select coalesce(sum(length(i.value)), 0) from run_inputs i join runs r on r.id = i.run
    where r.project = project_usage.project)"
        )
    };
    format!("{}; {change}; {}", count('-'), count('+'))
}

/// The database that an address names.
fn name(address: &str) -> &str {
    address.rsplit_once('/').expect("an address names its database").1
}

/// Runs statements in the database with this address, or in this file of SQLite's.
pub(crate) fn sql(file: &Path, address: Option<&str>, statements: &str) {
    let Some(address) = address else {
        let ran = Command::new("python3").args(["-c", SQLITE]).arg(file).arg(statements).status();
        assert!(ran.expect("python3 is installed: `cargo xtask setup`").success(), "{statements}");
        return;
    };
    MariaDb::shared().sql(&format!("use {}; {statements}", name(address)));
}
