//! Moving what is committed from the log into the database file, on a connection of its own: nobody who waits for a
//! commit waits for that.
//!
//! Nothing is lost where it fails: the log holds everything, and a commit that finds it long does the same work itself.

use std::time::Duration;

use sqlx::SqliteConnection;
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
        if let Err(error) = sqlx::query("pragma wal_checkpoint(passive)").execute(&mut connection).await {
            tracing::debug!(%error, "the log stays as it is for now");
        }
    }
}
