//! The whole graph: its final node, its order without cycles, who supervises whom, who is of no use.

use std::collections::{HashMap, HashSet};

use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, Reversed};

use super::draft::Draft;
use super::edges::Wire;
use super::ids::{NO_SUCH_NODE, Named, Names};
use crate::codes;
use crate::document::Element;
use crate::findings::{Findings, quoted};
use crate::limits::MAX_PATH_BYTES;

/// Nodes of a cycle that a message names.
const SHOWN_IN_CYCLE: usize = 20;

pub(super) fn final_node(
    root: &Element<'_>,
    drafts: &[Draft<'_>],
    names: &Names<'_>,
    findings: &mut Findings<'_>,
) -> Option<usize> {
    let attribute = root.child("finalnode")?.attribute("id")?;
    let id = attribute.word();
    match names.node(id) {
        Some(Named::Node(node)) => Some(node),
        Some(Named::Part { pool }) => {
            let message = format!("the final node {} is a part of a pool", quoted(id));
            let help = Some(format!("name the pool, {}", quoted(drafts[pool].id())));
            findings.report(&codes::FINAL_IN_POOL, attribute.value_at.clone(), message, help);
            None
        }
        None => {
            let message = format!("the final node is {}, but no node has that id", quoted(id));
            let known = drafts.iter().map(Draft::id).filter(|known| !known.is_empty());
            let help = findings.did_you_mean(id, known).unwrap_or_else(|| NO_SUCH_NODE.to_owned());
            findings.report(&codes::UNKNOWN_FINAL, attribute.value_at.clone(), message, Some(help));
            None
        }
        Some(Named::Unknown) => None,
    }
}

fn graph_of(nodes: usize, wires: &[Wire]) -> DiGraph<(), ()> {
    let mut graph = DiGraph::with_capacity(nodes, wires.len());
    for _ in 0..nodes {
        graph.add_node(());
    }
    for Wire { edge, .. } in wires {
        graph.add_edge(NodeIndex::new(edge.source), NodeIndex::new(edge.dest), ());
    }
    graph
}

/// Every node after all that it waits for. Cycles are reported, one for each knot of nodes that wait for each other.
pub(super) fn order(drafts: &[Draft<'_>], wires: &[Wire], findings: &mut Findings<'_>) -> Option<Vec<usize>> {
    let graph = graph_of(drafts.len(), wires);
    if let Ok(order) = toposort(&graph, None) {
        return Some(order.into_iter().map(NodeIndex::index).collect());
    }
    let places: HashMap<_, _> =
        wires.iter().map(|wire| ((wire.edge.source, wire.edge.dest), &wire.at)).collect();
    // Not Tarjan's: petgraph's is recursive, and a long chain would run off the stack.
    for knot in kosaraju_scc(&graph) {
        let cycle = cycle_in(&graph, &knot);
        let closing = cycle.last().zip(cycle.first()).and_then(|(last, first)| places.get(&(*last, *first)));
        if let Some(at) = closing {
            let message = format!("these nodes wait for each other: {}", in_words(&cycle, drafts));
            let help = Some("delete an edge: a workflow runs one way".to_owned());
            findings.report(&codes::CYCLE, (*at).clone(), message, help);
        }
    }
    None
}

/// A cycle among nodes that all reach each other, from its first node in document order.
fn cycle_in(graph: &DiGraph<(), ()>, knot: &[NodeIndex]) -> Vec<usize> {
    let members: HashSet<_> = knot.iter().copied().collect();
    let mut position = HashMap::new();
    let mut walk = Vec::new();
    let mut next = knot.iter().min().copied();
    while let Some(node) = next {
        if let Some(start) = position.insert(node, walk.len()) {
            walk.drain(..start);
            let first = (0..walk.len()).min_by_key(|at| walk[*at]).unwrap_or_default();
            walk.rotate_left(first);
            return walk;
        }
        walk.push(node.index());
        next = graph.neighbors(node).find(|neighbor| members.contains(neighbor));
    }
    Vec::new()
}

fn in_words(cycle: &[usize], drafts: &[Draft<'_>]) -> String {
    let mut words: Vec<_> =
        cycle.iter().take(SHOWN_IN_CYCLE).map(|node| drafts[*node].id().to_owned()).collect();
    if cycle.len() > SHOWN_IN_CYCLE {
        words.push(format!(".. ({} more)", cycle.len() - SHOWN_IN_CYCLE));
    }
    words.extend(cycle.first().map(|node| drafts[*node].id().to_owned()));
    words.join(" -> ")
}

/// For each node the parent that comes first in the document.
pub(super) fn supervisors(nodes: usize, wires: &[Wire]) -> Vec<Option<usize>> {
    let mut supervisors: Vec<Option<usize>> = vec![None; nodes];
    for Wire { edge, .. } in wires {
        let known = supervisors[edge.dest].unwrap_or(edge.source);
        supervisors[edge.dest] = Some(known.min(edge.source));
    }
    supervisors
}

/// Whether all node paths together stay within [`MAX_PATH_BYTES`]; reported where they do not.
pub(super) fn paths_fit(
    drafts: &[Draft<'_>],
    order: &[usize],
    supervisors: &[Option<usize>],
    findings: &mut Findings<'_>,
) -> bool {
    let mut lengths = vec![0; drafts.len()];
    let mut total = 0;
    for node in order {
        let above = supervisors[*node].map_or(0, |supervisor| lengths[supervisor] + 1);
        lengths[*node] = above + drafts[*node].id().len();
        total += lengths[*node];
        if total > MAX_PATH_BYTES {
            let message = format!(
                "the chain of nodes to {} is too long: the paths of all nodes have more than {MAX_PATH_BYTES} bytes",
                quoted(drafts[*node].id())
            );
            let help = Some("use shorter ids, or a pool instead of a chain".to_owned());
            findings.report(&codes::LIMIT, findings.tag(drafts[*node].element), message, help);
            return false;
        }
    }
    true
}

/// Warns about nodes whose value the final node never gets.
pub(super) fn useless_nodes(
    drafts: &[Draft<'_>],
    wires: &[Wire],
    final_node: usize,
    findings: &mut Findings<'_>,
) {
    let graph = graph_of(drafts.len(), wires);
    let mut search = Dfs::new(Reversed(&graph), NodeIndex::new(final_node));
    let mut useful = vec![false; drafts.len()];
    while let Some(node) = search.next(Reversed(&graph)) {
        useful[node.index()] = true;
    }
    for (draft, _) in drafts.iter().zip(useful).filter(|(_, useful)| !useful) {
        let (id, last) = (quoted(draft.id()), quoted(drafts[final_node].id()));
        let message = format!("{id} does not lead to the final node {last}: its value is not used");
        let help = "delete the node, or lead it to the final node".to_owned();
        findings.report(&codes::USELESS_NODE, findings.tag(draft.element), message, Some(help));
    }
}
