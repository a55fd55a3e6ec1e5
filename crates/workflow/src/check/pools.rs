//! The rules of pools (thesis 3.3.2): one Array port, a processor and a reducer with one parameter each.

use std::sync::Arc;

use weevil_model::{DataType, NodeKind};

use super::draft::{Draft, PortDraft};
use super::nodes::NodeReader;
use crate::codes;
use crate::document::Element;
use crate::findings::quoted;
use crate::spec::{JobSpec, NodeBody};

pub(super) fn read<'d>(reader: &mut NodeReader<'d, '_, '_, '_>, element: &'d Element<'d>) -> Draft<'d> {
    let ports = reader.ports(element);
    one_array_port(reader, element, &ports);
    let returns = reader.data_type(element, "returntype");
    let processor = element.child("processor").and_then(|found| part(reader, found).0);
    let (reducer, reducer_returns) =
        element.child("reducer").map_or((None, None), |found| part(reader, found));
    if let (Some(pool), Some(reduced)) = (returns, reducer_returns)
        && pool != reduced
    {
        let message = format!("the pool returns {pool}, but its reducer returns {reduced}");
        let help = "a pool returns what its reducer returns: make both the same".to_owned();
        let at = reader.findings.value_of(element, "returntype");
        reader.findings.report(&codes::POOL_RETURN_TYPE, at, message, Some(help));
    }
    let body = processor.zip(reducer).map(|(processor, reducer)| NodeBody::Pool { processor, reducer });
    Draft { kind: NodeKind::Pool, element, ports, returns, body }
}

fn one_array_port(reader: &mut NodeReader<'_, '_, '_, '_>, element: &Element<'_>, ports: &[PortDraft<'_>]) {
    let (at, found) = match ports {
        [port] => match port.data_type {
            Some(DataType::Array) | None => return,
            Some(other) => {
                let at = reader.findings.value_of(port.element, "paramtype");
                (at, format!("a port of type {other}"))
            }
        },
        [] => (reader.findings.tag(element), "no port".to_owned()),
        [_, second, ..] => (reader.findings.tag(second.element), format!("{} ports", ports.len())),
    };
    let message = format!("a pool has exactly one port of type Array; found {found}");
    let help = "write `<parameters><parameter id=\"..\" paramtype=\"Array\" /></parameters>`";
    reader.findings.report(&codes::POOL_PORT, at, message, Some(help.to_owned()));
}

/// A processor or reducer, and its return type whatever else is wrong with it.
fn part<'d>(
    reader: &mut NodeReader<'d, '_, '_, '_>,
    element: &'d Element<'d>,
) -> (Option<Arc<JobSpec>>, Option<DataType>) {
    let ports = reader.ports(element);
    match ports.as_slice() {
        [port] if element.name == "reducer" => reducer_takes_array(reader, port),
        [_] => {}
        _ => {
            let at = reader.findings.tag(ports.get(1).map_or(element, |second| second.element));
            let message = format!("a {} has exactly one parameter; found {}", element.name, ports.len());
            let help = match ports.len() {
                0 => "write `<parameters><parameter id=\"..\" paramtype=\"..\" /></parameters>`",
                _ => "delete the others: an element or a result can be an Object",
            };
            reader.findings.report(&codes::ONE_PARAMETER, at, message, Some(help.to_owned()));
        }
    }
    let returns = reader.data_type(element, "returntype");
    (reader.job(element, &ports, returns), returns)
}

fn reducer_takes_array(reader: &mut NodeReader<'_, '_, '_, '_>, port: &PortDraft<'_>) {
    let Some(found) = port.data_type.filter(|found| *found != DataType::Array) else { return };
    let at = reader.findings.value_of(port.element, "paramtype");
    let message = format!(
        "the reducer's parameter {} is of type {found}; Array is expected, for it gets all results at once",
        quoted(port.id())
    );
    let help = Some("write `paramtype=\"Array\"`".to_owned());
    reader.findings.report(&codes::REDUCER_NOT_ARRAY, at, message, help);
}
