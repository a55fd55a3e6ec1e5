//! Opening the file: durable settings, migrations, and a refusal of schemas from the future.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, SqliteConnection};
use tokio::sync::Mutex;
use weevil_records::StoreError;

use super::checkpoint::{Checkpoints, MOST_PAGES};
use super::driver::Sqlite;
use super::writer::Writer;
use crate::db::Db;
use crate::migrations;

/// Readers beside the writer; the pages of a few people, not the hot path.
const READERS: u32 = 4;
/// Rows that a reader finds ahead of who asked for them: more than a page has, or its thread would be woken and put to sleep for each
/// few. They are gathered by the page anyway.
const ROWS_AHEAD: usize = 1_024;
/// The writer's, 64 MiB, in SQLite's notation: pages of a transaction that do not fit are written twice.
const CACHE: &str = "-65536";

impl Db<Sqlite> {
    /// Opens `path`, making it and bringing its schema up to date where needed. The writer comes first: it makes
    /// the file and the schema that readers open without leave to write.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let fail = |cause: String| StoreError::Open { place: path.display().to_string(), cause };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| fail(error.to_string()))?;
        }
        let options = options(path);
        let writing = options.clone().pragma("cache_size", CACHE).pragma("wal_autocheckpoint", MOST_PAGES);
        let mut connection = writing.connect().await.map_err(|error| fail(error.to_string()))?;
        migrate(&mut connection).await?;
        let beside = options.connect().await.map_err(|error| fail(error.to_string()))?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .connect_with(options.read_only(true).row_buffer_size(ROWS_AHEAD))
            .await
            .map_err(|error| fail(error.to_string()))?;
        let writer = Writer::new(writing, connection, Checkpoints::start(beside));
        Ok(Self(Sqlite { writer: Mutex::new(writer), readers }))
    }
}

/// What is acknowledged is durable: WAL with a flush at every commit. With NORMAL, WAL would be flushed at
/// checkpoints alone (<https://sqlite.org/pragma.html#pragma_synchronous>).
fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .statement_cache_capacity(64)
}

async fn migrate(writer: &mut SqliteConnection) -> Result<(), StoreError> {
    let migrator = migrations::sqlite();
    migrator.run(writer).await.map_err(|error| migrations::refused(&migrator, error))
}
