//! What is paused just now, as one transaction sees it, and whether anything is stopped.

use std::collections::HashSet;

use weevil_model::RunId;
use weevil_queue::decide::wait::Patience;
use weevil_records::StoreError;

use crate::{Columns, Fault, Sql, Tx};

/// Rows with a `run` each; null stands for the whole queue, and 0, which no run is, for codes that are stopped somewhere. SQLite goes by the index of open runs, MySQL by that of
/// pauses: both pass over nearly all runs that have ended.
const PAUSED: Sql = Sql::of(
    "looking for what is paused",
    "
select id as run from runs where paused_at is not null and finished_at is null
union all select null from queue_pause
union all select 0 from (select 1 as one) o where exists (select 1 from stopped_codes)",
);

/// Read once, at the beginning of a transaction, so that all parts of a batch go by one answer. This server writes
/// pauses under the same lock: one comes before a whole batch or behind it.
pub(crate) async fn paused<T: Tx>(tx: &mut T) -> Result<Paused, Fault> {
    Ok(Paused::read(&tx.found(&PAUSED, &[]).await?)?)
}

#[derive(Debug, Default)]
pub(crate) struct Paused {
    /// Nothing is handed out.
    pub(crate) queue: bool,
    runs: HashSet<RunId>,
    /// Some code is stopped in some queue.
    pub(crate) codes: bool,
}

impl Paused {
    fn read<R: Columns>(rows: &[R]) -> Result<Self, StoreError> {
        let mut paused = Self::default();
        for row in rows {
            match row.maybe_number("run")? {
                Some(0) => paused.codes = true,
                Some(_) => paused.runs.extend(row.maybe_run_id("run")?),
                None => paused.queue = true,
            }
        }
        Ok(paused)
    }

    pub(crate) fn has(&self, run: RunId) -> bool {
        self.runs.contains(&run)
    }

    /// From now on, for what is left of the transaction.
    pub(crate) fn add(&mut self, run: RunId) {
        self.runs.insert(run);
    }

    /// The patience of a job of this run, or of a stand-alone job.
    pub(crate) fn patience(&self, run: Option<RunId>, max_wait_ms: Option<u32>) -> Patience {
        Patience { paused: run.is_some_and(|run| self.has(run)), max_wait_ms }
    }
}
