//! Ids: which can be used, and what each names. Nodes, processors and reducers share one name space, ports have one
//! per node, edges one of their own (see `edges`).

use std::collections::{HashMap, HashSet};

use super::draft::{Draft, id};
use super::schema::Kind;
use crate::codes;
use crate::document::Element;
use crate::findings::{Findings, quoted};
use crate::limits::MAX_ID_CHARS;

/// What an id stands for; positions are those of the drafts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Node(usize),
    /// A processor or reducer of this pool.
    Part {
        pool: usize,
    },
    /// An element that is told to be unknown: what leads to it is not told as well.
    Unknown,
}

/// The cure for edges and final nodes whose id is near to no other.
pub(super) const NO_SUCH_NODE: &str = "use the id of a node, or add a node with this id";

#[derive(Debug)]
pub(super) struct Names<'d> {
    nodes: HashMap<&'d str, Named>,
    /// By node and id: the port's position.
    ports: HashMap<(usize, &'d str), usize>,
    /// A node has no id, which is told: any that is not found may be that one.
    nameless: bool,
    /// Nodes with such a port.
    nameless_ports: HashSet<usize>,
}

impl Names<'_> {
    pub(super) fn node(&self, id: &str) -> Option<Named> {
        self.nodes.get(id).copied().or_else(|| self.nameless.then_some(Named::Unknown))
    }

    pub(super) fn port(&self, node: usize, id: &str) -> Option<usize> {
        self.ports.get(&(node, id)).copied()
    }

    pub(super) fn has_nameless_port(&self, node: usize) -> bool {
        self.nameless_ports.contains(&node)
    }
}

/// Reports ids that cannot be used or are used twice; the first use of each counts.
pub(super) fn index<'d>(
    root: &'d Element<'_>,
    drafts: &[Draft<'d>],
    findings: &mut Findings<'_>,
) -> Names<'d> {
    let elements = || root.child("nodes").into_iter().flat_map(|nodes| &nodes.children);
    let nameless = elements().any(|element| element.attribute("id").is_none());
    let unknown = elements().filter(|element| Kind::find(element.name).is_none());
    let mut nodes: HashMap<_, _> = unknown.map(|element| (id(element), Named::Unknown)).collect();
    let (mut ports, mut nameless_ports) = (HashMap::new(), HashSet::new());
    let mut uses = Uses::default();
    for (at, draft) in drafts.iter().enumerate() {
        if uses.first_use(draft.element, findings) {
            nodes.insert(id(draft.element), Named::Node(at));
        }
        if draft.ports.iter().any(|port| port.element.attribute("id").is_none()) {
            nameless_ports.insert(at);
        }
        let mut port_uses = Uses::default();
        for (port, parameter) in draft.ports.iter().enumerate() {
            if port_uses.first_use(parameter.element, findings) {
                ports.insert((at, id(parameter.element)), port);
            }
        }
        for part in
            draft.element.children.iter().filter(|child| matches!(child.name, "processor" | "reducer"))
        {
            if uses.first_use(part, findings) {
                nodes.insert(id(part), Named::Part { pool: at });
            }
            part_ports(part, findings);
        }
    }
    Names { nodes, ports, nameless, nameless_ports }
}

fn part_ports(part: &Element<'_>, findings: &mut Findings<'_>) {
    let mut uses = Uses::default();
    for parameter in part.child("parameters").into_iter().flat_map(|parameters| &parameters.children) {
        uses.first_use(parameter, findings);
    }
}

/// The ids of one name space and where each was first used.
#[derive(Default)]
pub(super) struct Uses<'d>(HashMap<&'d str, usize>);

impl<'d> Uses<'d> {
    /// True for an element whose id was not used before. An id that cannot be used still names it: what leads there
    /// means it.
    pub(super) fn first_use(&mut self, element: &'d Element<'_>, findings: &mut Findings<'_>) -> bool {
        let Some(attribute) = element.attribute("id") else { return false };
        let (id, at) = (attribute.word(), attribute.value_at.clone());
        let first = *self.0.entry(id).or_insert(attribute.at);
        let is_first = first == attribute.at;
        if let Some(problem) = problem(id) {
            let help = Some("use letters, digits, `_` and `-`".to_owned());
            findings.report(&codes::BAD_ID, at, problem, help);
        } else if !is_first {
            let line = findings.line(first);
            let message = format!("the id {} is used twice, first in line {line}", quoted(id));
            let help = Some("give each its own id".to_owned());
            findings.report(&codes::DUPLICATE_ID, at, message, help);
        }
        is_first
    }
}

/// What keeps an id from being used. Ids are parts of node paths, so a slash would change what a path means.
pub(super) fn problem(id: &str) -> Option<String> {
    if id.is_empty() {
        Some("the id is empty".to_owned())
    } else if id.chars().count() > MAX_ID_CHARS {
        Some(format!("the id {} has more than {MAX_ID_CHARS} characters", quoted(id)))
    } else {
        let letter = id.chars().find(|c| *c == '/' || c.is_whitespace() || c.is_control())?;
        Some(format!("the id {} has {letter:?} in it", quoted(id)))
    }
}
