//! Ids: which can be used, and what each names. Nodes, processors and reducers share one name space, ports have one
//! per node, edges one of their own (see `edges`).

use std::collections::HashMap;

use super::nodes::{Draft, id};
use crate::codes;
use crate::document::{Attribute, Element};
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
}

#[derive(Debug)]
pub(super) struct Names<'d> {
    pub(super) nodes: HashMap<&'d str, Named>,
    /// By node and id: the port's position.
    pub(super) ports: HashMap<(usize, &'d str), usize>,
}

/// Reports ids that cannot be used or are used twice; the first use of each counts.
pub(super) fn index<'d>(drafts: &[Draft<'d>], findings: &mut Findings<'_>) -> Names<'d> {
    let mut nodes = HashMap::new();
    let mut ports = HashMap::new();
    let mut uses = Uses::default();
    for (at, draft) in drafts.iter().enumerate() {
        if uses.first_use(draft.element, findings) {
            nodes.insert(id(draft.element), Named::Node(at));
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
    Names { nodes, ports }
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
    /// True for an element whose id can be used and was not used before.
    pub(super) fn first_use(&mut self, element: &'d Element<'_>, findings: &mut Findings<'_>) -> bool {
        let Some(attribute) = element.attribute("id") else { return false };
        if !usable(attribute, findings) {
            return false;
        }
        let Some(first) = self.0.insert(attribute.word(), attribute.at) else { return true };
        self.0.insert(attribute.word(), first);
        let line = findings.line(first);
        let message = format!("the id {} is used twice, first in line {line}", quoted(attribute.word()));
        let help = Some("give each its own id".to_owned());
        findings.report(&codes::DUPLICATE_ID, attribute.value_at.clone(), message, help);
        false
    }
}

/// Ids are parts of node paths, so a slash would change what a path means.
fn usable(attribute: &Attribute<'_>, findings: &mut Findings<'_>) -> bool {
    let id = attribute.word();
    let problem = if id.is_empty() {
        "the id is empty".to_owned()
    } else if id.chars().count() > MAX_ID_CHARS {
        format!("the id {} has more than {MAX_ID_CHARS} characters", quoted(id))
    } else if let Some(letter) = id.chars().find(|c| *c == '/' || c.is_whitespace() || c.is_control()) {
        format!("the id {} has {letter:?} in it", quoted(id))
    } else {
        return true;
    };
    let help = Some("use letters, digits, `_` and `-`".to_owned());
    findings.report(&codes::BAD_ID, attribute.value_at.clone(), problem, help);
    false
}
