//! Document to checked workflow: every rule of the language that needs no execution.
//!
//! The steps go from the single element to the whole graph; each reports what it finds and the next one goes on with
//! what is sound or plainly meant, so that one mistake is told once. Never builds the plan.

mod aim;
mod code;
mod edges;
mod graph;
mod ids;
mod json;
mod kernel_job;
mod kernel_ports;
mod literals;
mod meant;
mod mend;
mod module;
mod nodes;
mod numbers;
mod pools;
mod ports;
mod schema;
mod sources;
mod structure;
mod typed;

use std::sync::Arc;

use weevil_model::DataType;

pub(crate) use json::{Unfit, read as read_file};
pub(crate) use literals::parse as read_literal;
pub(crate) use module::told as told_of_module;
pub(crate) use schema::{KINDS, Kind};

use crate::aim::Aim;
use crate::bundle::Bundle;
use crate::document::Document;
use crate::findings::Findings;
use crate::kernel::KernelCheck;
use crate::plan::{NodeBody, Port};

/// The second stage: all names resolved, all types agreed, no cycle.
#[derive(Debug)]
pub(crate) struct Workflow {
    pub(crate) aim: Aim,
    /// In document order.
    pub(crate) nodes: Vec<Node>,
    /// In document order.
    pub(crate) edges: Vec<Edge>,
    /// Positions in `nodes`, as everywhere below.
    pub(crate) final_node: usize,
    /// Every node after all that it waits for.
    pub(crate) order: Vec<usize>,
    /// The first parent in document order (thesis 3.4.2, assigning supervisor nodes).
    pub(crate) supervisors: Vec<Option<usize>>,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) id: Arc<str>,
    pub(crate) body: NodeBody,
    pub(crate) return_type: DataType,
    pub(crate) ports: Arc<[Port]>,
}

#[derive(Debug)]
pub(crate) struct Edge {
    pub(crate) id: Option<String>,
    pub(crate) source: usize,
    pub(crate) dest: usize,
    /// Position in the ports of `dest`.
    pub(crate) port: usize,
}

/// The workflow, if no rule is broken.
pub(crate) fn check(
    document: &Document<'_>,
    bundle: &Bundle,
    kernels: Option<KernelCheck<'_>>,
    findings: &mut Findings<'_>,
) -> Option<Workflow> {
    structure::check(&document.root, findings)?;
    let mended = (findings.has_errors() && !findings.is_full()).then(|| mend::mended(&document.root));
    let root = mended.as_ref().unwrap_or(&document.root);
    let aim = aim::read(root, findings);
    let drafts = nodes::read(root, bundle, kernels, findings)?;
    let names = ids::index(root, &drafts, findings);
    let edges = edges::read(root, &drafts, &names, findings);
    let final_node = graph::final_node(root, &drafts, &names, findings);
    let order = graph::order(&drafts, &edges, findings);
    let supervisors = graph::supervisors(drafts.len(), &edges);
    let (final_node, order) = (final_node?, order?);
    if findings.has_errors() || !graph::paths_fit(&drafts, &order, &supervisors, findings) {
        return None;
    }
    graph::useless_nodes(&drafts, &edges, final_node, findings);
    let nodes = drafts.into_iter().map(nodes::Draft::finish).collect::<Option<_>>()?;
    let edges = edges.into_iter().map(|wire| wire.edge).collect();
    Some(Workflow { aim, nodes, edges, final_node, order, supervisors })
}
