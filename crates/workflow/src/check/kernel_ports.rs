//! A kernel as a job: the ports and types of a node against the bindings of its kernel. Arguments travel by
//! position, so the ports stand in the order of the bindings' numbers.

use weevil_model::{DataType, KernelAccess};

use super::draft::{PortDraft, id};
use super::kernel_job::{Binding, Kernel};
use super::ports;
use crate::codes;
use crate::document::Element;
use crate::findings::{Findings, quoted};

/// Compares the node at `element` with the kernel that it names.
pub(super) fn check(
    kernel: &Kernel,
    element: &Element<'_>,
    ports: &[PortDraft<'_>],
    returns: Option<DataType>,
    findings: &mut Findings<'_>,
) {
    if element.name == "reducer" {
        return reducer(element, findings);
    }
    match difference(kernel, ports) {
        Some(difference) if ports::are_sound(element, ports) => {
            mismatch(kernel, element, ports, &difference, findings);
        }
        _ => {}
    }
    for port in ports {
        if let Some(binding) = kernel.bindings.iter().find(|binding| binding.name == port.id()) {
            port_type(kernel, binding, port, findings);
        }
    }
    result_type(kernel, element, returns, findings);
}

fn reducer(element: &Element<'_>, findings: &mut Findings<'_>) {
    let message = format!("the reducer {} is a kernel, which takes no Array", quoted(id(element)));
    let help = "write the reducer in JavaScript or as a WebAssembly module".to_owned();
    findings.report(&codes::KERNEL_REDUCER, findings.value_of(element, "src"), message, Some(help));
}

#[derive(Debug)]
enum Difference<'k> {
    /// No binding has the name of this port.
    Unknown { port: usize },
    /// No port gives this binding.
    Lacking(&'k Binding),
    /// This port stands behind one whose binding has a larger number.
    Order { port: usize },
    /// The result begins as zeros, and nothing says how many.
    NoSize,
}

/// The first thing that differs.
fn difference<'k>(kernel: &'k Kernel, ports: &[PortDraft<'_>]) -> Option<Difference<'k>> {
    let Kernel { bindings, result, .. } = kernel;
    let place = |port: &PortDraft<'_>| bindings.iter().position(|binding| binding.name == port.id());
    let places: Vec<_> = ports.iter().map(place).collect();
    if let Some(port) = places.iter().position(Option::is_none) {
        return Some(Difference::Unknown { port });
    }
    let is_fed = |at: usize| places.contains(&Some(at));
    if let Some(lacking) = (0..bindings.len()).find(|at| at != result && !is_fed(*at)) {
        return Some(Difference::Lacking(&bindings[lacking]));
    }
    if let Some(before) = places.windows(2).position(|pair| pair[0] > pair[1]) {
        return Some(Difference::Order { port: before + 1 });
    }
    let is_array = |binding: &Binding| binding.access == KernelAccess::Read;
    (!is_fed(*result) && !bindings.iter().any(is_array)).then_some(Difference::NoSize)
}

fn mismatch(
    kernel: &Kernel,
    element: &Element<'_>,
    ports: &[PortDraft<'_>],
    difference: &Difference<'_>,
    findings: &mut Findings<'_>,
) {
    let names = || kernel.bindings.iter().map(|binding| &*binding.name);
    let (file, has) = (quoted(&kernel.path), ports::has(element, ports));
    let message = format!("the bindings of {file} are {}, but {has}", ports::list(names()));
    let at_port = |port: usize| findings.value_of(ports[port].element, "id");
    let at_src = || findings.value_of(element, "src");
    let (at, message, help) = match difference {
        Difference::Unknown { port } => {
            let unfed: Vec<_> = names().filter(|name| ports.iter().all(|port| port.id() != *name)).collect();
            let meant = findings.did_you_mean(ports[*port].id(), unfed.iter().copied());
            let help = meant.unwrap_or_else(|| match unfed[..] {
                [only] => format!("rename it to `{only}`"),
                _ => "give it the name of a binding, or delete it".to_owned(),
            });
            (at_port(*port), message, help)
        }
        Difference::Lacking(_) if element.name == "processor" => {
            let help = "a processor has one port: let the kernel have one input, besides its result";
            (at_src(), message, help.to_owned())
        }
        Difference::Lacking(binding) => {
            (at_src(), message, format!("add a port `{}` of type {}", binding.name, binding.data_type()))
        }
        Difference::Order { port } => {
            let help = "inputs are passed in the order of the ports: give them that of the bindings' numbers";
            (at_port(*port), message, help.to_owned())
        }
        Difference::NoSize => {
            let result = &kernel.bindings[kernel.result];
            let message = format!("nothing says how many elements `{}` in {file} has", result.name);
            let help = format!(
                "add a port `{}` of type {}, or a binding `var<storage, read>`",
                result.name,
                result.data_type()
            );
            (at_src(), message, help)
        }
    };
    findings.report(&codes::KERNEL_PORTS, at, message, Some(help));
}

fn port_type(kernel: &Kernel, binding: &Binding, port: &PortDraft<'_>, findings: &mut Findings<'_>) {
    let expected = binding.data_type();
    let Some(found) = port.data_type.filter(|found| *found != expected) else { return };
    let (file, name, declared) = (quoted(&kernel.path), quoted(port.id()), binding.declared());
    let message = format!("the port {name} is of type {found}, but in {file} it is declared as {declared}");
    let help = Some(format!("write `paramtype=\"{expected}\"`"));
    findings.report(&codes::KERNEL_TYPES, findings.value_of(port.element, "paramtype"), message, help);
}

fn result_type(
    kernel: &Kernel,
    element: &Element<'_>,
    returns: Option<DataType>,
    findings: &mut Findings<'_>,
) {
    let result = &kernel.bindings[kernel.result];
    let expected = result.data_type();
    let Some(found) = returns.filter(|found| *found != expected) else { return };
    let (node, file, declared) = (quoted(id(element)), quoted(&kernel.path), result.declared());
    let message =
        format!("{node} returns {found}, but its result is `{}` in {file}, {declared}", result.name);
    let help = Some(format!("write `returntype=\"{expected}\"`"));
    findings.report(&codes::KERNEL_TYPES, findings.value_of(element, "returntype"), message, help);
}
