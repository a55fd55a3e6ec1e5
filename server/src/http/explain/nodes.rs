//! The facts about a node of a run: which ports are open, and the jobs of the nearest nodes that wait for something else.

use weevil_api::explain::ReasonView;
use weevil_model::{NodeKind, NodeState, RunId};
use weevil_queue::explain::{Cause, Leaf, OpenPort, Reason, Unknown, merge, nearest, open_ports};
use weevil_records::JobRecord;
use weevil_workflow::{NodeBody, NodeIndex, PlanNode};

use super::scene::Gathered;
use super::views::About;
use super::{jobs, runs};
use crate::http::AppState;
use crate::http::node_view::job_paths;
use crate::http::nodes::Nodes;
use crate::refusal::Refusal;

/// Elements of a pool among which one is looked for that has not ended.
const MAX_PROBED: u32 = 100;

/// Why this node stands as it does: its own ports, then what the nearest nodes wait for.
///
/// # Errors
/// The database does not tell of their jobs.
pub(super) async fn reasons(
    app: &AppState,
    gathered: &Gathered,
    nodes: &Nodes,
    node: usize,
) -> Result<Vec<ReasonView>, Refusal> {
    let about = About { run: Some(nodes.head.id), ..About::default() };
    let states = with_values(nodes);
    let waits = matches!(states[node], NodeState::Started | NodeState::ParamNotFulfilled);
    let open = if waits { open_ports(open(nodes, &states, node)) } else { None };
    let own = open.iter().map(|reason| about.view(reason, gathered.scene.now));
    let mut views: Vec<ReasonView> = own.collect();
    for cause in causes(app, gathered, nodes, &states, node).await? {
        let path = nodes.plan.nodes()[cause.leaf.node].path.to_string();
        views.push(about.view(&cause.reason, gathered.scene.now).at(path, cause.nodes));
    }
    Ok(views)
}

/// A value node is waited for by nobody, also before its run has been seen to begin.
fn with_values(nodes: &Nodes) -> Vec<NodeState> {
    let kinds = nodes.plan.nodes().iter().map(PlanNode::kind);
    let has_value = |kind, state: NodeState| kind == NodeKind::Value && state == NodeState::Started;
    let states = nodes.states().into_iter().zip(kinds);
    states.map(|(state, kind)| if has_value(kind, state) { NodeState::Finished } else { state }).collect()
}

async fn causes(
    app: &AppState,
    gathered: &Gathered,
    nodes: &Nodes,
    states: &[NodeState],
    node: usize,
) -> Result<Vec<Cause>, Refusal> {
    let mut told: Vec<(Leaf, Vec<Reason>)> = Vec::new();
    for leaf in nearest(node, states, |node| open(nodes, states, node)) {
        // How many jobs come first is counted once for all: it is told of the nearest.
        let counted = told.is_empty();
        told.push((leaf, of_leaf(app, gathered, nodes, (leaf.node, states[leaf.node]), counted).await?));
    }
    Ok(merge(&told))
}

/// The ports of a node without a value, in the order of the document.
fn open(nodes: &Nodes, states: &[NodeState], node: usize) -> Vec<OpenPort> {
    let planned = &nodes.plan.nodes()[node];
    let mut edges: Vec<_> = nodes.plan.incoming(NodeIndex::new(node)).collect();
    edges.retain(|edge| states[edge.source.index()] != NodeState::Finished);
    edges.sort_unstable_by_key(|edge| (edge.port, edge.place));
    let port = |port: usize| planned.ports.get(port).map(|port| port.id.as_ref().into());
    let named = edges.iter().filter_map(|edge| {
        let from = edge.source.index();
        Some(OpenPort { port: port(edge.port)?, from, path: nodes.plan.nodes()[from].path.clone() })
    });
    named.collect()
}

/// What keeps a node that has its values.
async fn of_leaf(
    app: &AppState,
    gathered: &Gathered,
    nodes: &Nodes,
    (node, state): (usize, NodeState),
    counted: bool,
) -> Result<Vec<Reason>, Refusal> {
    if state == NodeState::Cancelled {
        return Ok(vec![Reason::Cancelled]);
    }
    let mut paths = paths(nodes, node);
    if state == NodeState::Failed {
        paths.insert(0, runs::failed_at(app, nodes.head.id).await?);
    }
    let found = app.common.store.jobs_at(nodes.head.id, &paths).await?;
    let mut reasons = Vec::new();
    for job in representatives(found, &paths) {
        reasons.extend(of_job(app, gathered, &job, counted).await?);
    }
    if reasons.is_empty() {
        reasons.push(Reason::Unknown(Unknown::Cause));
    }
    Ok(reasons)
}

async fn of_job(
    app: &AppState,
    gathered: &Gathered,
    job: &JobRecord,
    counted: bool,
) -> Result<Vec<Reason>, Refusal> {
    let attempts = app.common.store.attempts(job.id).await?.map(|(_, attempts)| attempts);
    jobs::reasons(app, gathered, job, attempts.unwrap_or_default(), counted).await
}

/// Where the jobs are that a node may wait for: its own, and elements of a pool from about where it stands on.
fn paths(nodes: &Nodes, node: usize) -> Vec<String> {
    let planned: &PlanNode = &nodes.plan.nodes()[node];
    let mut paths = job_paths(planned);
    if let (NodeBody::Pool { processor, .. }, Some(jobs)) = (&planned.body, nodes.jobs(node)) {
        let first = jobs.done.saturating_sub(MAX_PROBED / 2);
        let element = |at: u32| format!("{}/{at}/{}", planned.path, processor.id);
        paths.extend((first..first.saturating_add(MAX_PROBED)).map(element));
    }
    paths
}

/// The jobs that speak for the others without a value: the first that failed, else the first that runs and the first that waits.
fn representatives(mut found: Vec<JobRecord>, paths: &[String]) -> Vec<JobRecord> {
    found.sort_by_key(|job| paths.iter().position(|path| *path == job.path));
    let take = |found: &mut Vec<JobRecord>, is: fn(&JobRecord) -> bool| {
        found.iter().position(is).map(|at| found.remove(at))
    };
    if let Some(failed) = take(&mut found, |job| job.state == NodeState::Failed) {
        return vec![failed];
    }
    let runs = take(&mut found, |job| !job.state.is_terminal() && job.waiting.is_none());
    let waits = take(&mut found, |job| !job.state.is_terminal() && job.waiting.is_some());
    runs.into_iter().chain(waits).collect()
}

/// Why the job at this path of a run failed; nothing where there is no such job.
pub(super) async fn at_path(
    app: &AppState,
    gathered: &Gathered,
    run: RunId,
    path: &str,
) -> Result<Vec<Reason>, Refusal> {
    match app.common.store.jobs_at(run, &[path.to_owned()]).await?.pop() {
        Some(job) => of_job(app, gathered, &job, false).await,
        None => Ok(Vec::new()),
    }
}
