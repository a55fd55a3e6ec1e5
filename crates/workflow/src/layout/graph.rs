//! What is laid out: nodes with what folds them, and edges by number. Made from a plan, or from a document that may be broken.

use std::collections::HashMap;

use weevil_model::NodeKind;
use weevil_model::limits::MAX_NODES;

use super::adjacency::{Adjacency, number};
use crate::limits::MAX_ELEMENTS;
use crate::plan::Plan;
use crate::spec::NodeBody;

/// A node as far as its picture goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphNode {
    pub kind: NodeKind,
    /// Nodes of one layer with the same number run the same code file, and may fold into a stack; `None` where there is no
    /// code or it is not known, which counts as one file.
    pub code: Option<u32>,
}

/// Nodes in document order, known by their position, and edges between them. Anything is a graph: cycles, loops, several edges
/// between the same nodes, nodes without any.
#[derive(Debug, Clone)]
pub struct Graph {
    nodes: Vec<GraphNode>,
    out: Adjacency,
    last: Option<u32>,
}

impl Graph {
    /// `last` is the final node, which never folds. At most [`MAX_NODES`] nodes and [`MAX_ELEMENTS`] edges are kept, as many as a
    /// document may have; what is beyond them, and an edge from or to a node that is not there, is left out.
    pub fn new(
        mut nodes: Vec<GraphNode>,
        edges: impl IntoIterator<Item = (usize, usize)>,
        last: Option<usize>,
    ) -> Self {
        nodes.truncate(MAX_NODES);
        let there = |node: &usize| *node < nodes.len();
        let edges = edges.into_iter().filter(|(from, to)| there(from) && there(to)).take(MAX_ELEMENTS);
        let edges: Vec<_> = edges.map(|(from, to)| (number(from), number(to))).collect();
        let out = Adjacency::new(nodes.len(), edges.iter().copied());
        let last = last.filter(there).map(number);
        Self { nodes, out, last }
    }

    pub(super) fn nodes(&self) -> &[GraphNode] {
        &self.nodes
    }

    pub(super) fn node(&self, node: u32) -> GraphNode {
        self.nodes[node as usize]
    }

    /// For each node those that its edges lead to, in the order of the edges.
    pub(super) fn out(&self) -> &Adjacency {
        &self.out
    }

    pub(super) fn last(&self) -> Option<u32> {
        self.last
    }
}

impl From<&Plan> for Graph {
    /// A pool is one node, with its processor and reducer inside.
    fn from(plan: &Plan) -> Self {
        let mut codes = HashMap::new();
        let node = |node: &crate::PlanNode| {
            let code = match &node.body {
                NodeBody::Job(job) => {
                    let next = number(codes.len());
                    Some(*codes.entry(job.source.clone()).or_insert(next))
                }
                NodeBody::Value(_) | NodeBody::Pool { .. } => None,
            };
            GraphNode { kind: node.kind(), code }
        };
        let nodes = plan.nodes().iter().map(node).collect();
        let targets =
            plan.nodes().iter().enumerate().flat_map(|(from, node)| {
                node.outgoing.iter().map(move |outgoing| (from, outgoing.node.index()))
            });
        Self::new(nodes, targets, Some(plan.final_node().index()))
    }
}
