//! Edges: both ends found, each port fed exactly once, the types of both ends the same.

use std::collections::HashSet;
use std::ops::Range;

use weevil_model::NodeKind;

use super::checked::Edge;
use super::draft::Draft;
use super::ids::{NO_SUCH_NODE, Named, Names, Uses};
use crate::codes::{self, Code};
use crate::document::{Attribute, Element};
use crate::findings::{Findings, quoted};

/// An edge whose ends are known, and where it stands.
#[derive(Debug)]
pub(super) struct Wire {
    pub(super) edge: Edge,
    pub(super) at: Range<usize>,
}

pub(super) fn read(
    root: &Element<'_>,
    drafts: &[Draft<'_>],
    names: &Names<'_>,
    findings: &mut Findings<'_>,
) -> Vec<Wire> {
    let fed = drafts.iter().map(|draft| vec![None; draft.ports.len()]).collect();
    let mut reader = Reader { drafts, names, findings, fed, doubtful: HashSet::new(), lost: 0 };
    let elements = root.child("edges").into_iter().flat_map(|edges| &edges.children);
    let mut ids = Uses::default();
    let mut wires = Vec::new();
    for element in elements {
        if element.name == "edge" {
            ids.first_use(element, reader.findings);
            wires.extend(reader.edge(element));
        } else {
            reader.lost += 1;
        }
    }
    reader.ports_without_edge();
    wires
}

struct Reader<'c, 'd, 't> {
    drafts: &'c [Draft<'d>],
    names: &'c Names<'d>,
    findings: &'c mut Findings<'t>,
    /// By node and port: where the edge to it stands.
    fed: Vec<Vec<Option<usize>>>,
    /// Nodes that a broken edge leads to or was meant to: their open ports are not told as well.
    doubtful: HashSet<usize>,
    /// Broken edges that may have been meant for any node.
    lost: usize,
}

impl Reader<'_, '_, '_> {
    fn edge(&mut self, element: &Element<'_>) -> Option<Wire> {
        let source = element.attribute("source").and_then(|end| self.end(end, &codes::UNKNOWN_SOURCE));
        let Some(dest) = self.dest(element) else {
            self.lost += 1;
            return None;
        };
        let Some(port) = self.port(element, dest) else {
            self.doubtful.insert(dest);
            return None;
        };
        self.feed(element, dest, port);
        let source = source?;
        self.same_type(element, source, dest, port);
        let id = element.attribute("id").map(|id| id.word().to_owned());
        Some(Wire { edge: Edge { id, source, dest, port }, at: self.findings.tag(element) })
    }

    fn dest(&mut self, element: &Element<'_>) -> Option<usize> {
        element.attribute("dest").and_then(|end| self.end(end, &codes::UNKNOWN_DEST))
    }

    /// The node at one end.
    fn end(&mut self, attribute: &Attribute<'_>, unknown: &'static Code) -> Option<usize> {
        let id = attribute.word();
        match self.names.node(id) {
            Some(Named::Node(node)) => Some(node),
            Some(Named::Part { pool }) => {
                let message = format!("{} is a part of a pool, where no edge can end or begin", quoted(id));
                let help = Some(format!("use the pool's id, {}", quoted(self.drafts[pool].id())));
                self.findings.report(&codes::EDGE_AT_POOL_PART, attribute.value_at.clone(), message, help);
                self.doubtful.insert(pool);
                None
            }
            Some(Named::Unknown) => None,
            None => {
                let known = self.drafts.iter().map(Draft::id).filter(|known| !known.is_empty());
                let meant = self.findings.nearest(id, known);
                if let Some(Named::Node(node)) = meant.and_then(|meant| self.names.node(meant)) {
                    self.doubtful.insert(node);
                }
                let message = format!("no node has the id {}", quoted(id));
                let help =
                    meant.map_or_else(|| NO_SUCH_NODE.to_owned(), |meant| format!("did you mean `{meant}`?"));
                self.findings.report(unknown, attribute.value_at.clone(), message, Some(help));
                None
            }
        }
    }

    fn port(&mut self, element: &Element<'_>, dest: usize) -> Option<usize> {
        let draft = &self.drafts[dest];
        if draft.kind == NodeKind::Value {
            let message = format!("{} is a value, into which no edge can lead", quoted(draft.id()));
            let at = self.findings.value_of(element, "dest");
            let help = "delete the edge, or lead it to another node".to_owned();
            self.findings.report(&codes::EDGE_INTO_VALUE, at, message, Some(help));
            return None;
        }
        match element.attribute("paramdest") {
            Some(attribute) => self.named_port(attribute, dest),
            None => self.only_port(element, dest),
        }
    }

    fn named_port(&mut self, attribute: &Attribute<'_>, dest: usize) -> Option<usize> {
        let id = attribute.word();
        let known = self.names.port(dest, id);
        if known.is_none() && !self.names.has_nameless_port(dest) {
            let ports = &self.drafts[dest].ports;
            let message = format!("{} has no port {}", quoted(self.drafts[dest].id()), quoted(id));
            let help = self
                .findings
                .did_you_mean(id, ports.iter().map(super::draft::PortDraft::id))
                .unwrap_or_else(|| self.port_list(dest));
            self.findings.report(&codes::UNKNOWN_PORT, attribute.value_at.clone(), message, Some(help));
        }
        known
    }

    fn only_port(&mut self, element: &Element<'_>, dest: usize) -> Option<usize> {
        let count = self.drafts[dest].ports.len();
        if count == 1 {
            return Some(0);
        }
        let id = quoted(self.drafts[dest].id());
        let (code, message) = if count == 0 {
            (&codes::UNKNOWN_PORT, format!("{id} has no port that an edge could feed"))
        } else {
            (
                &codes::AMBIGUOUS_PORT,
                format!("{id} has {count} ports, and the edge does not say which it feeds"),
            )
        };
        let help = if count == 0 {
            "add a `<parameter>` to the node".to_owned()
        } else {
            format!("add `paramdest=\"..\"`; {}", self.port_list(dest))
        };
        self.findings.report(code, self.findings.tag(element), message, Some(help));
        None
    }

    fn port_list(&self, dest: usize) -> String {
        const SHOWN: usize = 8;
        let ports = &self.drafts[dest].ports;
        let shown: Vec<_> = ports.iter().take(SHOWN).map(|port| quoted(port.id())).collect();
        let more = if ports.len() > SHOWN { ", .." } else { "" };
        match shown.len() {
            0 => "it has no ports".to_owned(),
            _ => format!("its ports are {}{more}", shown.join(", ")),
        }
    }

    fn feed(&mut self, element: &Element<'_>, dest: usize, port: usize) {
        let Some(first) = self.fed[dest][port].replace(element.at) else { return };
        self.fed[dest][port] = Some(first);
        let draft = &self.drafts[dest];
        let message = format!(
            "a second edge leads to the port {} of {}; the first stands in line {}",
            quoted(draft.ports[port].id()),
            quoted(draft.id()),
            self.findings.line(first),
        );
        let help = Some("a port takes one value: delete one edge, or feed another port".to_owned());
        self.findings.report(&codes::PORT_FED_TWICE, self.findings.tag(element), message, help);
    }

    fn same_type(&mut self, element: &Element<'_>, source: usize, dest: usize, port: usize) {
        let (from, to) = (&self.drafts[source], &self.drafts[dest]);
        let port = &to.ports[port];
        if let (Some(returns), Some(takes)) = (from.returns, port.data_type)
            && returns != takes
        {
            let (from, to, port) = (quoted(from.id()), quoted(to.id()), quoted(port.id()));
            let message = format!("{from} returns {returns}, but the port {port} of {to} takes {takes}");
            let help = format!("let {from} return {takes}, or {port} take {returns}");
            self.findings.report(&codes::TYPE_MISMATCH, self.findings.tag(element), message, Some(help));
        }
    }

    fn ports_without_edge(&mut self) {
        let certain = self.drafts.iter().zip(&self.fed).enumerate();
        let certain = certain.filter(|(node, _)| !self.doubtful.contains(node));
        let ports =
            certain.flat_map(|(_, (draft, fed))| draft.ports.iter().zip(fed).map(move |port| (draft, port)));
        let open: Vec<_> =
            ports.filter(|(_, (_, fed))| fed.is_none()).map(|(draft, (port, _))| (draft, port)).collect();
        if open.len() <= self.lost {
            return;
        }
        for (draft, port) in open {
            let (node, id) = (draft.id(), port.id());
            let message = format!(
                "no edge leads to the port {} of {}, which would wait for ever",
                quoted(id),
                quoted(node)
            );
            let help = format!("add `<edge id=\"..\" source=\"..\" dest=\"{node}\" paramdest=\"{id}\" />`");
            self.findings.report(&codes::PORT_NOT_FED, self.findings.tag(port.element), message, Some(help));
        }
    }
}
