//! Which layer a node stands in: right of everything that it waits for. Edges that close a cycle lead back, all others right.

use super::adjacency::{Adjacency, number};
use super::graph::Graph;

/// What a walk knows of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Not,
    /// The walk stands behind it.
    Open,
    Done,
}

/// For each node its layer, from 0 at the left; no layer is empty. An edge whose target is not right of its source is one that
/// closes a cycle. Linear in nodes and edges.
pub fn layers(graph: &Graph) -> Vec<u32> {
    let forward = without_cycles(graph);
    let waits = incoming(&forward);
    let mut layers = longest_paths(&forward, waits.clone());
    // A value stands beside what takes it, not at the far left.
    for (node, targets) in forward.iter().filter(|(node, _)| waits[*node as usize] == 0) {
        if let Some(first) = targets.iter().map(|target| layers[*target as usize]).min() {
            layers[node as usize] = first - 1;
        }
    }
    layers
}

/// How many edges lead to each node.
fn incoming(edges: &Adjacency) -> Vec<u32> {
    let mut counts = vec![0; edges.lists() as usize];
    for (_, target) in edges.pairs() {
        counts[target as usize] += 1;
    }
    counts
}

/// The edges but for those that close a cycle, seen from the nodes that wait for nothing, then in document order.
fn without_cycles(graph: &Graph) -> Adjacency {
    let nodes = graph.out().lists();
    let waits = incoming(graph.out());
    let starts = (0..nodes).filter(|node| waits[*node as usize] == 0);
    let mut seen = vec![Seen::Not; nodes as usize];
    let mut kept = Vec::new();
    for root in starts.chain(0..nodes) {
        walk(root, graph.out(), &mut seen, &mut kept);
    }
    Adjacency::new(nodes as usize, kept.iter().copied())
}

/// Keeps each edge in reach that does not lead back to where the walk has come through. The stack is a vector: chains are long.
fn walk(root: u32, edges: &Adjacency, seen: &mut [Seen], kept: &mut Vec<(u32, u32)>) {
    if seen[root as usize] != Seen::Not {
        return;
    }
    seen[root as usize] = Seen::Open;
    let mut stack = vec![(root, edges.of(root))];
    while let Some((node, rest)) = stack.last_mut() {
        let node = *node;
        let Some((target, later)) = rest.split_first() else {
            seen[node as usize] = Seen::Done;
            stack.pop();
            continue;
        };
        *rest = later;
        match seen[*target as usize] {
            Seen::Open => {}
            Seen::Done => kept.push((node, *target)),
            Seen::Not => {
                kept.push((node, *target));
                seen[*target as usize] = Seen::Open;
                stack.push((*target, edges.of(*target)));
            }
        }
    }
}

/// For each node the number of edges on the longest way to it. `waits`: how many edges lead to each node.
fn longest_paths(forward: &Adjacency, mut waits: Vec<u32>) -> Vec<u32> {
    let mut layers = vec![0; waits.len()];
    let mut ready: Vec<u32> = (0..number(waits.len())).filter(|node| waits[*node as usize] == 0).collect();
    while let Some(node) = ready.pop() {
        for target in forward.of(node).iter().map(|target| *target as usize) {
            layers[target] = layers[target].max(layers[node as usize] + 1);
            waits[target] -= 1;
            if waits[target] == 0 {
                ready.push(number(target));
            }
        }
    }
    layers
}

#[cfg(test)]
mod tests {
    use weevil_model::NodeKind;

    use super::super::graph::GraphNode;
    use super::*;

    fn of(nodes: usize, edges: &[(usize, usize)]) -> Vec<u32> {
        let node = GraphNode { kind: NodeKind::Job, code: None };
        layers(&Graph::new(vec![node; nodes], edges.iter().copied(), None))
    }

    #[test]
    fn a_node_stands_right_of_all_that_it_waits_for() {
        for (name, nodes, edges, expected) in [
            ("nothing", 0, &[][..], &[][..]),
            ("nodes alone", 2, &[], &[0, 0]),
            ("a chain", 3, &[(0, 1), (1, 2)], &[0, 1, 2]),
            ("a chain from the end of the document", 3, &[(2, 1), (1, 0)], &[2, 1, 0]),
            ("a diamond with a long side", 5, &[(0, 1), (1, 2), (2, 4), (0, 3), (3, 4)], &[0, 1, 2, 1, 3]),
            ("a late value", 4, &[(0, 1), (1, 2), (3, 2)], &[0, 1, 2, 1]),
            ("two edges between the same", 2, &[(0, 1), (0, 1)], &[0, 1]),
            ("a loop", 2, &[(0, 0), (0, 1)], &[0, 1]),
            ("a cycle", 3, &[(0, 1), (1, 2), (2, 0)], &[0, 1, 2]),
            ("a cycle that is led into", 4, &[(3, 1), (0, 1), (1, 2), (2, 0)], &[3, 1, 2, 0]),
            ("edges to nowhere", 2, &[(0, 1), (0, 2), (7, 1)], &[0, 1]),
        ] {
            assert_eq!(of(nodes, edges), expected, "{name}");
        }
    }

    #[test]
    fn the_longest_chain_takes_no_stack() {
        let nodes = weevil_model::limits::MAX_NODES;
        let chain: Vec<_> = (1..nodes).map(|node| (node - 1, node)).collect();
        assert_eq!(of(nodes, &chain).last(), Some(&(number(nodes) - 1)));
        let cycle: Vec<_> = chain.iter().copied().chain([(nodes - 1, 0)]).collect();
        assert_eq!(of(nodes, &cycle), of(nodes, &chain));
    }
}
