//! What a server leaves in its database, and whether it is sound.

use weevil_store::{Audit, Database};

use crate::TestServer;

impl TestServer {
    /// Ends the server as a service manager would and looks through the whole of its database, in which nothing may be
    /// broken.
    pub fn audit(&mut self) -> Audit {
        self.terminate();
        let ended = self.await_death();
        assert!(ended.success(), "the server ends in good order: {ended}");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let audit = runtime.expect("a runtime can be made").block_on(weevil_store::audit(&self.database()));
        let audit = audit.expect("the database can be read");
        assert_eq!(audit.broken, [], "{audit:?}");
        audit
    }

    fn database(&self) -> Database {
        let named = self.option("--database").map(|address| address.parse().expect("it names a database"));
        named.unwrap_or_else(|| Database::Sqlite(self.data().join("weevil.db")))
    }
}
