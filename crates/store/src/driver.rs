//! What a driver does for the store: to begin to write, to commit, to read; and what truly differs between the databases.

use std::future::Future;
use std::ops::DerefMut;

use tokio::sync::Mutex;
use weevil_model::{Encoded, JobId, Timestamp};
use weevil_queue::{Claim, Claimed, NewJob};

use crate::parts::deal::Ready;
use crate::paused::Paused;
use crate::{Fault, Tx};

/// A database and how it is reached.
pub(crate) trait Driver: Send + Sync {
    type Tx: Dialect;
    /// What a transaction has to itself while it writes.
    type Writer: Send;
    /// A transaction; rolled back unless it is committed.
    type Writing<'w>: Send;
    /// A connection that only looks. It holds no transaction, so two statements may see two moments.
    type Reading: DerefMut<Target = Self::Tx> + Send;

    /// One transaction at a time: the feeder gathers the next batch meanwhile. The lock is fair and held over all
    /// tries of a transaction, so what came first is written first.
    fn writer(&self) -> &Mutex<Self::Writer>;

    /// SQLite takes the one lock of its file here; MySQL locks rows only as statements meet them. `doing` is what
    /// an error tells, after "while".
    fn begin<'w>(
        writer: &'w mut Self::Writer,
        doing: &'static str,
    ) -> impl Future<Output = Result<Self::Writing<'w>, Fault>> + Send;

    /// The connection inside the transaction.
    fn tx<'t>(writing: &'t mut Self::Writing<'_>) -> &'t mut Self::Tx;

    /// When it returns, what was written survives SIGKILL and power loss. Where the answer to a commit is lost,
    /// MySQL's driver finds out what became of it before it returns. Only MySQL keeps `now`, as the moment at which
    /// this server wrote last.
    fn commit(
        writing: Self::Writing<'_>,
        doing: &'static str,
        now: Timestamp,
    ) -> impl Future<Output = Result<(), Fault>> + Send;

    /// One of a few connections, never the one that writes: SQLite's WAL and MySQL's row versions let readers pass
    /// a writer.
    fn read(&self) -> impl Future<Output = Result<Self::Reading, Fault>> + Send;

    /// Waits until nothing is under way. From then on nothing begins.
    fn end(&self) -> impl Future<Output = ()> + Send;
}

/// What is not one statement in two spellings. Each method works inside its caller's transaction and commits
/// nothing.
pub(crate) trait Dialect: Tx + Claims + Inserts + LargeValues {
    /// The last step of a batch: with `probe` something is written, so that the commit tells whether that is possible.
    fn finish(&mut self, _probe: bool) -> impl Future<Output = Result<(), Fault>> + Send {
        async { Ok(()) }
    }

    /// Removes what servers have left behind that are long gone.
    fn forget_servers(&mut self, _now: Timestamp) -> impl Future<Output = Result<(), Fault>> + Send {
        async { Ok(()) }
    }
}

pub(crate) trait Claims: Tx + Sized {
    /// The first jobs of each class that somebody meets: as many as workers could take, and so many more. On MySQL
    /// they are locked until the commit, and those that another server has locked are passed over; SQLite has one
    /// writer.
    fn ready(
        &mut self,
        claim: &Claim,
        more: u64,
    ) -> impl Future<Output = Result<Vec<Ready<Self::Row>>, Fault>> + Send;

    /// Those of these jobs that are out with one copy, want no other, and have not been answered: each as if it wanted one. On MySQL
    /// they are locked, and passed over, as those that are ready.
    fn lone(&mut self, jobs: &[i64]) -> impl Future<Output = Result<Vec<Ready<Self::Row>>, Fault>> + Send;

    /// Gives jobs the inputs that were only measured. Those of `fresh` were put in by the same batch.
    fn fill_in(
        &mut self,
        handed: &mut [Claimed],
        fresh: &[NewJob],
    ) -> impl Future<Output = Result<(), Fault>> + Send;
}

pub(crate) trait Inserts: Tx {
    /// Puts in each job that is not there yet, once. Answers how many are in now. A job of a run that has ended is
    /// not put in.
    fn insert(
        &mut self,
        jobs: &[NewJob],
        paused: &Paused,
        now: Timestamp,
    ) -> impl Future<Output = Result<u64, Fault>> + Send;

    /// Ends jobs with the stored results of equal ones. Answers how many. Only jobs that were never handed out: a
    /// result that turns up later interrupts nobody.
    fn reuse(&mut self, jobs: &[NewJob], now: Timestamp) -> impl Future<Output = Result<u64, Fault>> + Send;
}

/// Values that stand beside their jobs' rows, where a database needs that.
pub(crate) trait LargeValues: Tx {
    /// Bytes of a value that stay in its job's row; a larger one stands beside it.
    const IN_ROW: usize = usize::MAX;

    /// Keeps the values that are too large for their rows.
    fn keep_results(
        &mut self,
        _values: &[(JobId, &Encoded)],
    ) -> impl Future<Output = Result<(), Fault>> + Send {
        async { Ok(()) }
    }

    /// Has these inputs take the place of those that their jobs had.
    fn change_inputs(
        &mut self,
        _inputs: &[(JobId, &Encoded)],
    ) -> impl Future<Output = Result<(), Fault>> + Send {
        async { Ok(()) }
    }

    /// Removes what was kept beside the rows of these jobs.
    fn forget_results(&mut self, _jobs: &[i64]) -> impl Future<Output = Result<(), Fault>> + Send {
        async { Ok(()) }
    }
}
