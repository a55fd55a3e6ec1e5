//! The kinds of database that a server can have, for tests that must hold for each.

use std::path::Path;

use weevil_mariadb::MariaDb;

use crate::audited::waited;
use crate::{TestServer, default_binary};

#[derive(Debug, Clone, Copy)]
pub enum DatabaseKind {
    Sqlite,
    MariaDb,
}

impl DatabaseKind {
    /// A server with an empty database of this kind.
    pub fn server(self) -> TestServer {
        self.server_with(&[])
    }

    /// As `server`, started with these arguments too.
    pub fn server_with(self, args: &[&str]) -> TestServer {
        self.over(&default_binary(), args, || MariaDb::shared().database_as_of(migrate))
    }

    /// As `server`, of this binary.
    pub fn server_of(self, binary: &Path) -> TestServer {
        self.start(binary, &[])
    }

    /// As `server_with`, of this binary, which makes its tables itself.
    pub fn start(self, binary: &Path, args: &[&str]) -> TestServer {
        self.over(binary, args, || MariaDb::shared().database())
    }

    fn over(self, binary: &Path, args: &[&str], database: impl FnOnce() -> String) -> TestServer {
        match self {
            Self::Sqlite => TestServer::start_binary(binary, args),
            Self::MariaDb => TestServer::start_binary(binary, &[args, &["--database", &database()]].concat()),
        }
    }
}

fn migrate(address: &str) {
    drop(waited(weevil_store::open(&address.parse().expect("an address"))).expect("tables can be made"));
}

/// Makes a test of each body for each kind of database.
#[macro_export]
macro_rules! on_each_database {
    ($($body:ident),+ $(,)?) => {
        mod sqlite {
            $(#[test] fn $body() { super::$body($crate::DatabaseKind::Sqlite) })+
        }
        mod mariadb {
            $(#[test] fn $body() { super::$body($crate::DatabaseKind::MariaDb) })+
        }
    };
}
