//! The first line of a certificate, and what its end will say: read from a run or a job.

use std::collections::HashSet;

use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::{ContentHash, NodeState, RunState, Timestamp};
use weevil_records::{JobRecord, RunInput, RunRecord, StoreError, StoredWorkflow};
use weevil_trust::Plan;
use weevil_trust::certificate::{Format, HeadLine, Hex, InputEntry, Number, PlanEntry};
use weevil_workflow::{Bundle, NodeBody};

use super::certificate::corrupt;
use super::{Certificates, digests};

pub(super) struct Head {
    pub(super) line: HeadLine,
    /// What is certified, by its id.
    pub(super) of: String,
    /// The paths of reducers.
    pub(super) reducers: HashSet<String>,
    pub(super) state: RunState,
    pub(super) result: Option<ContentHash>,
}

impl Head {
    pub(super) async fn of_run(from: &Certificates, run: RunRecord) -> Result<Self, StoreError> {
        let end = run.end.ok_or_else(|| corrupt("a run that goes on"))?;
        let stored = from.store.workflow(run.workflow).await?;
        let stored = stored.ok_or_else(|| corrupt("a run without its workflow"))?;
        let inputs = from.store.inputs(run.id).await?;
        let read = tokio::task::spawn_blocking(move || {
            let result = end.result.as_ref().map(digests::of_value).transpose();
            let result = result.map_err(|error| corrupt(&error.to_string()))?;
            Ok::<_, StoreError>((document(stored)?, entries(inputs)?, result))
        });
        let read = read.await.map_err(|error| corrupt(&error.to_string()))?;
        let ((document, reducers), inputs, result) = read?;
        let assumed = run.assumed.unwrap_or(from.assumed);
        let line = HeadLine {
            run: Some(run.id),
            workflow: Some(run.workflow),
            document: Some(document),
            seed: Some(Number::of(run.seed)),
            inputs,
            ..line(from, run.trust, assumed, (run.created_at, end.at))
        };
        let is_finished = end.state == RunState::Finished;
        let result = result.filter(|_| is_finished);
        Ok(Self { line, of: run.id.to_string(), reducers, state: end.state, result })
    }

    pub(super) async fn of_job(
        from: &Certificates,
        job: &JobRecord,
        ended: Timestamp,
    ) -> Result<Self, StoreError> {
        let facts = from.store.job_facts(&[job.id]).await?;
        let assumed = facts.first().and_then(|facts| facts.assumed).unwrap_or(from.assumed);
        let value = from.store.value(job.id).await?;
        let result = value.as_ref().map(digests::of_value).transpose();
        let result = result.map_err(|error| corrupt(&error.to_string()))?;
        let state = match (job.state, &result) {
            (_, Some(_)) => RunState::Finished,
            (NodeState::Cancelled, None) => RunState::Cancelled,
            (_, None) => RunState::Failed,
        };
        let line = line(from, Some(job.trust), assumed, (job.enqueued_at, ended));
        Ok(Self { line, of: job.id.to_string(), reducers: HashSet::new(), state, result })
    }
}

/// That of a job that stands alone.
fn line(
    from: &Certificates,
    policy: Option<Policy>,
    assumed: AssumedShare,
    (started, ended): (Timestamp, Timestamp),
) -> HeadLine {
    let plan = match policy {
        Some(Policy::Credible(error)) => Plan::new(error, assumed).ok().map(|plan| PlanEntry::of(&plan)),
        _ => None,
    };
    HeadLine {
        format: Format,
        key: Hex(from.notary.key()),
        run: None,
        workflow: None,
        document: None,
        seed: None,
        inputs: Vec::new(),
        policy,
        assumed,
        plan,
        started: started.0,
        ended: ended.0,
    }
}

/// The path of a workflow's document, and those of its reducers.
fn document(stored: StoredWorkflow) -> Result<(String, HashSet<String>), StoreError> {
    let bundle = Bundle::new(stored.files.into_iter().collect());
    let bundle = bundle.map_err(|error| corrupt(&format!("a workflow whose files are refused ({error})")))?;
    let loaded = weevil_workflow::load_accepted(&bundle, stored.checked_by);
    let plan = loaded.map_err(|_| corrupt("a workflow that this release refuses"))?.plan;
    let reducer = |node: &weevil_workflow::PlanNode| match &node.body {
        NodeBody::Pool { reducer, .. } => Some(format!("{}/{}", node.path, reducer.id)),
        _ => None,
    };
    let reducers = plan.nodes().iter().filter_map(reducer).collect();
    Ok((bundle.document_path().to_owned(), reducers))
}

fn entries(inputs: Vec<RunInput>) -> Result<Vec<InputEntry>, StoreError> {
    let entry = |(node, value)| {
        let digest = digests::of_value(&value).map_err(|error| corrupt(&error.to_string()))?;
        Ok(InputEntry { node, digest })
    };
    inputs.into_iter().map(entry).collect()
}
