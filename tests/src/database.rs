//! The kinds of database that a server can have, for tests that must hold for each.

use weevil_mariadb::MariaDb;

use crate::TestServer;

#[derive(Debug, Clone, Copy)]
pub enum DatabaseKind {
    Sqlite,
    MariaDb,
}

impl DatabaseKind {
    /// A server with an empty database of this kind.
    pub fn server(self) -> TestServer {
        match self {
            Self::Sqlite => TestServer::start(&[]),
            Self::MariaDb => TestServer::start(&["--database", &MariaDb::shared().database()]),
        }
    }
}
