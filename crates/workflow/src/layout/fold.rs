//! Which nodes are drawn as one: more than [`FOLD_ABOVE`] of one layer with one code file are a stack. Pools are one box already.

use std::collections::HashMap;

use weevil_model::NodeKind;

use super::adjacency::{Adjacency, number};
use super::graph::{Graph, GraphNode};

/// So many nodes of one layer with one code file are still drawn one by one.
pub const FOLD_ABOVE: usize = 24;

/// Stands for the item of a node that is not drawn.
pub(super) const NOT_DRAWN: u32 = u32::MAX;

/// What is drawn of a graph: items, each a node or a stack of several.
#[derive(Debug, Clone)]
pub(super) struct Items {
    /// For each node of the graph its item, or [`NOT_DRAWN`].
    pub of_node: Vec<u32>,
    /// For each item its nodes, in document order; at least one.
    pub members: Adjacency,
    /// For each item the column that it stands in, from 0 at the left. Items are in the order of their columns, those of one
    /// column in that of their first nodes.
    pub columns: Vec<u32>,
}

impl Items {
    /// From each node's item. `columns`: those of the items.
    pub(super) fn new(of_node: Vec<u32>, columns: Vec<u32>) -> Self {
        let drawn = of_node.iter().enumerate().filter(|(_, item)| **item != NOT_DRAWN);
        let members = Adjacency::new(columns.len(), drawn.map(|(node, item)| (*item, number(node))));
        Self { of_node, members, columns }
    }

    pub(super) fn len(&self) -> u32 {
        number(self.columns.len())
    }

    /// The node that an item begins with.
    pub(super) fn first(&self, item: u32) -> u32 {
        self.members.of(item)[0]
    }
}

/// What nodes of one stack have in common. `None` for a node that never folds.
type Key = (u32, NodeKind, Option<u32>);

fn key(graph: &Graph, node: u32, layer: u32) -> Option<Key> {
    let GraphNode { kind, code } = graph.node(node);
    let folds = kind != NodeKind::Pool && graph.last() != Some(node);
    folds.then_some((layer, kind, code))
}

/// The items of a whole graph, whose columns are its layers. Linear in its nodes.
pub(super) fn fold(graph: &Graph, layers: &[u32]) -> Items {
    let count = layers.iter().max().map_or(0, |last| *last as usize + 1);
    let by_layer = Adjacency::new(count, (0..).zip(layers).map(|(node, layer)| (*layer, node)));
    let mut sizes: HashMap<Key, usize> = HashMap::new();
    for key in by_layer.pairs().filter_map(|(layer, node)| key(graph, node, layer)) {
        *sizes.entry(key).or_default() += 1;
    }
    let mut stacks = HashMap::new();
    let (mut of_node, mut columns) = (vec![NOT_DRAWN; layers.len()], Vec::new());
    for (layer, node) in by_layer.pairs() {
        let next = number(columns.len());
        let stack = key(graph, node, layer).filter(|key| sizes[key] > FOLD_ABOVE);
        let item = stack.map_or(next, |key| *stacks.entry(key).or_insert(next));
        if item == next {
            columns.push(layer);
        }
        of_node[node as usize] = item;
    }
    Items::new(of_node, columns)
}
