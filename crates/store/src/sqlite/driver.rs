//! How SQLite begins, commits and reads; and what it does in its own way.

use sqlx::pool::PoolConnection;
use sqlx::{Connection, Sqlite as Sqlx, SqliteConnection, SqlitePool, Transaction};
use tokio::sync::Mutex;
use weevil_failpoint::{Point, pass};
use weevil_model::Timestamp;

use super::checkpoint::Checkpoints;
use super::tx::failed;
use super::writer::Writer;
use crate::driver::{Dialect, Driver};
use crate::{Fault, Sql, Tx};

/// One file of the data folder.
#[derive(Debug)]
pub struct Sqlite {
    /// SQLite has one writer at a time; waiting here is cheaper than its busy time-out.
    pub(super) writer: Mutex<Writer>,
    pub(super) readers: SqlitePool,
}

#[derive(Debug)]
pub(crate) struct Writing<'w> {
    tx: Transaction<'w, Sqlx>,
    checkpoints: &'w Checkpoints,
}

impl Driver for Sqlite {
    type Tx = SqliteConnection;
    type Writer = Writer;
    type Writing<'w> = Writing<'w>;
    type Reading = PoolConnection<Sqlx>;

    fn writer(&self) -> &Mutex<Writer> {
        &self.writer
    }

    /// Takes the lock at once: a transaction that began to read could not write after another's commit.
    async fn begin<'w>(writer: &'w mut Writer, doing: &'static str) -> Result<Writing<'w>, Fault> {
        let (connection, checkpoints) = writer.fit().await?;
        let tx = connection.begin_with("begin immediate").await.map_err(failed(doing))?;
        Ok(Writing { tx, checkpoints })
    }

    fn tx<'t>(writing: &'t mut Writing<'_>) -> &'t mut SqliteConnection {
        &mut writing.tx
    }

    async fn commit(writing: Self::Writing<'_>, doing: &'static str, _now: Timestamp) -> Result<(), Fault> {
        let Writing { tx, checkpoints } = writing;
        let done = tx.commit().await.map_err(failed(doing));
        checkpoints.committed();
        done
    }

    async fn read(&self) -> Result<PoolConnection<Sqlx>, Fault> {
        self.readers.acquire().await.map_err(failed("connecting"))
    }

    async fn end(&self) {
        self.writer.lock().await.end();
        self.readers.close().await;
    }
}

/// A number in the file's first page that nobody reads: written, it has the page written.
const WRITE_SOMETHING: Sql = Sql::of("writing anything at all", "pragma user_version = 0");

impl Dialect for SqliteConnection {
    /// The transactions of batches that change nothing write nothing: only what is written for its own sake tells.
    async fn finish(&mut self, probe: bool) -> Result<(), Fault> {
        if probe {
            self.run(&WRITE_SOMETHING, &[]).await?;
        }
        pass(Point::Committing);
        Ok(())
    }
}
