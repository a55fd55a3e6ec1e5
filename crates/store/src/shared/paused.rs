//! What is paused just now, as one transaction sees it.

use std::collections::HashSet;

use weevil_model::RunId;
use weevil_queue::decide::wait::Patience;
use weevil_records::StoreError;

use super::columns::Columns;

/// Rows with a `run` each; null stands for the whole queue.
pub(crate) const PAUSED: &str = "
select id as run from runs where paused_at is not null and finished_at is null
union all select null from queue_pause";

#[derive(Debug, Default)]
pub(crate) struct Paused {
    /// Nothing is handed out.
    pub(crate) queue: bool,
    runs: HashSet<RunId>,
}

impl Paused {
    pub(crate) fn read<R: Columns>(rows: &[R]) -> Result<Self, StoreError> {
        let mut paused = Self::default();
        for row in rows {
            match row.maybe_run_id("run")? {
                Some(run) => drop(paused.runs.insert(run)),
                None => paused.queue = true,
            }
        }
        Ok(paused)
    }

    /// Of a job of this run, or of none.
    pub(crate) fn patience(&self, run: Option<RunId>, max_wait_ms: Option<u32>) -> Patience {
        Patience { paused: run.is_some_and(|run| self.runs.contains(&run)), max_wait_ms }
    }
}
