//! Moving what is committed from the log into the database file, on a connection of its own: nobody who waits for a
//! commit waits for that.
//!
//! Nothing is lost where it fails: the log holds everything, and a commit that finds it long does the same work itself.

use std::time::Duration;

use sqlx::{Row, SqliteConnection};
use tokio::sync::watch;
use tokio::time::timeout;

/// Pages of the log, 64 MiB, from which a commit moves them itself.
pub(super) const MOST_PAGES: &str = "16384";
/// Nothing was committed for so long: the disk is free.
const QUIET: Duration = Duration::from_millis(100);
/// Commits that follow each other share pages, which are then moved once; but no longer than this.
const LONGEST: Duration = Duration::from_millis(500);

/// Ends with the last holder.
#[derive(Debug)]
pub(crate) struct Checkpoints {
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
        company(&mut committed).await;
        if let Err(error) = checkpoint(&mut connection).await {
            tracing::debug!(%error, "the log stays as it is for now");
        }
    }
}

/// Ends in a quiet moment, or once the first commit has waited for long.
async fn company(committed: &mut watch::Receiver<()>) {
    let busy = async { while let Ok(Ok(())) = timeout(QUIET, committed.changed()).await {} };
    let _never_quiet = timeout(LONGEST, busy).await;
}

/// Moves what nobody keeps it from. Answers the pages of the log, and how many of them are in the database file
/// now. A passive checkpoint waits for neither readers nor the writer.
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

    #[tokio::test(start_paused = true)]
    async fn commits_wait_for_a_quiet_moment_but_not_for_long() {
        for (commits, waited_ms) in [(0, 100), (1, 190), (3, 370), (9, 500)] {
            let (writer, mut committed) = watch::channel(());
            let others = async {
                for _ in 0..commits {
                    tokio::time::sleep(Duration::from_millis(90)).await;
                    writer.send_replace(());
                }
            };
            let waiting = async {
                let since = tokio::time::Instant::now();
                company(&mut committed).await;
                since.elapsed().as_millis()
            };
            assert_eq!(tokio::join!(others, waiting).1, waited_ms, "{commits} commits");
        }
    }

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
