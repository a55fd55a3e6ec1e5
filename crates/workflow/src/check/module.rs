//! The rules of `jobtype="wasm"`: what is wrong with a module, told where a node names it, and the ports and types of
//! each node against what its module takes. What a module says is read by `wasm`.

use weevil_model::{ContentHash, DataType};

use super::draft::{PortDraft, id};
use super::ports;
use crate::codes::{self, Code};
use crate::document::{Attribute, Element};
use crate::findings::{Findings, quoted};
use crate::javascript::ENTRY;
use crate::wasm::{self, Call, Mistake, Question};

const ANY_VALUE: &str = "export `alloc` and take any value (docs/wasm-abi.md)";

/// A sound module.
#[derive(Debug)]
pub(super) struct Module {
    call: Call,
    path: String,
}

/// Reads a module; `None` after an error.
pub(super) fn read(
    path: &str,
    bytes: &[u8],
    src: &Attribute<'_>,
    findings: &mut Findings<'_>,
) -> Option<Module> {
    match wasm::read(bytes) {
        Ok(call) => Some(Module { call, path: path.to_owned() }),
        Err(mistakes) => {
            for mistake in mistakes {
                let (code, message, help) = told(mistake, path, findings);
                findings.report(code, src.value_at.clone(), message, Some(help));
            }
            None
        }
    }
}

/// Reads a module that is asked about values; `None` after an error.
pub(super) fn read_ruling(
    path: &str,
    bytes: &[u8],
    question: Question,
    named: &Attribute<'_>,
    findings: &mut Findings<'_>,
) -> Option<ContentHash> {
    let mistakes = wasm::read_ruling(bytes, question).err().unwrap_or_default();
    let is_sound = mistakes.is_empty();
    for mistake in mistakes {
        let (code, message, help) = told(mistake, path, findings);
        let code = if *code == codes::NOT_WASM { code } else { &codes::RULING_MODULE };
        findings.report(code, named.value_at.clone(), message, Some(help));
    }
    is_sound.then(|| ContentHash::of(bytes))
}

/// A mistake in words: its code, message and help.
pub(crate) fn told(mistake: Mistake, path: &str, findings: &Findings<'_>) -> (&'static Code, String, String) {
    let file = quoted(path);
    match mistake {
        Mistake::NotModule { message, help } => {
            (&codes::NOT_WASM, format!("{file} is not a WebAssembly module: {message}"), help.to_owned())
        }
        Mistake::Import { found, help } => {
            (&codes::WASM_IMPORT, format!("{file} imports {found}, which workers do not provide"), help)
        }
        Mistake::NoMain { functions } => {
            let meant = findings.nearest(ENTRY, functions.iter().map(String::as_str));
            let help = match meant {
                Some(name) => format!("export `{name}` as `{ENTRY}`"),
                None => format!("export the job's function as `{ENTRY}`"),
            };
            let message = format!("{file} does not export a function `{ENTRY}`, which a worker would call");
            (&codes::NO_WEEVIL_MAIN, message, help)
        }
        Mistake::Export { message, help } => (&codes::WASM_EXPORT, format!("{file}: {message}"), help),
    }
}

/// Compares the node at `element` with the module that it names.
pub(super) fn check(
    module: &Module,
    element: &Element<'_>,
    ports: &[PortDraft<'_>],
    returns: Option<DataType>,
    findings: &mut Findings<'_>,
) {
    let Call::Numbers { parameters, result } = &module.call else { return };
    if parameters.len() == ports.len() {
        for (port, parameter) in ports.iter().zip(parameters) {
            number_port(module, port, parameter, findings);
        }
    } else if ports::are_sound(element, ports) {
        other_count(module, parameters, element, ports, findings);
    }
    number_result(module, *result, element, returns, findings);
}

fn other_count(
    module: &Module,
    parameters: &[&str],
    element: &Element<'_>,
    ports: &[PortDraft<'_>],
    findings: &mut Findings<'_>,
) {
    let takes = format!("`{ENTRY}({})` in {}", parameters.join(", "), quoted(&module.path));
    let message = format!("{takes}, but {}", ports::has(element, ports));
    let (at, help) = match ports.get(parameters.len()) {
        Some(port) => {
            (findings.value_of(port.element, "id"), "delete this port, or add a parameter to the function")
        }
        None => (findings.value_of(element, "src"), "add a port for each parameter"),
    };
    findings.report(&codes::PARAMETERS_DIFFER, at, message, Some(help.to_owned()));
}

fn number_port(module: &Module, port: &PortDraft<'_>, parameter: &str, findings: &mut Findings<'_>) {
    let Some(found) = port.data_type.filter(|found| *found != DataType::Number) else { return };
    let (port_id, file) = (quoted(port.id()), quoted(&module.path));
    let message =
        format!("the port {port_id} is of type {found}, but `{ENTRY}` in {file} takes an {parameter}");
    let help = format!("make it a Number, or {ANY_VALUE}");
    findings.report(&codes::WASM_NUMBERS, findings.value_of(port.element, "paramtype"), message, Some(help));
}

fn number_result(
    module: &Module,
    result: Option<&str>,
    element: &Element<'_>,
    returns: Option<DataType>,
    findings: &mut Findings<'_>,
) {
    let expected = if result.is_some() { DataType::Number } else { DataType::Undefined };
    let Some(found) = returns.filter(|found| *found != expected) else { return };
    let (node, file) = (quoted(id(element)), quoted(&module.path));
    let given = result.map_or_else(|| "nothing".to_owned(), |result| format!("an {result}"));
    let message = format!("{node} returns {found}, but `{ENTRY}` in {file} returns {given}");
    let help = format!("write `returntype=\"{expected}\"`, or {ANY_VALUE}");
    findings.report(&codes::WASM_NUMBERS, findings.value_of(element, "returntype"), message, Some(help));
}
