//! Moving what is committed from the log into the database file, on a connection of its own: nobody who waits for a
//! commit waits for that.
//!
//! Nothing is lost where it fails: the log holds everything, and a commit that finds it long does the same work itself.

use std::time::Duration;

use sqlx::{Row, SqliteConnection};
use tokio::sync::watch;

/// Pages of the log, 64 MiB, from which a commit moves them itself.
pub(super) const MOST_PAGES: &str = "16384";
/// Commits wait this long for company: a page that they share is moved once.
const PAUSE: Duration = Duration::from_millis(100);

/// Ends with the last holder.
#[derive(Debug)]
pub(super) struct Checkpoints {
    committed: watch::Sender<()>,
}

impl Checkpoints {
    pub(super) fn start(connection: SqliteConnection) -> Self {
        let (committed, heard) = watch::channel(());
        tokio::spawn(keep(connection, heard));
        Self { committed }
    }

    pub(super) fn committed(&self) {
        self.committed.send_replace(());
    }
}

async fn keep(mut connection: SqliteConnection, mut committed: watch::Receiver<()>) {
    while committed.changed().await.is_ok() {
        tokio::time::sleep(PAUSE).await;
        if let Err(error) = checkpoint(&mut connection).await {
            tracing::debug!(%error, "the log stays as it is for now");
        }
    }
}

/// Moves what nobody keeps it from. Answers the pages of the log, and how many of them are in the database file now.
async fn checkpoint(connection: &mut SqliteConnection) -> Result<(i64, i64), sqlx::Error> {
    let row = sqlx::query("pragma wal_checkpoint(passive)").fetch_one(connection).await?;
    Ok((row.try_get(1)?, row.try_get(2)?))
}

#[cfg(test)]
mod tests {
    use sqlx::ConnectOptions;
    use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode};
    use tempfile::TempDir;

    use super::*;

    #[tokio::test]
    async fn what_another_connection_committed_is_moved() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("data.db");
        let options = SqliteConnectOptions::new()
            .filename(&file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .pragma("wal_autocheckpoint", "0");
        let mut writer = options.connect().await.unwrap();
        let mut beside = options.connect().await.unwrap();
        for statement in ["create table t (bytes blob)", "insert into t values (zeroblob(1000000))"] {
            sqlx::query(statement).execute(&mut writer).await.unwrap();
        }
        let small = std::fs::metadata(&file).unwrap().len();
        let (log, moved) = checkpoint(&mut beside).await.unwrap();
        assert!(log > 244 && log == moved, "{moved} of {log} pages");
        assert!(small < 1_000_000 && std::fs::metadata(&file).unwrap().len() > 1_000_000);
    }
}
