//! Random layered graphs, and what a plan must say about each of them, worked out without the checker.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use weevil_model::{DataType, NodeKind};

/// What a plan says, with nodes named instead of numbered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Model {
    /// In document order.
    pub(crate) nodes: Vec<Node>,
    pub(crate) last: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) id: String,
    pub(crate) kind: NodeKind,
    pub(crate) returns: DataType,
    pub(crate) ports: Vec<(String, DataType)>,
    pub(crate) path: String,
    pub(crate) supervisor: Option<String>,
    /// Node and port, in the order of the edges.
    pub(crate) outgoing: Vec<(String, usize)>,
}

/// From node to node and port, by id.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    pub(crate) source: String,
    pub(crate) dest: String,
    pub(crate) port: usize,
}

/// Numbers of which a model is made. Any numbers make one.
#[derive(Debug, Clone)]
pub(crate) struct Sketch {
    nodes: Vec<NodeSketch>,
    last: Index,
}

#[derive(Debug, Clone)]
struct NodeSketch {
    name: String,
    kind: NodeKind,
    returns: Index,
    /// Among the nodes before it.
    parents: Vec<Index>,
    /// Where it stands in the document; where the edges into it stand.
    place: u32,
}

pub(crate) fn sketch() -> impl Strategy<Value = Sketch> {
    (vec(node_sketch(), 1..12), any::<Index>()).prop_map(|(nodes, last)| Sketch { nodes, last })
}

fn node_sketch() -> impl Strategy<Value = NodeSketch> {
    let kind = prop_oneof![Just(NodeKind::Value), Just(NodeKind::Job), Just(NodeKind::Pool)];
    let fields = ("[a-zA-Zäßπ_.:-]{0,6}", kind, any::<Index>(), vec(any::<Index>(), 0..4), any::<u32>());
    fields.prop_map(|(name, kind, returns, parents, place)| NodeSketch {
        name,
        kind,
        returns,
        parents,
        place,
    })
}

impl Sketch {
    /// The model, and its edges in document order.
    pub(crate) fn model(&self) -> (Model, Vec<Edge>) {
        let mut nodes: Vec<Node> = Vec::new();
        let mut edges = Vec::new();
        for (number, sketch) in self.nodes.iter().enumerate() {
            let (node, parents) = sketch.node(number, &nodes);
            for (port, source) in parents.into_iter().enumerate() {
                edges.push((sketch.place, Edge { source, dest: node.id.clone(), port }));
            }
            nodes.push(node);
        }
        edges.sort_by_key(|(place, edge)| (place.reverse_bits(), edge.port));
        let edges: Vec<_> = edges.into_iter().map(|(_, edge)| edge).collect();
        let order = self.document_order();
        supervise(&mut nodes, &edges, &order);
        let last = nodes[self.last.index(nodes.len())].id.clone();
        let nodes = order.into_iter().map(|number| nodes[number].clone()).collect();
        (Model { nodes, last }, edges)
    }

    fn document_order(&self) -> Vec<usize> {
        let mut order: Vec<_> = (0..self.nodes.len()).collect();
        order.sort_by_key(|number| (self.nodes[*number].place, *number));
        order
    }
}

impl NodeSketch {
    /// The node without its neighbours, and the ids of its parents, one for each port.
    fn node(&self, number: usize, before: &[Node]) -> (Node, Vec<String>) {
        let parents: Vec<_> = match self.kind {
            NodeKind::Job if !before.is_empty() => {
                self.parents.iter().map(|parent| &before[parent.index(before.len())]).collect()
            }
            NodeKind::Pool => {
                before.iter().rfind(|node| node.returns == DataType::Array).into_iter().collect()
            }
            _ => vec![],
        };
        let kind =
            if self.kind == NodeKind::Pool && parents.is_empty() { NodeKind::Value } else { self.kind };
        let types: Vec<_> = DataType::all().collect();
        let ports = parents.iter().enumerate().map(|(port, parent)| (format!("p{port}"), parent.returns));
        let node = Node {
            id: format!("{}{number}", self.name),
            kind,
            returns: types[self.returns.index(types.len())],
            ports: ports.collect(),
            path: String::new(),
            supervisor: None,
            outgoing: vec![],
        };
        (node, parents.into_iter().map(|parent| parent.id.clone()).collect())
    }
}

/// Edges lead from earlier nodes to later ones here, so a parent's path is known when it is needed.
fn supervise(nodes: &mut [Node], edges: &[Edge], order: &[usize]) {
    for number in 0..nodes.len() {
        let id = nodes[number].id.clone();
        let is_parent =
            |other: &&usize| edges.iter().any(|edge| edge.dest == id && edge.source == nodes[**other].id);
        let supervisor = order.iter().find(is_parent).map(|other| &nodes[*other]);
        let path = supervisor.map_or_else(|| id.clone(), |parent| format!("{}/{id}", parent.path));
        let supervisor = supervisor.map(|parent| parent.id.clone());
        let outgoing =
            edges.iter().filter(|edge| edge.source == id).map(|edge| (edge.dest.clone(), edge.port));
        let outgoing = outgoing.collect();
        let node = &mut nodes[number];
        (node.path, node.supervisor, node.outgoing) = (path, supervisor, outgoing);
    }
}
