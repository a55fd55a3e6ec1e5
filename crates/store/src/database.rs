//! Which database: a file of SQLite's, or a database of a MySQL or MariaDB server. Never shows a password.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use async_trait::async_trait;
use sqlx::mysql::MySqlConnectOptions;
use weevil_access::store::AccessStore;
use weevil_records::{Store, StoreError};

use crate::driver::Driver;
use crate::{AuditedWork, Db, MySqlStore, SqliteStore};

/// Where everything that must survive is kept. Parsed from `sqlite:PATH`, a plain path, or
/// `mysql://user:password@host:port/database`.
#[derive(Debug, Clone)]
pub enum Database {
    Sqlite(PathBuf),
    MySql(Box<Server>),
}

/// A database of a server, and how to sign in there.
#[derive(Clone)]
pub struct Server(MySqlConnectOptions);

/// Why a text does not name a database. Never holds the text, which may hold a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseError {
    #[error("no database is named: give a path, sqlite:PATH, or mysql://USER:PASSWORD@HOST:PORT/DATABASE")]
    Empty,
    #[error("`{0}://` names no database that WeevilScout knows: use sqlite: or mysql://")]
    Scheme(String),
    #[error(
        "the address of the database cannot be read: {0}; it looks like mysql://USER:PASSWORD@HOST:PORT/DATABASE, \
         with `%` and two hexadecimal digits for special characters in the password"
    )]
    Address(String),
    #[error(
        "the address of the database names no database: add it after the host, as in mysql://HOST/weevil"
    )]
    NoName,
}

/// All that a database does for a server. Whoever needs a part of it takes the trait of that part.
pub trait Stores: Store + AccessStore + AuditedWork + Ends {}

impl<T: Store + AccessStore + AuditedWork + Ends> Stores for T {}

/// The end of what a server asks of its database.
#[async_trait]
pub trait Ends: Send + Sync {
    /// Waits until nothing is under way: what the end of a runtime cuts off makes the drivers panic. Whatever is asked from
    /// then on is refused.
    async fn end(&self);
}

#[async_trait]
impl<D: Driver> Ends for Db<D> {
    async fn end(&self) {
        self.0.end().await;
    }
}

/// Opens the database, making the file where it is one, and brings its schema up to date.
pub async fn open(database: &Database) -> Result<Arc<dyn Stores>, StoreError> {
    Ok(match database {
        Database::Sqlite(path) => Arc::new(SqliteStore::open(path).await?),
        Database::MySql(server) => Arc::new(MySqlStore::open(server).await?),
    })
}

impl FromStr for Database {
    type Err = DatabaseError;

    fn from_str(text: &str) -> Result<Self, DatabaseError> {
        match text.split_once("://") {
            Some(("mysql" | "mariadb", _)) => Ok(Self::MySql(Box::new(text.parse()?))),
            Some(("sqlite", path)) => file(path),
            Some((scheme, _)) if !scheme.contains(['/', '\\', ':']) => {
                Err(DatabaseError::Scheme(scheme.to_owned()))
            }
            _ => file(text.strip_prefix("sqlite:").unwrap_or(text)),
        }
    }
}

fn file(path: &str) -> Result<Database, DatabaseError> {
    if path.is_empty() { Err(DatabaseError::Empty) } else { Ok(Database::Sqlite(path.into())) }
}

impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::MySql(server) => server.fmt(f),
        }
    }
}

impl Server {
    pub(crate) const fn options(&self) -> &MySqlConnectOptions {
        &self.0
    }
}

impl FromStr for Server {
    type Err = DatabaseError;

    fn from_str(text: &str) -> Result<Self, DatabaseError> {
        let options: MySqlConnectOptions = text.parse().map_err(|error: sqlx::Error| {
            let cause = match error {
                sqlx::Error::Configuration(cause) => cause.to_string(),
                other => other.to_string(),
            };
            DatabaseError::Address(cause)
        })?;
        options.get_database().ok_or(DatabaseError::NoName)?;
        Ok(Self(options))
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(options) = self;
        let (user, host, port) = (options.get_username(), options.get_host(), options.get_port());
        write!(f, "mysql://{user}@{host}:{port}/{}", options.get_database().unwrap_or_default())
    }
}

/// As it is displayed: the driver's own text holds the password.
impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_are_named_by_path_or_address() {
        for (text, expected) in [
            ("data/weevil.db", Ok("sqlite:data/weevil.db")),
            ("sqlite:/var/lib/weevil.db", Ok("sqlite:/var/lib/weevil.db")),
            ("sqlite:///var/lib/weevil.db", Ok("sqlite:/var/lib/weevil.db")),
            ("mysql://weevil:secret@db.example:3307/queue", Ok("mysql://weevil@db.example:3307/queue")),
            ("mariadb://weevil:s%40cret@localhost/queue", Ok("mysql://weevil@localhost:3306/queue")),
            ("", Err("no database is named")),
            ("sqlite:", Err("no database is named")),
            ("postgres://weevil:secret@localhost/queue", Err("`postgres://`")),
            ("mysql://weevil:secret@localhost", Err("names no database")),
            ("mysql://weevil:secret@localhost:port/queue", Err("invalid port number")),
            ("mysql://weevil:sec/ret@localhost/queue", Err("invalid port number")),
            ("mysql://weevil:secret@localhost/queue?ssl-mode=maybe", Err("ssl")),
        ] {
            let found = text.parse::<Database>();
            let shown = found.as_ref().map_or_else(ToString::to_string, ToString::to_string);
            let (fine, part) = expected.map_or_else(|part| (false, part), |part| (true, part));
            assert!(found.is_ok() == fine && shown.contains(part), "{text}: {shown}");
            assert!(!format!("{found:?} {shown}").contains("secret"), "{text}: {found:?}");
        }
    }
}
