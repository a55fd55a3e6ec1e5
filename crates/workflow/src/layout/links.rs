//! Edges between what is drawn: those with the same ends are one link, which counts them.

use super::adjacency::{Adjacency, number};
use super::fold::{Items, NOT_DRAWN};

/// All edges from the nodes of one item to those of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    pub from: u32,
    pub to: u32,
    pub count: u32,
}

impl Link {
    /// How many columns it leads to the right; `None` for one that closes a cycle.
    pub(super) fn span(&self, columns: &[u32]) -> Option<u32> {
        let (from, to) = (columns[self.from as usize], columns[self.to as usize]);
        (to > from).then(|| to - from)
    }
}

/// Sorted by `from`, those of one item in the order of their first edges. Linear in items, nodes and edges.
pub(super) fn links(edges: &Adjacency, items: &Items) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    // For each item the link of the present source that leads to it, if it is that source's.
    let mut newest = vec![usize::MAX; items.len() as usize];
    for (from, nodes) in items.members.iter() {
        let first = links.len();
        for node in nodes.iter().flat_map(|node| edges.of(*node)) {
            let to = items.of_node[*node as usize];
            if to == NOT_DRAWN {
                continue;
            }
            let known = &mut newest[to as usize];
            if *known == usize::MAX || *known < first {
                *known = links.len();
                links.push(Link { from, to, count: 0 });
            }
            links[*known].count += 1;
        }
    }
    links
}

/// Where the links of each item begin in a list that is sorted by `from`; one more than there are items.
pub(super) fn starts(links: &[Link], items: u32) -> Vec<u32> {
    let mut starts = vec![0; items as usize + 1];
    for link in links {
        starts[link.from as usize + 1] += 1;
    }
    for item in 0..items as usize {
        starts[item + 1] += starts[item];
    }
    debug_assert_eq!(starts.last().copied(), Some(number(links.len())), "every link has its item");
    starts
}
