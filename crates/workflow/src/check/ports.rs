//! Ports against the parameters of `weevil_main`: inputs are passed in the order of the ports, so both must agree.

use std::collections::HashSet;

use super::draft::MainFunction;
use super::draft::{PortDraft, id};
use super::ids;
use crate::codes;
use crate::document::Element;
use crate::findings::{Findings, quoted};
use crate::javascript::{ENTRY, Parameter};

/// Names of a list that a message shows.
const SHOWN: usize = 12;

/// Compares the ports of the node at `element` with the function that it names.
pub(super) fn check(
    main: &MainFunction,
    element: &Element<'_>,
    ports: &[PortDraft<'_>],
    findings: &mut Findings<'_>,
) {
    let parameters = &main.function.parameters;
    match difference(parameters, ports, main.function.reads_arguments || main.function.reads_unseen) {
        Some(difference) if are_sound(element, ports) => {
            mismatch(main, element, ports, &difference, findings);
        }
        Some(_) => {}
        None if main.function.reads_arguments || main.function.reads_unseen => {}
        None => unread_ports(main, element, ports, findings),
    }
}

#[derive(Debug)]
enum Difference {
    /// This port meets a parameter of another name.
    Name { port: usize, parameter: String },
    /// Nothing takes this port.
    Surplus { port: usize },
    /// No port gives this parameter.
    Lacking { parameter: String },
}

/// The first thing that differs.
fn difference(parameters: &[Parameter], ports: &[PortDraft<'_>], takes_all: bool) -> Option<Difference> {
    for (position, parameter) in parameters.iter().enumerate() {
        if parameter.is_rest {
            return None;
        }
        let name = parameter.name.as_deref();
        match ports.get(position) {
            Some(port) if name.is_some_and(|name| name != port.id()) => {
                return Some(Difference::Name {
                    port: position,
                    parameter: name.unwrap_or_default().to_owned(),
                });
            }
            None if !parameter.has_default => {
                return Some(Difference::Lacking { parameter: name.unwrap_or("{ .. }").to_owned() });
            }
            _ => {}
        }
    }
    let surplus = ports.len() > parameters.len() && !takes_all;
    surplus.then_some(Difference::Surplus { port: parameters.len() })
}

/// Whether the ports are as many as they should be, each with an id of its own. Anything else is told already.
pub(super) fn are_sound(element: &Element<'_>, ports: &[PortDraft<'_>]) -> bool {
    let mut seen = HashSet::new();
    let known = |parent: &Element<'_>, child| parent.children.iter().all(|found| found.name == child);
    let complete = if element.name == "job" {
        known(element, "parameters") && element.children.iter().all(|list| known(list, "parameter"))
    } else {
        ports.len() == 1
    };
    complete && ports.iter().all(|port| ids::problem(port.id()).is_none() && seen.insert(port.id()))
}

/// The ports of a node, in words.
pub(super) fn has(element: &Element<'_>, ports: &[PortDraft<'_>]) -> String {
    match ports {
        [] => format!("{} has no ports", quoted(id(element))),
        ports => {
            format!("the ports of {} are {}", quoted(id(element)), list(ports.iter().map(PortDraft::id)))
        }
    }
}

fn mismatch(
    main: &MainFunction,
    element: &Element<'_>,
    ports: &[PortDraft<'_>],
    difference: &Difference,
    findings: &mut Findings<'_>,
) {
    let parameters = list(main.function.parameters.iter().map(shown));
    let message = format!("`{ENTRY}({parameters})` in {}, but {}", main.place, has(element, ports));
    let (at, help) = match difference {
        Difference::Name { port, parameter } => {
            let port = &ports[*port];
            let order = ports.iter().any(|other| other.id() == parameter);
            let help = if order {
                "inputs are passed in the order of the ports: give both the same order".to_owned()
            } else {
                let port = port.id();
                format!(
                    "rename the parameter `{parameter}` to `{port}`, or the port `{port}` to `{parameter}`"
                )
            };
            (findings.value_of(port.element, "id"), help)
        }
        Difference::Surplus { port } => {
            let help =
                format!("add a parameter `{0}` to the function, or delete the port `{0}`", ports[*port].id());
            (findings.value_of(ports[*port].element, "id"), help)
        }
        Difference::Lacking { parameter } => {
            let at = findings.value_of(element, "src");
            (at, format!("add a port `{parameter}` to the node, or give the parameter a default"))
        }
    };
    findings.report(&codes::PARAMETERS_DIFFER, at, message, Some(help));
}

fn unread_ports(
    main: &MainFunction,
    element: &Element<'_>,
    ports: &[PortDraft<'_>],
    findings: &mut Findings<'_>,
) {
    let parameters = &main.function.parameters;
    for (position, port) in ports.iter().enumerate() {
        let takes = parameters.get(position).or(parameters.last());
        if takes.is_none_or(|parameter| parameter.is_read) {
            continue;
        }
        let (node, id) = (quoted(id(element)), quoted(port.id()));
        let message = format!("the port {id} of {node} is never read by `{ENTRY}` in {}", main.place);
        let help = "read it, or delete the port and its edge".to_owned();
        let at = findings.value_of(port.element, "id");
        findings.report(&codes::UNREAD_PORT, at, message, Some(help));
    }
}

fn shown(parameter: &Parameter) -> &str {
    parameter.name.as_deref().unwrap_or("{ .. }")
}

pub(super) fn list<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let more = if names.len() > SHOWN { ", .." } else { "" };
    let names: Vec<_> = names.take(SHOWN).collect();
    format!("{}{more}", names.join(", "))
}
