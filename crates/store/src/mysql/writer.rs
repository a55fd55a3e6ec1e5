//! The writing connection, and transactions whose outcome is known even when the connection is lost while they commit.
//!
//! Each transaction leaves its number in the server's row of `writers`. After a lost commit the row says whether it
//! happened. Never decides what is written.

use std::time::Duration;

use sqlx::{MySql, MySqlConnection, MySqlPool, Transaction};
use weevil_failpoint::{Point, pass};
use weevil_model::Timestamp;

use super::retry::failed;
use crate::fault::{Fault, chance};

/// Between two looks at a database that does not say what became of a commit.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Part of the transaction itself: the mark is durable exactly where the batch is (ADR 0013).
const MARK: &str = "
insert into writers (id, mark, at) values (?, ?, ?) on duplicate key update mark = values(mark), at = values(at)";

/// Waits for a transaction that the server still works on.
const MARKED: &str = "select mark from writers where id = ? for update";

#[derive(Debug)]
pub(crate) struct Writer {
    pool: MySqlPool,
    /// Names this store among all that write to the database; random.
    id: i64,
    /// Number of the last transaction.
    mark: i64,
}

/// A transaction; rolled back unless it is committed.
#[derive(Debug)]
pub(crate) struct Writing<'w> {
    tx: Transaction<'static, MySql>,
    writer: &'w Writer,
}

impl Writer {
    pub(super) fn new(pool: MySqlPool) -> Self {
        Self { pool, id: chance(i64::MAX.unsigned_abs()).cast_signed(), mark: 0 }
    }

    pub(super) async fn begin(&mut self, doing: &'static str) -> Result<Writing<'_>, Fault> {
        self.mark += 1;
        let tx = self.pool.begin().await.map_err(failed(doing))?;
        Ok(Writing { tx, writer: self })
    }

    pub(super) async fn end(&self) {
        self.pool.close().await;
    }

    /// Whether the last transaction, whose commit was not answered, has happened. Without a database there is no true
    /// answer, so this waits for one.
    async fn has_committed(&self) -> bool {
        loop {
            match self.marked().await {
                Ok(mark) => return mark == Some(self.mark),
                Err(error) => tracing::warn!(%error, "waiting to learn what became of a commit"),
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    async fn marked(&self) -> Result<Option<i64>, sqlx::Error> {
        sqlx::query_scalar(MARKED).bind(self.id).fetch_optional(&self.pool).await
    }
}

impl Writing<'_> {
    pub(super) fn tx(&mut self) -> &mut MySqlConnection {
        &mut self.tx
    }

    /// Only a connection that breaks leaves a doubt: what the server answers is its last word.
    pub(super) async fn commit(mut self, doing: &'static str, now: Timestamp) -> Result<(), Fault> {
        mark(&mut self.tx, self.writer, now).await.map_err(failed(doing))?;
        pass(Point::Committing);
        match self.tx.commit().await {
            Ok(()) => Ok(()),
            Err(error) if is_refusal(&error) => Err(failed(doing)(error)),
            Err(_) if self.writer.has_committed().await => Ok(()),
            Err(error) => Err(failed(doing)(error)),
        }
    }
}

async fn mark(tx: &mut MySqlConnection, writer: &Writer, now: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query(MARK).bind(writer.id).bind(writer.mark).bind(now.0).execute(tx).await.map(drop)
}

/// The server has said no: nothing was committed.
fn is_refusal(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(_))
}
