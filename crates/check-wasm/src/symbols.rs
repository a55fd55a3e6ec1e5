//! What a document names, as far as it can be read: nodes with their ports and parts, edges between them, the final node.
//!
//! From start tags alone, so that a document in the middle of an edit still has nodes. The first node of an id is the one that is meant.

use std::collections::HashMap;

use weevil_model::NodeKind;

use crate::scan::{Attribute, Tag, scan};

/// The nodes and edges of a text, by the positions of their tags.
pub(crate) struct Symbols<'t> {
    pub(crate) tags: Vec<Tag<'t>>,
    pub(crate) nodes: Vec<Node>,
    /// Tags of edges.
    pub(crate) edges: Vec<usize>,
    /// The tag `finalnode`.
    pub(crate) last: Option<usize>,
    /// Positions of nodes by their ids.
    by_id: HashMap<String, usize>,
}

/// A value, a job or a pool, or one of a pool's two parts.
pub(crate) struct Node {
    pub(crate) tag: usize,
    pub(crate) kind: NodeKind,
    /// Tags of its parameters.
    pub(crate) ports: Vec<usize>,
    /// Processor and reducer of a pool.
    pub(crate) parts: Vec<Part>,
}

pub(crate) struct Part {
    pub(crate) tag: usize,
    /// Tags of its parameters.
    pub(crate) ports: Vec<usize>,
}

fn kind_of(name: &str) -> Option<NodeKind> {
    match name {
        "value" => Some(NodeKind::Value),
        "job" => Some(NodeKind::Job),
        "pool" => Some(NodeKind::Pool),
        _ => None,
    }
}

impl<'t> Symbols<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let tags = scan(text);
        let mut symbols = Self {
            tags: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            last: None,
            by_id: HashMap::new(),
        };
        for (at, tag) in tags.iter().enumerate() {
            symbols.take(&tags, at, tag);
        }
        symbols.tags = tags;
        symbols
    }

    fn take(&mut self, tags: &[Tag<'_>], at: usize, tag: &Tag<'_>) {
        if let Some(kind) = kind_of(tag.name) {
            let next = self.nodes.len();
            self.by_id.entry(tag.word("id").to_owned()).or_insert(next);
            self.nodes.push(Node { tag: at, kind, ports: Vec::new(), parts: Vec::new() });
            return;
        }
        match tag.name {
            "processor" | "reducer" => {
                if let Some(node) = self.nodes.last_mut().filter(|node| Some(node.tag) == tag.parent) {
                    node.parts.push(Part { tag: at, ports: Vec::new() });
                }
            }
            "parameter" => self.port(tags, at, tag),
            "edge" => self.edges.push(at),
            "finalnode" => self.last = self.last.or(Some(at)),
            _ => {}
        }
    }

    /// A port of the last node or part, where it stands in its `parameters`.
    fn port(&mut self, tags: &[Tag<'_>], at: usize, tag: &Tag<'_>) {
        let Some(owner) = tag.parent.and_then(|parameters| tags[parameters].parent) else { return };
        let Some(node) = self.nodes.last_mut() else { return };
        if node.tag == owner {
            node.ports.push(at);
        } else if let Some(part) = node.parts.iter_mut().find(|part| part.tag == owner) {
            part.ports.push(at);
        }
    }

    /// Position of the node with this id; nothing for an empty one.
    pub(crate) fn find(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied().filter(|_| !id.is_empty())
    }

    pub(crate) fn tag(&self, node: &Node) -> &Tag<'t> {
        &self.tags[node.tag]
    }

    /// The nodes that an edge leads from and to, as far as they are known.
    pub(crate) fn ends(&self, edge: usize) -> (Option<usize>, Option<usize>) {
        let tag = &self.tags[edge];
        (self.find(tag.word("source")), self.find(tag.word("dest")))
    }

    /// The attributes that name a node, with its position.
    pub(crate) fn uses(&self) -> impl Iterator<Item = (usize, &Attribute<'t>)> {
        let ends = self.edges.iter().flat_map(|edge| {
            let tag = &self.tags[*edge];
            ["source", "dest"].into_iter().filter_map(|end| attribute(tag, end))
        });
        let last = self.last.and_then(|last| attribute(&self.tags[last], "id"));
        ends.chain(last).filter_map(|found| Some((self.find(found.word())?, found)))
    }
}

fn attribute<'a, 't>(tag: &'a Tag<'t>, name: &str) -> Option<&'a Attribute<'t>> {
    tag.attributes.iter().find(|attribute| attribute.name == name)
}
