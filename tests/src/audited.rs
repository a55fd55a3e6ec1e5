//! What a server leaves in its database, and whether it is sound.

use std::process::{Command, Output};

use weevil_model::{ContentHash, RunId, Timestamp};
use weevil_records::RunList;
use weevil_store::{Audit, Database};

use crate::TestServer;

/// More runs than any test makes where it looks for them here.
const MAX_RUNS: u32 = 100;

impl TestServer {
    /// Ends the server as a service manager would and looks through the whole of its database, in which nothing may be
    /// broken.
    pub fn audit(&mut self) -> Audit {
        self.terminate();
        let ended = self.await_death();
        assert!(ended.success(), "the server ends in good order: {ended}");
        let audit = waited(weevil_store::audit(&self.database()));
        let audit = audit.expect("the database can be read");
        assert_eq!(audit.broken, [], "{audit:?}");
        audit
    }

    /// The runs in the database of a server that does not run, whatever it has answered.
    pub fn stored_runs(&self) -> Vec<RunId> {
        let database = self.database();
        let runs =
            waited(async { weevil_store::open(&database).await?.runs(&RunList::default(), MAX_RUNS).await });
        runs.expect("the database can be read").iter().map(|run| run.head.id).collect()
    }

    /// Turns the views that an older release has left into facts, as a server does that runs for some minutes. This one does
    /// not run. Answers how many there were.
    pub fn turn_views(&self) -> u32 {
        let database = self.database();
        let turned = waited(async {
            weevil_store::open(&database).await?.turn_views(None, MAX_RUNS, Timestamp::default()).await
        });
        turned.expect("the database takes them").runs
    }

    /// Results counted for a device, as the database has them.
    pub fn counted(&self, fingerprint: ContentHash) -> Option<u64> {
        let database = self.database();
        let device = waited(async { weevil_store::open(&database).await?.device(fingerprint).await });
        device.expect("the database can be read").map(|device| device.accepted)
    }

    /// What a command of the binary answers over the database of this server, which may run.
    pub fn beside(&self, args: &[&str]) -> Output {
        let mut command = Command::new(self.binary());
        command.args(args);
        match self.option("--database") {
            Some(address) => command.args(["--database", address]),
            None => command.arg("--data").arg(self.data()),
        };
        command.output().expect("the binary runs")
    }

    fn database(&self) -> Database {
        let named = self.option("--database").map(|address| address.parse().expect("it names a database"));
        named.unwrap_or_else(|| Database::Sqlite(self.data().join("weevil.db")))
    }
}

pub(crate) fn waited<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime can be made").block_on(work)
}
