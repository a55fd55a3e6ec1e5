//! What a node or a run waits for: the nearest nodes that wait for something else than values.
//!
//! Walks from a node to where its open ports get their values from, nearest first. What keeps the nodes that it ends at,
//! the caller finds out of their jobs.

use std::collections::VecDeque;
use std::sync::Arc;

use weevil_model::NodeState;

use super::reason::Reason;

/// Causes that are named, of whatever there are.
pub const MAX_CAUSES: usize = 10;

/// A port without a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenPort {
    pub port: Arc<str>,
    /// Which node its value comes from: a place in document order.
    pub from: usize,
    /// The path of that node.
    pub path: Arc<str>,
}

/// A node that a chain of open ports ends at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    /// Its place in document order.
    pub node: usize,
    /// So many ports away.
    pub distance: u32,
}

/// A reason, and the node that it holds for.
#[derive(Debug, Clone, PartialEq)]
pub struct Cause {
    /// The nearest node that it holds for.
    pub leaf: Leaf,
    /// How many of those that were asked it holds for.
    pub nodes: u32,
    pub reason: Reason,
}

/// The nearest nodes that do not wait for values, and have not ended with one: at most [`MAX_CAUSES`], from this node on. A
/// node that waits for nothing is its own cause. `states` in document order; `open` names the open ports of a node.
pub fn nearest(node: usize, states: &[NodeState], open: impl Fn(usize) -> Vec<OpenPort>) -> Vec<Leaf> {
    let mut found = Vec::new();
    let mut seen = vec![false; states.len()];
    let mut ahead = VecDeque::from([Leaf { node, distance: 0 }]);
    while let Some(leaf) = ahead.pop_front()
        && found.len() < MAX_CAUSES
    {
        let (Some(state), Some(seen)) = (states.get(leaf.node), seen.get_mut(leaf.node)) else { continue };
        if std::mem::replace(seen, true) || *state == NodeState::Finished {
            continue;
        }
        let ports = if waits_for_values(*state) { open(leaf.node) } else { Vec::new() };
        if ports.is_empty() {
            found.push(leaf);
        }
        let distance = leaf.distance.saturating_add(1);
        ahead.extend(ports.into_iter().map(|port| Leaf { node: port.from, distance }));
    }
    found
}

/// The first open ports of a node; `None` where all have their values.
pub fn open_ports(mut ports: Vec<OpenPort>) -> Option<Reason> {
    if ports.is_empty() {
        return None;
    }
    let more = u32::try_from(ports.len().saturating_sub(MAX_CAUSES)).unwrap_or(u32::MAX);
    ports.truncate(MAX_CAUSES);
    Some(Reason::PortsOpen { ports, more })
}

/// The causes of a node, from the reasons of its leaves, nearest first: one that holds for several stands once, with the numbers of
/// the nearest, at most [`MAX_CAUSES`] in all. Each leaf's most telling reason comes before any leaf's second.
pub fn merge(leaves: &[(Leaf, Vec<Reason>)]) -> Vec<Cause> {
    let longest = leaves.iter().map(|(_, reasons)| reasons.len()).max().unwrap_or(0);
    let ranked = (0..longest)
        .flat_map(|rank| leaves.iter().filter_map(move |(leaf, reasons)| Some((*leaf, reasons.get(rank)?))));
    let mut causes: Vec<Cause> = Vec::new();
    for (leaf, reason) in ranked {
        match causes.iter_mut().find(|cause| is_alike(&cause.reason, reason)) {
            Some(cause) => cause.nodes = cause.nodes.saturating_add(1),
            None => causes.push(Cause { leaf, nodes: 1, reason: reason.clone() }),
        }
    }
    causes.truncate(MAX_CAUSES);
    causes
}

/// Whether two nodes stand as they do for the same reason, though jobs run for other times and have other turns.
fn is_alike(one: &Reason, other: &Reason) -> bool {
    match (one, other) {
        (Reason::Running { .. }, Reason::Running { .. }) => true,
        (Reason::AllBusy { slots, .. }, Reason::AllBusy { slots: others, .. })
        | (Reason::SlotsFree { slots, .. }, Reason::SlotsFree { slots: others, .. }) => slots == others,
        _ => one == other,
    }
}

const fn waits_for_values(state: NodeState) -> bool {
    matches!(state, NodeState::Started | NodeState::ParamNotFulfilled)
}

#[cfg(test)]
mod tests {
    use NodeState::{Cancelled, Enqueued, Failed, Finished, ParamNotFulfilled, Running, Started};

    use super::*;
    use crate::explain::Unknown;

    fn port(from: usize) -> OpenPort {
        OpenPort { port: format!("p{from}").into(), from, path: format!("v/{from}").into() }
    }

    #[test]
    fn the_nearest_nodes_that_wait_for_something_else_are_found() {
        const WAITS: NodeState = ParamNotFulfilled;
        for (case, states, edges, found) in [
            ("its own cause", vec![Enqueued], vec![], vec![(0, 0)]),
            ("one that has its value", vec![Finished], vec![], vec![]),
            ("a chain", vec![WAITS, Started, Running], vec![(0, 1), (1, 2)], vec![(2, 2)]),
            (
                "nearest first",
                vec![WAITS, WAITS, Running, Failed],
                vec![(0, 1), (1, 2), (0, 3)],
                vec![(3, 1), (2, 2)],
            ),
            (
                "a diamond counts once",
                vec![WAITS, WAITS, WAITS, Enqueued],
                vec![(0, 1), (0, 2), (1, 3), (2, 3)],
                vec![(3, 2)],
            ),
            ("what has ended is none", vec![WAITS, Finished, Cancelled], vec![(0, 1), (0, 2)], vec![(2, 1)]),
            ("a circle ends", vec![WAITS, WAITS], vec![(0, 1), (1, 0)], vec![]),
            ("a node that is not there", vec![WAITS], vec![(0, 9)], vec![]),
        ] {
            let open = |node| edges.iter().filter(|edge| edge.0 == node).map(|edge| port(edge.1)).collect();
            let leaves = nearest(0, &states, open);
            let places: Vec<_> = leaves.iter().map(|leaf| (leaf.node, leaf.distance)).collect();
            assert_eq!(places, found, "{case}");
        }
    }

    #[test]
    fn no_more_causes_than_there_may_be() {
        let states: Vec<NodeState> = [ParamNotFulfilled].into_iter().chain(vec![Enqueued; 30]).collect();
        let ports = |node: usize| if node == 0 { (1..=30).map(port).collect() } else { Vec::new() };
        assert_eq!(nearest(0, &states, ports).len(), MAX_CAUSES);
        assert_eq!(open_ports(vec![]), None);
        let found = open_ports(ports(0));
        assert_eq!(found, Some(Reason::PortsOpen { ports: (1..=10).map(port).collect(), more: 20 }));
        let copies = |attempt| Reason::Decided { attempt, failures: 1, max_attempts: 1 };
        let leaf = |at| (Leaf { node: 0, distance: at }, vec![copies(at)]);
        assert_eq!(merge(&(0..30).map(leaf).collect::<Vec<_>>()).len(), MAX_CAUSES);
    }

    #[test]
    fn jobs_that_run_or_wait_for_their_turn_are_one_reason_with_the_numbers_of_the_nearest() {
        let runs =
            |since| Reason::Running { copies: 1, since: weevil_model::Timestamp(since), progress: None };
        let busy = |slots, ahead: Option<u64>| Reason::AllBusy {
            slots,
            ahead: ahead.map(crate::explain::Ahead::of),
            rate: None,
            seconds: None,
        };
        let free = |free| Reason::SlotsFree { free, slots: 2, ahead: None };
        for (nearest, further, is_one) in [
            (runs(5), runs(7), true),
            (busy(2, Some(9)), busy(2, None), true),
            (busy(2, None), busy(3, None), false),
            (free(1), free(2), true),
            (free(1), busy(2, None), false),
            (Reason::Lot, Reason::Module, false),
        ] {
            let leaf = |node, reason: &Reason| (Leaf { node, distance: 1 }, vec![reason.clone()]);
            let merged = merge(&[leaf(0, &nearest), leaf(1, &further)]);
            assert_eq!(merged.len(), if is_one { 1 } else { 2 }, "{nearest:?} {further:?}");
            assert_eq!((&merged[0].reason, merged[0].nodes), (&nearest, if is_one { 2 } else { 1 }));
        }
    }

    #[test]
    fn a_reason_of_several_nodes_stands_once_at_the_nearest() {
        let leaf = |node, distance| Leaf { node, distance };
        let unknown = Reason::Unknown(Unknown::Attempts);
        let merged = merge(&[
            (leaf(4, 1), vec![Reason::NoWorker, unknown.clone()]),
            (leaf(5, 2), vec![Reason::NoWorker]),
            (leaf(6, 3), vec![Reason::Lot, Reason::NoWorker]),
        ]);
        let expected =
            [(leaf(4, 1), 3, Reason::NoWorker), (leaf(6, 3), 1, Reason::Lot), (leaf(4, 1), 1, unknown)];
        let expected = expected.map(|(leaf, nodes, reason)| Cause { leaf, nodes, reason });
        assert_eq!(merged, expected);
    }
}
