//! What a start does with the runs that were left open: each goes on, or is set aside, and none is another's trouble.
//!
//! Never ends a run, and never gives one up: what is set aside is tried again by the next start.

use std::sync::Arc;

use actix::Addr;
use weevil_engine::common::Common;
use weevil_engine::root::{Earlier, Root, SetAside, Start};
use weevil_failpoint::{Point, pass};
use weevil_model::limits::MAX_LISTED_RUNS;
use weevil_model::{Diagnostic, Encoded, Severity};
use weevil_records::{ListedRun, RunRecord, Runs, Scope, Store, StoreError};
use weevil_workflow::{Bundle, Plan};

use crate::app::ServeError;

/// Why a run does not go on.
enum Trouble {
    /// Its own: in words, for people.
    Run(String),
    /// Everybody's: the database does not answer.
    Database(StoreError),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Corrupt { .. } => Self::Run(error.to_string()),
            _ => Self::Database(error),
        }
    }
}

/// The newest runs that have ended, for the list.
pub(crate) async fn ended(store: &dyn Runs) -> Result<Vec<ListedRun>, StoreError> {
    let newest = store.runs(MAX_LISTED_RUNS).await?;
    Ok(newest.into_iter().filter(|run| run.head.finished_at.is_some()).collect())
}

/// Has every open run go on that can. Who asks the new server for a run finds it on the board.
pub(crate) async fn take_up(
    common: &Common,
    root: &Addr<Root>,
    open: Vec<RunRecord>,
) -> Result<(), ServeError> {
    for record in open {
        match resume(common, &record).await {
            Ok(start) => root.send(start).await.map_err(std::io::Error::other)?,
            Err(Trouble::Run(why)) => set_aside(common, root, record, why).await?,
            Err(Trouble::Database(error)) => return Err(error.into()),
        }
        pass(Point::RunResumed);
    }
    Ok(())
}

/// A run is only its workflow and its jobs' results: its executors start anew and find the results again.
async fn resume(common: &Common, record: &RunRecord) -> Result<Start, Trouble> {
    if let Some(unread) = &record.unread {
        return Err(Trouble::Run(format!("its row holds {unread}, which this release does not know")));
    }
    let plan = Arc::new(plan(&*common.store, record).await?);
    let (run, store) = (record.id, &common.store);
    let earlier = Earlier { slots: store.slot_totals(run).await?, times: store.job_times(run).await? };
    Ok(Start { record: record.clone(), plan, earlier })
}

async fn plan(store: &dyn Store, record: &RunRecord) -> Result<Plan, Trouble> {
    let missing = || Trouble::Run("its workflow is not stored".to_owned());
    let stored = store.workflow(record.workflow).await?.ok_or_else(missing)?;
    let bundle = Bundle::new(stored.files.into_iter().collect());
    let bundle = bundle.map_err(|error| Trouble::Run(format!("its files are refused: {error}")))?;
    let mut plan = weevil_workflow::load(&bundle).map_err(|found| Trouble::Run(refused(&found)))?.plan;
    for (node, value) in store.inputs(record.id).await? {
        let unfit = |why: String| Trouble::Run(format!("its input for the node `{node}` is refused: {why}"));
        let value = Encoded::checked(value.as_bytes()).map_err(|error| unfit(error.to_string()))?;
        plan.replace_value(&node, value).map_err(|error| unfit(error.to_string()))?;
    }
    Ok(plan)
}

/// The first error: the others often follow from it.
fn refused(found: &[Diagnostic]) -> String {
    let first = found.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    let told = first.map_or_else(String::new, |diagnostic| format!(": {diagnostic}"));
    format!("its workflow is refused by this release{told}")
}

/// Paused durably, so that nobody computes for a run that nobody waits for.
async fn set_aside(
    common: &Common,
    root: &Addr<Root>,
    mut record: RunRecord,
    why: String,
) -> Result<(), ServeError> {
    tracing::error!(
        run = %record.id,
        name = record.name,
        why,
        "a run cannot be taken up and is set aside, paused: `weevil cancel` ends it, the next start tries it again"
    );
    if !record.paused {
        common.store.pause(Scope::Run(record.id), true, common.clock.now()).await?;
        record.paused = true;
    }
    root.send(SetAside { record, why }).await.map_err(|error| std::io::Error::other(error).into())
}
