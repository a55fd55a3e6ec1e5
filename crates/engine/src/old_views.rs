//! Turns what earlier releases have stored of ended runs into facts, a few runs a minute, so that nobody waits for it.
//!
//! Never forgets anything, and ends by itself: a release that stores views is not started over this database any more.

use std::time::Duration;

use tokio::time::{Instant, interval_at};
use weevil_model::{RunId, Timestamp};
use weevil_records::{Runs, StoreError};

use crate::common::Common;

/// The first look comes after one such time as well: a start has other things to do.
const EVERY: Duration = Duration::from_mins(1);
/// Runs of a minute. Whoever asks for a run before its turn has its view read.
const A_MINUTE: u32 = 200;
/// Runs that one transaction turns: a view may have hundreds of kilobytes.
const PIECE: u32 = 20;

/// Works as long as it is polled, and until no view is left.
pub async fn turn_old_views(common: Common) {
    let mut minutes = interval_at(Instant::now() + EVERY, EVERY);
    let mut views = OldViews::default();
    while !views.done {
        minutes.tick().await;
        let turned = views.turn_some(&*common.store, common.clock.now()).await;
        if let Err(error) = turned {
            tracing::error!(%error, "views of an earlier release stay as they are for now");
        }
    }
}

/// How far it has come.
#[derive(Debug, Default)]
struct OldViews {
    after: Option<RunId>,
    done: bool,
}

impl OldViews {
    /// What one minute brings.
    async fn turn_some(&mut self, store: &dyn Runs, now: Timestamp) -> Result<(), StoreError> {
        for _ in 0..A_MINUTE / PIECE {
            let turned = store.turn_views(self.after, PIECE, now).await?;
            for (run, why) in turned.unreadable {
                tracing::error!(%run, why, "what an earlier release has stored of a run's end cannot be read");
            }
            self.done = turned.last.is_none();
            if self.done {
                return Ok(());
            }
            self.after = turned.last;
            tokio::task::yield_now().await;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use weevil_records::{RunList, RunRecord};

    use super::*;

    async fn ended(store: &dyn Runs) -> Vec<RunRecord> {
        let mut ended = Vec::new();
        for listed in store.runs(&RunList::default(), 100).await.unwrap() {
            ended.extend(store.run(listed.head.id).await.unwrap().filter(|run| run.end.is_some()));
        }
        ended
    }

    #[tokio::test]
    async fn a_database_of_an_older_release_tells_the_same_when_its_views_are_facts() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("weevil.db");
        let left = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/upgrade/sqlite.db");
        std::fs::copy(left, &file).unwrap();
        let store = weevil_store::open(&format!("sqlite:{}", file.display()).parse().unwrap()).await.unwrap();
        let before = ended(&*store).await;
        assert!(before.iter().any(|run| run.end.as_ref().is_some_and(|end| end.facts.error.is_some())));
        let mut views = OldViews::default();
        let first = store.turn_views(None, 1, Timestamp(1)).await.unwrap();
        assert_eq!((first.runs, ended(&*store).await), (1, before.clone()), "some are facts already");
        for _ in 0..2 {
            views.turn_some(&*store, Timestamp(2)).await.unwrap();
            assert!(views.done);
            assert_eq!(ended(&*store).await, before);
        }
        let last = before.iter().map(|run| run.id).max();
        assert_eq!(views.after, last, "the newest of them came last");
    }
}
