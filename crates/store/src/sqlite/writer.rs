//! The one connection that writes, and another one where an error has left it unusable.

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use super::checkpoint::Checkpoints;
use super::tx::failed;
use crate::fault::Fault;

#[derive(Debug)]
pub(crate) struct Writer {
    options: SqliteConnectOptions,
    connection: SqliteConnection,
    checkpoints: Checkpoints,
    ended: bool,
}

impl Writer {
    pub(super) const fn new(
        options: SqliteConnectOptions,
        connection: SqliteConnection,
        checkpoints: Checkpoints,
    ) -> Self {
        Self { options, connection, checkpoints, ended: false }
    }

    /// The connection, outside of any transaction; and who is told of commits.
    ///
    /// After some errors, a full disk among them, SQLite has rolled back by itself. The driver then cannot, and counts a
    /// transaction for ever that is not there.
    pub(super) async fn fit(&mut self) -> Result<(&mut SqliteConnection, &Checkpoints), Fault> {
        if self.ended {
            return Err(failed("beginning")(sqlx::Error::PoolClosed));
        }
        if self.connection.is_in_transaction() && !self.settled().await {
            tracing::warn!("the connection that writes to the database is replaced");
            self.connection = self.options.connect().await.map_err(failed("connecting again"))?;
        }
        Ok((&mut self.connection, &self.checkpoints))
    }

    pub(super) const fn end(&mut self) {
        self.ended = true;
    }

    /// A rollback may still be on its way: what was sent before a ping is done when it is answered.
    async fn settled(&mut self) -> bool {
        self.connection.ping().await.is_ok() && !self.connection.is_in_transaction()
    }
}
