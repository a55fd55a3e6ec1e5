//! A database of a test's own, in each kind of database that a store is for.

use std::sync::Arc;
use std::thread;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions};
use tempfile::TempDir;
use weevil_mariadb::MariaDb;
use weevil_records::StoreError;
use weevil_store::Stores;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Sqlite,
    MariaDb,
}

pub(crate) struct TestDatabase {
    pub(crate) address: String,
    folder: Option<TempDir>,
}

/// Makes the tables. A thread of its own, since whoever asks for a database may wait for others already.
fn migrate(address: &str) {
    thread::scope(|scope| {
        let made = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(weevil_store::open(&address.parse().unwrap())).map(drop)
        });
        made.join().unwrap().unwrap();
    });
}

impl TestDatabase {
    /// On SQLite without tables; on MariaDB it takes too long to make them anew each time.
    pub(crate) fn new(kind: Kind) -> Self {
        match kind {
            Kind::Sqlite => {
                let folder = TempDir::new().unwrap();
                let address = format!("sqlite:{}", folder.path().join("weevil.db").display());
                Self { address, folder: Some(folder) }
            }
            Kind::MariaDb => Self { address: MariaDb::shared().database_as_of(migrate), folder: None },
        }
    }

    pub(crate) async fn try_open(&self) -> Result<Arc<dyn Stores>, StoreError> {
        weevil_store::open(&self.address.parse().unwrap()).await
    }

    pub(crate) async fn open(&self) -> Arc<dyn Stores> {
        self.try_open().await.unwrap()
    }

    /// Answers the first number of the first row.
    pub(crate) async fn sql(&self, statement: &str) -> Option<i64> {
        if let Some(folder) = &self.folder {
            let options = SqliteConnectOptions::new().filename(folder.path().join("weevil.db"));
            let mut raw = options.connect().await.unwrap();
            let query = sqlx::query_scalar(AssertSqlSafe(statement.to_owned()));
            return query.fetch_optional(&mut raw).await.unwrap();
        }
        let (_, name) = self.address.rsplit_once('/').unwrap();
        MariaDb::shared().sql(&format!("use {name}; {statement}")).trim().parse().ok()
    }
}
