//! Opening a database: what the server must offer, durable settings, migrations, and a refusal of schemas from the
//! future.

use std::time::Duration;

use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
use sqlx::{ConnectOptions, Executor, MySqlConnection, Row};
use tokio::sync::Mutex;
use weevil_records::StoreError;

use super::driver::MySql;
use super::writer::Writer;
use crate::database::Server;
use crate::db::Db;
use crate::migrations;

/// Readers beside the writer; the pages of a few people, not the hot path.
const READERS: u32 = 4;
/// How long one try waits for a connection, an outage of the server included.
const PATIENCE: Duration = Duration::from_secs(5);
/// A file of `MAX_BUNDLE_BYTES`, or a value of `MAX_VALUE_BYTES` in hexadecimal, and what stands around it.
const NEEDED_PACKET_BYTES: i64 = 64 * 1024 * 1024;
/// The first releases with `SKIP LOCKED` and `JSON_TABLE`.
const OLDEST_MARIADB: (u32, u32) = (10, 6);
const OLDEST_MYSQL: (u32, u32) = (8, 0);

/// Each statement sees what is committed: nothing between two rows is locked. Text that does not fit is an error. A
/// lock is waited for ten seconds, not the usual fifty: whatever this server writes waits behind the batch that
/// waits.
const SESSION: &str = "
set session transaction isolation level read committed;
set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', session innodb_lock_wait_timeout = 10";

const SETTINGS: &str = "
select version() as version, cast(@@max_allowed_packet as signed) as packet,
       cast(@@innodb_flush_log_at_trx_commit as signed) as flush";

impl Db<MySql> {
    /// Opens the database, bringing its schema up to date where needed.
    pub async fn open(server: &Server) -> Result<Self, StoreError> {
        let fail =
            |error: sqlx::Error| StoreError::Connect { place: server.to_string(), cause: error.to_string() };
        let mut first = server.options().connect().await.map_err(fail)?;
        check(&mut first, server).await?;
        migrate(&mut first).await?;
        drop(first);
        let writer = Writer::new(pool(1).connect_lazy_with(options(server)));
        let readers = pool(READERS).connect_lazy_with(options(server));
        Ok(Self(MySql { writer: Mutex::new(writer), readers }))
    }
}

fn options(server: &Server) -> MySqlConnectOptions {
    server.options().clone().statement_cache_capacity(64)
}

/// Each connection sets itself up, also one that takes the place of another after an outage.
fn pool(connections: u32) -> MySqlPoolOptions {
    MySqlPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(PATIENCE)
        .after_connect(|connection, _| Box::pin(async move { connection.execute(SESSION).await.map(drop) }))
}

async fn check(connection: &mut MySqlConnection, server: &Server) -> Result<(), StoreError> {
    let failed = |error: sqlx::Error| StoreError::Failed {
        doing: "reading the database's settings",
        cause: error.to_string(),
    };
    let row = sqlx::query(SETTINGS).fetch_one(connection).await.map_err(failed)?;
    let version: String = row.try_get("version").map_err(failed)?;
    let packet: i64 = row.try_get("packet").map_err(failed)?;
    let flush: i64 = row.try_get("flush").map_err(failed)?;
    if flush != 1 {
        tracing::warn!(
            "innodb_flush_log_at_trx_commit of {server} is {flush}: a power cut may take acknowledged results; set it to 1"
        );
    }
    match unfit(&version, packet) {
        None => Ok(()),
        Some(cause) => Err(StoreError::Unfit { place: server.to_string(), cause }),
    }
}

/// What this server lacks, with the cure.
fn unfit(version: &str, packet: i64) -> Option<String> {
    if !is_new_enough(version) {
        let ((maria, minor), (mysql, patch)) = (OLDEST_MARIADB, OLDEST_MYSQL);
        return Some(format!(
            "it is version {version}; MariaDB {maria}.{minor} or MySQL {mysql}.{patch}, or newer, is needed"
        ));
    }
    (packet < NEEDED_PACKET_BYTES).then(|| {
        format!(
            "its max_allowed_packet is {packet} bytes and {NEEDED_PACKET_BYTES} are needed: \
             write `max_allowed_packet = 64M` below [mysqld] in the database server's configuration and restart it"
        )
    })
}

/// `10.11.19-MariaDB-0+deb12u1` or `8.0.36`; a version that cannot be read counts as new.
fn is_new_enough(version: &str) -> bool {
    let oldest = if version.contains("MariaDB") { OLDEST_MARIADB } else { OLDEST_MYSQL };
    let mut numbers = version.split(['.', '-']).map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= oldest,
        _ => true,
    }
}

/// Under a lock of the database, so two servers that start together do not both migrate. A statement that changes
/// the schema commits by itself: a crash in a migration leaves it marked as unfinished, and sqlx refuses to go on.
async fn migrate(connection: &mut MySqlConnection) -> Result<(), StoreError> {
    let migrator = migrations::mysql();
    migrator.run(connection).await.map_err(|error| migrations::refused(&migrator, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfit_servers_are_told_what_they_lack() {
        for (version, packet, expected) in [
            ("10.11.19-MariaDB-0+deb12u1", NEEDED_PACKET_BYTES, None),
            ("8.0.36", NEEDED_PACKET_BYTES, None),
            ("11.4.2-MariaDB", NEEDED_PACKET_BYTES, None),
            ("10.5.23-MariaDB", NEEDED_PACKET_BYTES, Some("MariaDB 10.6")),
            ("5.7.44-log", NEEDED_PACKET_BYTES, Some("MySQL 8.0")),
            ("10.11.19-MariaDB", 16_777_216, Some("max_allowed_packet = 64M")),
            ("some cloud", NEEDED_PACKET_BYTES, None),
        ] {
            let found = unfit(version, packet);
            let fits = match (&found, expected) {
                (None, None) => true,
                (Some(found), Some(expected)) => found.contains(expected),
                _ => false,
            };
            assert!(fits, "{version} {packet}: {found:?}");
        }
    }
}
