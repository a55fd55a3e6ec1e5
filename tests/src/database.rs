//! The kinds of database that a server can have, for tests that must hold for each.

use std::path::Path;

use weevil_mariadb::MariaDb;

use crate::{TestServer, default_binary};

#[derive(Debug, Clone, Copy)]
pub enum DatabaseKind {
    Sqlite,
    MariaDb,
}

impl DatabaseKind {
    /// A server with an empty database of this kind.
    pub fn server(self) -> TestServer {
        self.server_of(&default_binary())
    }

    /// The same, with this binary.
    pub fn server_of(self, binary: &Path) -> TestServer {
        match self {
            Self::Sqlite => TestServer::start_binary(binary, &[]),
            Self::MariaDb => TestServer::start_binary(binary, &["--database", &MariaDb::shared().database()]),
        }
    }
}
