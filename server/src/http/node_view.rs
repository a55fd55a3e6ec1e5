//! One node as people look at it: made of its plan, of how it stands, and of the jobs that stand for it.
//!
//! Reads nothing itself.

use std::ops::Range;

use weevil_api::{NodeDetail, PortView, WorkView};
use weevil_model::NodeKind;
use weevil_records::JobRecord;
use weevil_workflow::{JobSpec, NodeBody, NodeIndex, PlanNode};

use super::nodes::Nodes;

/// Neighbours of a node that are named; the others are only counted.
const MAX_NAMED: usize = 100;

/// Where the jobs of a node are that are its own: of a pool the reducer's, whose processors are listed.
pub(super) fn job_paths(node: &PlanNode) -> Vec<String> {
    own_work(node).into_iter().map(|(path, ..)| path).collect()
}

/// Where all jobs of a node are that has so many elements: those whose places are asked for, and how many there are in all. The
/// reducer's comes last.
pub(super) fn all_job_paths(node: &PlanNode, elements: u32, asked: Range<u32>) -> (Vec<String>, u32) {
    let own = job_paths(node);
    let elements = if let NodeBody::Pool { .. } = node.body { elements } else { 0 };
    let count = elements.saturating_add(u32::try_from(own.len()).unwrap_or(u32::MAX));
    let path = |place: u32| match &node.body {
        NodeBody::Pool { processor, .. } if place < elements => {
            Some(format!("{}/{place}/{}", node.path, processor.id))
        }
        _ => own.get(place.checked_sub(elements)? as usize).cloned(),
    };
    ((asked.start..asked.end.min(count)).filter_map(path).collect(), count)
}

/// What is computed for a node, with the path of the one job that does it; a processor has no such path.
fn own_work(node: &PlanNode) -> Vec<(String, NodeKind, &JobSpec)> {
    match &node.body {
        NodeBody::Value(_) => Vec::new(),
        NodeBody::Job(job) => vec![(node.path.to_string(), NodeKind::Job, job)],
        NodeBody::Pool { reducer, .. } => {
            vec![(format!("{}/{}", node.path, reducer.id), NodeKind::Reducer, reducer)]
        }
    }
}

/// `jobs` are those at [`job_paths`], as far as there are any yet.
pub(super) fn detail(nodes: &Nodes, index: NodeIndex, jobs: &[JobRecord]) -> NodeDetail {
    let node = nodes.plan.node(index);
    let targets = node.outgoing.iter().take(MAX_NAMED);
    NodeDetail {
        run: nodes.head.id.to_string(),
        workflow: nodes.head.workflow.to_string(),
        node: nodes.row(index.index(), node),
        path: format!("/user/rootSupervisor/{}/{}", nodes.head.id, node.path),
        return_type: node.return_type.name().to_owned(),
        is_final: nodes.plan.final_node() == index,
        ports: ports(nodes, index),
        targets: targets.map(|edge| nodes.plan.node(edge.node).id.to_string()).collect(),
        target_count: count(node.outgoing.len()),
        work: work(node, jobs, nodes),
    }
}

fn ports(nodes: &Nodes, index: NodeIndex) -> Vec<PortView> {
    let node = nodes.plan.node(index);
    let mut incoming: Vec<Vec<(usize, NodeIndex)>> = vec![Vec::new(); node.ports.len()];
    for edge in nodes.plan.incoming(index) {
        if let Some(sources) = incoming.get_mut(edge.port) {
            sources.push((edge.place, edge.source));
        }
    }
    let port = |(port, mut sources): (&weevil_workflow::Port, Vec<(usize, NodeIndex)>)| {
        sources.sort_unstable();
        let named = sources.iter().take(MAX_NAMED);
        PortView {
            id: port.id.to_string(),
            data_type: port.data_type.name().to_owned(),
            source_count: count(sources.len()),
            sources: named.map(|(_, source)| nodes.plan.node(*source).id.to_string()).collect(),
        }
    };
    node.ports.iter().zip(incoming).map(port).collect()
}

fn work(node: &PlanNode, jobs: &[JobRecord], nodes: &Nodes) -> Vec<WorkView> {
    let processor = match &node.body {
        NodeBody::Pool { processor, .. } => Some(view(NodeKind::Processor, processor, None, nodes)),
        NodeBody::Value(_) | NodeBody::Job(_) => None,
    };
    let own = own_work(node).into_iter().map(|(path, kind, spec)| {
        let job = jobs.iter().find(|job| job.path == path);
        view(kind, spec, job, nodes)
    });
    processor.into_iter().chain(own).collect()
}

fn view(kind: NodeKind, spec: &JobSpec, job: Option<&JobRecord>, nodes: &Nodes) -> WorkView {
    let policy = Some(nodes.policy(spec)).filter(|policy| policy.is_judged());
    WorkView {
        id: spec.id.to_string(),
        kind,
        job_type: spec.job_type,
        source: spec.source.to_string(),
        code: spec.code.to_string(),
        return_type: spec.return_type.name().to_owned(),
        priority: spec.priority,
        timeout_seconds: spec.timeout_seconds,
        max_attempts: spec.attempts,
        trust: policy.map(|policy| policy.to_string()),
        job: job.map(|job| job.id.to_string()),
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
