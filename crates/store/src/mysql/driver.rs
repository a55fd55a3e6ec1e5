//! How MySQL begins, commits and reads; and what it does in its own way.

use sqlx::pool::PoolConnection;
use sqlx::{MySql as Sqlx, MySqlConnection, MySqlPool};
use tokio::sync::Mutex;
use weevil_model::Timestamp;

use super::retry::failed;
use super::writer::{Writer, Writing};
use crate::driver::{Dialect, Driver, LargeValues};
use crate::{Fault, Sql, Tx};

/// One database of a MySQL or MariaDB server.
#[derive(Debug)]
pub struct MySql {
    /// One transaction at a time.
    pub(super) writer: Mutex<Writer>,
    pub(super) readers: MySqlPool,
}

impl Driver for MySql {
    type Tx = MySqlConnection;
    type Writer = Writer;
    type Writing<'w> = Writing<'w>;
    type Reading = PoolConnection<Sqlx>;

    fn writer(&self) -> &Mutex<Writer> {
        &self.writer
    }

    async fn begin<'w>(writer: &'w mut Writer, doing: &'static str) -> Result<Writing<'w>, Fault> {
        writer.begin(doing).await
    }

    fn tx<'t>(writing: &'t mut Writing<'_>) -> &'t mut MySqlConnection {
        writing.tx()
    }

    async fn commit(writing: Self::Writing<'_>, doing: &'static str, now: Timestamp) -> Result<(), Fault> {
        writing.commit(doing, now).await
    }

    async fn read(&self) -> Result<PoolConnection<Sqlx>, Fault> {
        self.readers.acquire().await.map_err(failed("connecting"))
    }

    async fn end(&self) {
        self.writer.lock().await.end().await;
        self.readers.close().await;
    }
}

/// Servers that have written nothing for a day. No commit of theirs can be in doubt any more.
const FORGET_WRITERS: Sql = Sql::of("forgetting servers", "delete from writers where at < ?");
/// Milliseconds.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Each transaction writes its mark, so any commit tells whether the database takes writes.
impl Dialect for MySqlConnection {
    async fn forget_servers(&mut self, now: Timestamp) -> Result<(), Fault> {
        self.run(&FORGET_WRITERS, &[now.plus_ms(-DAY_MS).into()]).await.map(drop)
    }
}

/// Rows hold values of every size.
impl LargeValues for MySqlConnection {}
