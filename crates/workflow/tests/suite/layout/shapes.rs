//! Graphs of known shapes, each node with code of its own unless the shape is about folding.

use weevil_model::NodeKind;
use weevil_workflow::layout::{Graph, GraphNode};

pub(super) type Edge = (usize, usize);

pub(super) fn job(code: u32) -> GraphNode {
    GraphNode { kind: NodeKind::Job, code: Some(code) }
}

pub(super) fn jobs(nodes: u32, edges: impl IntoIterator<Item = Edge>) -> Graph {
    Graph::new((0..nodes).map(job).collect(), edges, None)
}

/// All jobs run the same file.
pub(super) fn alike(nodes: usize, edges: impl IntoIterator<Item = Edge>, last: Option<usize>) -> Graph {
    Graph::new(vec![job(0); nodes], edges, last)
}

pub(super) fn chain(nodes: u32) -> Graph {
    jobs(nodes, (1..nodes as usize).map(|node| (node - 1, node)))
}

/// One node to all others, and from these to one more.
pub(super) fn fork_join(wide: usize) -> impl Iterator<Item = Edge> {
    (1..=wide).flat_map(move |node| [(0, node), (node, wide + 1)])
}

/// Each of so many nodes to each of as many others.
pub(super) fn all_to_all(wide: usize) -> impl Iterator<Item = Edge> {
    (0..wide).flat_map(move |from| (wide..2 * wide).map(move |to| (from, to)))
}
