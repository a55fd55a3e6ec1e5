//! A copy of a database in use.

use std::collections::BTreeSet;

use tempfile::TempDir;
use weevil_model::{ContentHash, ProjectId, Timestamp};
use weevil_queue::Batch;
use weevil_records::{Batches, FinalNode, StoredWorkflow, Workflows};
use weevil_store::{BackupError, SqliteStore, backup};

fn workflow(name: &str) -> StoredWorkflow {
    let files = vec![("Add.js".to_owned(), vec![0; 100_000])];
    StoredWorkflow {
        hash: ContentHash::of(name.as_bytes()),
        name: name.into(),
        files,
        code: BTreeSet::new(),
        checked_by: 1,
        final_node: FinalNode::Untold,
    }
}

#[tokio::test]
async fn a_copy_holds_what_was_committed_before_it_and_is_a_database_of_its_own() {
    let folder = TempDir::new().unwrap();
    let (original, copy) = (folder.path().join("original.db"), folder.path().join("copy.db"));
    let store = SqliteStore::open(&original).await.unwrap();
    for name in ["one", "two"] {
        store.keep_workflow(ProjectId::DEFAULT, &workflow(name), Timestamp(1)).await.unwrap();
    }
    let bytes = backup(&original, &copy).await.unwrap();
    assert_eq!(std::fs::metadata(&copy).unwrap().len(), bytes);
    store.keep_workflow(ProjectId::DEFAULT, &workflow("three"), Timestamp(2)).await.unwrap();
    let copied = SqliteStore::open(&copy).await.unwrap();
    assert_eq!(copied.workflows(Some(ProjectId::DEFAULT), None, 10).await.unwrap().len(), 2);
    copied.keep_workflow(ProjectId::DEFAULT, &workflow("four"), Timestamp(3)).await.unwrap();
    assert_eq!(store.workflows(Some(ProjectId::DEFAULT), None, 10).await.unwrap().len(), 3);
}

#[tokio::test]
async fn nothing_is_ever_replaced() {
    let folder = TempDir::new().unwrap();
    let original = folder.path().join("original.db");
    drop(SqliteStore::open(&original).await.unwrap());
    for taken in ["there.db", "growing.db.partial"] {
        std::fs::write(folder.path().join(taken), "precious").unwrap();
    }
    for to in ["there.db", "growing.db"] {
        let refused = backup(&original, &folder.path().join(to)).await;
        assert!(matches!(refused, Err(BackupError::Exists(_))), "{to}: {refused:?}");
    }
    for kept in ["there.db", "growing.db.partial"] {
        assert_eq!(std::fs::read_to_string(folder.path().join(kept)).unwrap(), "precious");
    }
    let nothing = backup(&folder.path().join("nothing.db"), &folder.path().join("copy.db")).await;
    assert!(matches!(nothing, Err(BackupError::NoDatabase(_))), "{nothing:?}");
}

#[tokio::test]
async fn a_probe_writes() {
    let folder = TempDir::new().unwrap();
    let store = SqliteStore::open(&folder.path().join("weevil.db")).await.unwrap();
    let log = || std::fs::metadata(folder.path().join("weevil.db-wal")).unwrap().len();
    let before = log();
    store.apply(&Batch { look: true, ..Batch::default() }, Timestamp(1)).await.unwrap();
    assert_eq!(log(), before, "to look is not to write");
    store.apply(&Batch { probe: true, ..Batch::default() }, Timestamp(2)).await.unwrap();
    assert!(log() > before);
}
