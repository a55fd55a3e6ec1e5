//! What is near a node: whatever is so many edges away, in either direction, drawn node by node.

use super::adjacency::{Adjacency, number};
use super::fold::{Items, NOT_DRAWN};
use super::graph::Graph;
use super::picture::MAX_PICTURE_ITEMS;

/// Edges that a neighbourhood may reach, at most.
pub const MAX_HOPS: u32 = 16;

/// The nodes up to `hops` edges away, the nearest first, no more than a picture takes; and how many are left out of it. Linear in
/// the graph at most.
pub(super) fn reach(graph: &Graph, into: &Adjacency, middle: u32, hops: u32) -> (Vec<u32>, u32) {
    let mut found = vec![middle];
    let mut seen = vec![false; graph.nodes().len()];
    seen[middle as usize] = true;
    let mut begin = 0;
    for _ in 0..hops {
        let end = found.len();
        for at in begin..end {
            let node = found[at];
            for next in into.of(node).iter().chain(graph.out().of(node)) {
                if !std::mem::replace(&mut seen[*next as usize], true) {
                    found.push(*next);
                }
            }
        }
        begin = end;
    }
    let left_out = found.len().saturating_sub(MAX_PICTURE_ITEMS);
    found.truncate(MAX_PICTURE_ITEMS);
    (found, number(left_out))
}

/// Each of these nodes as an item, in columns without gaps: the layers that they stand in.
pub(super) fn items(mut nodes: Vec<u32>, layers: &[u32]) -> Items {
    let layer = |node: &u32| layers[*node as usize];
    nodes.sort_unstable_by_key(|node| (layer(node), *node));
    let mut of_node = vec![NOT_DRAWN; layers.len()];
    let mut columns = Vec::with_capacity(nodes.len());
    let (mut column, mut last) = (0, nodes.first().map(layer));
    for (item, node) in (0..).zip(&nodes) {
        if last.replace(layer(node)) != Some(layer(node)) {
            column += 1;
        }
        columns.push(column);
        of_node[*node as usize] = item;
    }
    Items::new(of_node, columns)
}
