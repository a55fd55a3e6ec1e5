//! The third stage: a graph that a scheduler can run as it stands. Only a checked workflow becomes one.
//!
//! Every node carries what its executor needs of its neighbours (thesis 3.4.2), so that no executor has to look into
//! the graph. Its shape never changes once made; only the values that a run replaces do (see `inputs`).

use std::sync::{Arc, OnceLock};

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef as _;
use weevil_model::{ContentHash, DataType, NodeKind};

use crate::aim::Aim;
use crate::check::{Node, Workflow};
use crate::spec::{NodeBody, Port};

/// A workflow ready to run. `NodeIndex` counts the nodes in document order.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The document's file name without its extension.
    pub name: String,
    /// What volunteers are told of it.
    pub aim: Aim,
    nodes: Vec<PlanNode>,
    graph: DiGraph<(), EdgeData>,
    final_node: NodeIndex,
    codes: Vec<(ContentHash, Arc<str>)>,
    /// The nodes in the order of their ids: made for the first one that is looked up.
    by_id: OnceLock<Vec<NodeIndex>>,
}

/// A value, job or pool node with what its executor needs of its neighbours.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanNode {
    pub id: Arc<str>,
    pub body: NodeBody,
    pub return_type: DataType,
    pub ports: Arc<[Port]>,
    /// The ids from a starting node through first parents to this node, with `/` between. Unique in the plan; the
    /// server puts `/user/rootSupervisor/<run>/` before it.
    pub path: Arc<str>,
    /// The parent that comes first in the document; `None` for a starting node.
    pub supervisor: Option<NodeIndex>,
    /// The nodes whose supervisor this is, in document order.
    pub supervised: Vec<NodeIndex>,
    /// Where the result goes, in the order of the edges.
    pub outgoing: Vec<Outgoing>,
}

impl PlanNode {
    pub const fn kind(&self) -> NodeKind {
        match self.body {
            NodeBody::Value(_) => NodeKind::Value,
            NodeBody::Job(_) => NodeKind::Job,
            NodeBody::Pool { .. } => NodeKind::Pool,
        }
    }
}

/// One end of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outgoing {
    pub node: NodeIndex,
    /// Position in that node's ports.
    pub port: usize,
}

/// An edge as the node sees it at which it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Incoming {
    /// Its place among the edges of the document.
    pub place: usize,
    pub source: NodeIndex,
    /// Position in the node's ports.
    pub port: usize,
}

/// What an edge says beyond its two nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EdgeData {
    pub id: Option<String>,
    /// Position in the ports of the target.
    pub port: usize,
}

impl Plan {
    pub(crate) fn new(workflow: Workflow, document_path: &str) -> Self {
        let Workflow { aim, nodes, edges, final_node, order, supervisors } = workflow;
        let mut nodes: Vec<_> = nodes.into_iter().map(unconnected).collect();
        let mut graph = DiGraph::with_capacity(nodes.len(), edges.len());
        for _ in &nodes {
            graph.add_node(());
        }
        for edge in edges {
            let (source, dest) = (NodeIndex::new(edge.source), NodeIndex::new(edge.dest));
            nodes[edge.source].outgoing.push(Outgoing { node: dest, port: edge.port });
            graph.add_edge(source, dest, EdgeData { id: edge.id, port: edge.port });
        }
        supervise(&mut nodes, &order, &supervisors);
        let name = document_path.rsplit_once('.').map_or(document_path, |(stem, _)| stem).to_owned();
        let codes = codes_of(&nodes);
        Self {
            name,
            aim,
            nodes,
            graph,
            final_node: NodeIndex::new(final_node),
            codes,
            by_id: OnceLock::new(),
        }
    }

    /// All nodes in document order: the position is the `NodeIndex`. Processors and reducers are inside their pool.
    pub fn nodes(&self) -> &[PlanNode] {
        &self.nodes
    }

    /// # Panics
    /// On an index of another plan.
    pub fn node(&self, index: NodeIndex) -> &PlanNode {
        &self.nodes[index.index()]
    }

    /// The node with this id; `None` for a processor or reducer, which are parts of a pool. Logarithmic in the plan's
    /// size, after a first call that sorts all ids.
    pub fn find(&self, id: &str) -> Option<NodeIndex> {
        let by_id = self.by_id.get_or_init(|| {
            let mut nodes: Vec<_> = self.graph.node_indices().collect();
            nodes.sort_unstable_by_key(|node| &self.nodes[node.index()].id);
            nodes
        });
        let found = by_id.binary_search_by(|node| (*self.node(*node).id).cmp(id));
        found.ok().map(|position| by_id[position])
    }

    /// Changes what a node does; its id, type, ports and edges stay.
    pub(crate) fn set_body(&mut self, index: NodeIndex, body: NodeBody) {
        self.nodes[index.index()].body = body;
    }

    /// The node whose value is the run's result.
    pub fn final_node(&self) -> NodeIndex {
        self.final_node
    }

    /// The nodes without ports, in document order: they can go from the start.
    pub fn starts(&self) -> impl Iterator<Item = NodeIndex> {
        self.graph.node_indices().filter(|index| self.node(*index).ports.is_empty())
    }

    /// The shape: node weights are in [`Self::nodes`] at the same index.
    pub fn graph(&self) -> &DiGraph<(), EdgeData> {
        &self.graph
    }

    /// The edges that end at a node, in no order.
    pub fn incoming(&self, index: NodeIndex) -> impl Iterator<Item = Incoming> {
        self.graph.edges_directed(index, Direction::Incoming).map(|edge| Incoming {
            place: edge.id().index(),
            source: edge.source(),
            port: edge.weight().port,
        })
    }

    /// Every piece of code once, by hash, with the path of a file that holds it.
    pub fn codes(&self) -> impl Iterator<Item = (ContentHash, &str)> {
        self.codes.iter().map(|(hash, path)| (*hash, &**path))
    }
}

fn unconnected(node: Node) -> PlanNode {
    let Node { id, body, return_type, ports } = node;
    let (path, supervisor, supervised, outgoing) = (id.clone(), None, Vec::new(), Vec::new());
    PlanNode { id, body, return_type, ports, path, supervisor, supervised, outgoing }
}

/// Sets who supervises whom, and the paths that follow from it.
fn supervise(nodes: &mut [PlanNode], order: &[usize], supervisors: &[Option<usize>]) {
    for (node, supervisor) in supervisors.iter().enumerate() {
        if let Some(supervisor) = *supervisor {
            nodes[node].supervisor = Some(NodeIndex::new(supervisor));
            nodes[supervisor].supervised.push(NodeIndex::new(node));
        }
    }
    for &node in order {
        let id = &nodes[node].id;
        nodes[node].path = match supervisors[node] {
            Some(supervisor) => format!("{}/{id}", nodes[supervisor].path).into(),
            None => id.clone(),
        };
    }
}

fn codes_of(nodes: &[PlanNode]) -> Vec<(ContentHash, Arc<str>)> {
    let specs = nodes.iter().flat_map(|node| node.body.specs());
    let mut codes: Vec<_> = specs.map(|spec| (spec.code, spec.source.clone())).collect();
    codes.sort();
    codes.dedup_by_key(|(hash, _)| *hash);
    codes
}
