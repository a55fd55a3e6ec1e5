//! A finished layout, and what may be asked of it: counts of layers, members of a stack, what is near a node, the picture.

use super::adjacency::{Adjacency, number};
use super::fold::fold;
use super::graph::Graph;
use super::layers::layers;
use super::near;
use super::picture::Picture;
use super::scene::Scene;

/// The layout of a graph. About 20 bytes for each node and 10 for each edge, and 40 for each item and link of the folded picture.
#[derive(Debug, Clone)]
pub struct Layout {
    graph: Graph,
    /// For each node those whose edges lead to it.
    into: Adjacency,
    /// For each node its layer.
    layers: Vec<u32>,
    /// How many nodes each layer has.
    counts: Vec<u32>,
    whole: Scene,
}

/// A page of a stack's nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Members<'l> {
    /// In document order.
    pub nodes: &'l [u32],
    /// Nodes of the whole stack.
    pub count: u32,
    /// There are more behind these.
    pub more: bool,
}

impl Layout {
    /// Lays a graph out. Linear in its nodes and edges, but for the sorting of layers.
    pub fn new(graph: Graph) -> Self {
        let layers = layers(&graph);
        let mut counts = vec![0; layers.iter().max().map_or(0, |last| *last as usize + 1)];
        for layer in &layers {
            counts[*layer as usize] += 1;
        }
        let whole = Scene::new(&graph, fold(&graph, &layers));
        Self { into: graph.out().reversed(), graph, layers, counts, whole }
    }

    /// Nodes of the graph, which are numbered from 0.
    pub fn nodes(&self) -> u32 {
        number(self.layers.len())
    }

    /// For each layer, from the left, how many nodes it has; at least one.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// For each node its layer. With it a caller sums states of nodes by layer.
    pub fn layer_of(&self) -> &[u32] {
        &self.layers
    }

    /// For each node the one by which its item is known: its stack's first node, or itself.
    pub fn item_of(&self) -> impl Iterator<Item = u32> {
        self.whole.items.of_node.iter().map(|item| self.whole.items.first(*item))
    }

    /// The nodes of the stack that a node is in, behind one of them where `after` names it; at most `limit`. `None` where there is
    /// no such node, where it is in no stack, and where `after` is not in the same one.
    pub fn stack(&self, node: u32, after: Option<u32>, limit: usize) -> Option<Members<'_>> {
        let item = *self.whole.items.of_node.get(node as usize)?;
        let nodes = self.whole.items.members.of(item);
        let passed = match after {
            Some(after) => nodes.binary_search(&after).ok()? + 1,
            None => 0,
        };
        let rest = &nodes[passed..];
        let page = &rest[..rest.len().min(limit)];
        let more = page.len() < rest.len();
        (nodes.len() > 1).then_some(Members { nodes: page, count: number(nodes.len()), more })
    }

    /// What is up to `hops` edges away from a node, against edges too, drawn node by node in places of its own. The nearest
    /// [`MAX_PICTURE_ITEMS`](super::MAX_PICTURE_ITEMS) nodes, and [`MAX_HOPS`](super::MAX_HOPS) edges away at most. `None` where
    /// there is no such node.
    pub fn near(&self, node: u32, hops: u32) -> Option<Picture> {
        self.layers.get(node as usize)?;
        let (nodes, left_out) = near::reach(&self.graph, &self.into, node, hops.min(near::MAX_HOPS));
        let scene = Scene::new(&self.graph, near::items(nodes, &self.layers));
        Some(scene.picture(&self.graph, &self.layers, 0, left_out))
    }

    /// The folded picture: whole, or the part of it behind the item that `after` is in. `None` where there is no such node.
    pub fn picture(&self, after: Option<u32>) -> Option<Picture> {
        let from = match after {
            Some(node) => {
                let item = self.whole.items.of_node.get(node as usize)?;
                self.whole.order.iter().position(|shown| shown == item)? + 1
            }
            None => 0,
        };
        Some(self.whole.picture(&self.graph, &self.layers, from, 0))
    }
}
