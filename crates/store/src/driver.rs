//! What a driver does for the store: to begin to write, to commit, to read; and what truly differs between the databases.

use std::future::Future;
use std::ops::DerefMut;

use serde::Serialize;
use tokio::sync::Mutex;
use weevil_model::Timestamp;
use weevil_queue::{Claim, Claimed, NewJob};

use crate::fault::Fault;
use crate::parts::deal::Ready;
use crate::parts::reports::Decided;
use crate::paused::Paused;
use crate::tx::Tx;

/// A database and how it is reached.
pub(crate) trait Driver: Send + Sync {
    type Tx: Dialect;
    /// What the one who writes has to itself.
    type Writer: Send;
    /// A transaction; rolled back unless it is committed.
    type Writing<'w>: DerefMut<Target = Self::Tx> + Send;
    type Reading: DerefMut<Target = Self::Tx> + Send;

    /// One transaction at a time: the feeder gathers the next batch meanwhile.
    fn writer(&self) -> &Mutex<Self::Writer>;

    fn begin<'w>(
        writer: &'w mut Self::Writer,
        doing: &'static str,
    ) -> impl Future<Output = Result<Self::Writing<'w>, Fault>> + Send;

    /// When it returns, what was written survives SIGKILL and power loss.
    fn commit(
        writing: Self::Writing<'_>,
        doing: &'static str,
        now: Timestamp,
    ) -> impl Future<Output = Result<(), Fault>> + Send;

    fn read(&self) -> impl Future<Output = Result<Self::Reading, Fault>> + Send;
}

/// What is not one statement in two spellings.
pub(crate) trait Dialect: Tx + Sized {
    /// Bytes of a value that stay in its job's row; a larger one stands beside it.
    const IN_ROW: usize;

    /// The first jobs of each class that somebody meets: as many as workers could take, and so many more.
    fn ready(
        &mut self,
        claim: &Claim,
        more: u64,
    ) -> impl Future<Output = Result<Vec<Ready<Self::Row>>, Fault>> + Send;

    /// Gives jobs the inputs that were only measured. Those of `fresh` were put in by the same batch.
    fn fill_in(
        &mut self,
        handed: &mut [Claimed],
        fresh: &[NewJob],
    ) -> impl Future<Output = Result<(), Fault>> + Send;

    /// Puts in each job that is not there yet, once. Answers how many are in now.
    fn insert(
        &mut self,
        jobs: &[NewJob],
        paused: &Paused,
        now: Timestamp,
    ) -> impl Future<Output = Result<u64, Fault>> + Send;

    /// Ends jobs with the stored results of equal ones. Answers how many.
    fn reuse(&mut self, jobs: &[NewJob], now: Timestamp) -> impl Future<Output = Result<u64, Fault>> + Send;

    /// Keeps the values that are too large for their rows.
    fn keep_results(&mut self, changes: &[Decided<'_>]) -> impl Future<Output = Result<(), Fault>> + Send;

    /// Removes what was kept beside the rows of these jobs, whose ids come first.
    fn forget_results<R: Serialize + Sync>(
        &mut self,
        jobs: &[R],
    ) -> impl Future<Output = Result<(), Fault>> + Send;

    /// The last step of a batch: with `probe` something is written, so that the commit tells whether that is possible.
    fn finish(&mut self, probe: bool) -> impl Future<Output = Result<(), Fault>> + Send;

    /// Removes what servers have left behind that are long gone.
    fn forget_servers(&mut self, now: Timestamp) -> impl Future<Output = Result<(), Fault>> + Send;
}
