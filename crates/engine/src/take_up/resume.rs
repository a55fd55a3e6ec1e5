//! From what is stored of a run to its start: the record, the workflow, its inputs, what earlier lives have computed.
//!
//! Reads alone. What keeps one run from going on is that run's trouble, told in words and diagnostics.

use std::sync::Arc;

use weevil_model::{Diagnostic, Encoded, RunId};
use weevil_records::{
    DiagnosticFacts, RunFailure, RunInput, RunRecord, Runs, StoreError, StoredWorkflow, Workflows,
};
use weevil_workflow::{Bundle, Plan};

use crate::runs::Earlier;

/// Why a run does not go on.
pub(super) enum Trouble {
    /// The run's own.
    Run(RunFailure),
    /// The database does not answer.
    Database(StoreError),
}

impl Trouble {
    fn run(message: impl Into<String>) -> Self {
        Self::Run(RunFailure::of_run(message.into()))
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Corrupt { .. } => Self::run(error.to_string()),
            _ => Self::Database(error),
        }
    }
}

/// What is stored of a run; what stands in for it, where that cannot be read.
///
/// # Errors
/// Where the database does not answer.
pub(super) async fn record(runs: &dyn Runs, run: RunId) -> Result<RunRecord, StoreError> {
    match runs.run(run).await {
        Ok(Some(record)) => Ok(record),
        Ok(None) => Ok(RunRecord::unread(run, "nothing".to_owned())),
        Err(StoreError::Corrupt { what }) => Ok(RunRecord::unread(run, what)),
        Err(error) => Err(error),
    }
}

/// A run is only its workflow and its jobs' results: its executors start anew and find the results again.
pub(super) async fn resume(
    runs: &dyn Runs,
    workflows: &dyn Workflows,
    record: &RunRecord,
) -> Result<(Arc<Plan>, Earlier), Trouble> {
    if let Some(unread) = &record.unread {
        return Err(Trouble::run(format!("its record cannot be read: it holds {unread}")));
    }
    let stored = workflows.workflow(record.workflow).await?;
    let stored = stored.ok_or_else(|| Trouble::run("its workflow is not stored"))?;
    let inputs = runs.inputs(record.id).await?;
    // Off the actors' thread: a large document takes a while.
    let planned = tokio::task::spawn_blocking(move || plan(stored, inputs)).await;
    let plan = planned.map_err(|error| Trouble::run(format!("it could not be planned: {error}")))??;
    Ok((Arc::new(plan), Earlier::read(runs, record.id).await?))
}

fn plan(stored: StoredWorkflow, inputs: Vec<RunInput>) -> Result<Plan, Trouble> {
    let bundle = Bundle::new(stored.files.into_iter().collect());
    let bundle = bundle.map_err(|error| Trouble::run(format!("its files are refused: {error}")))?;
    let loaded = weevil_workflow::load_accepted(&bundle, stored.checked_by);
    let mut plan = loaded.map_err(refused)?.plan;
    for (node, value) in inputs {
        let unfit = |why: String| Trouble::run(format!("its input for the node `{node}` is refused: {why}"));
        let value = Encoded::checked(value.as_bytes()).map_err(|error| unfit(error.to_string()))?;
        plan.replace_value(&node, value).map_err(|error| unfit(error.to_string()))?;
    }
    Ok(plan)
}

fn refused(found: Vec<Diagnostic>) -> Trouble {
    let mut failure = RunFailure::of_run("its workflow is refused by this release".to_owned());
    failure.diagnostics = found.into_iter().map(DiagnosticFacts::from).collect();
    Trouble::Run(failure)
}
