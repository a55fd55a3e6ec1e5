//! What a kernel must be for a job to call it: compute entry points, buffers of group 0, workgroups of literal size that
//! every device takes.

use std::ops::Range;

use naga::{AddressSpace, EntryPoint, GlobalVariable, Module, ResourceBinding, ShaderStage};
use weevil_model::{KernelMistake, KernelStep};

/// What WebGPU promises of every device.
const MAX_ITEMS: u32 = 256;
const MAX_SIZE: [u32; 3] = [256, 256, 64];
/// Numbers from here on belong to the worker, which cuts long runs into slices.
const MAX_BINDING: u32 = 998;
/// Names that begin like this are the worker's.
const RESERVED: &str = "weevil_";

pub(crate) fn check(module: &Module, text: &str) -> Vec<KernelMistake> {
    let mut found = Vec::new();
    if !module.entry_points.iter().any(|entry| entry.stage == ShaderStage::Compute) {
        let help = "write `@compute @workgroup_size(64) fn name(..)`";
        found.push(mistake(0..0, "no kernel: there is no `@compute` function".to_owned(), help));
    }
    found.extend(module.entry_points.iter().filter_map(|entry| entry_point(entry, text)));
    for (handle, variable) in module.global_variables.iter() {
        let at = module.global_variables.get_span(handle).to_range().unwrap_or(0..0);
        found.extend(binding(variable, at));
    }
    found.extend(reserved(text));
    found
}

/// Where the name of a function stands.
pub(crate) fn place_of(name: &str, text: &str) -> Range<usize> {
    text.find(&format!("fn {name}")).map_or(0..0, |at| at + 3..at + 3 + name.len())
}

fn entry_point(entry: &EntryPoint, text: &str) -> Option<KernelMistake> {
    let EntryPoint { name, stage, workgroup_size: size, .. } = entry;
    let at = place_of(name, text);
    if *stage != ShaderStage::Compute {
        let message = format!("`{name}` draws; a kernel computes");
        return Some(mistake(at, message, "make it `@compute`, or delete it"));
    }
    if entry.workgroup_size_overrides.is_some() {
        let message = format!("the workgroup size of `{name}` is not fixed");
        return Some(mistake(at, message, "write numbers, or names of `const` numbers"));
    }
    let items = size.iter().product::<u32>();
    if items > MAX_ITEMS || size.iter().zip(MAX_SIZE).any(|(found, most)| *found > most) {
        let [x, y, z] = size;
        let message = format!("a workgroup of {x} x {y} x {z}; not every device takes it");
        let [x, y, z] = MAX_SIZE;
        let help = format!("at most {MAX_ITEMS} work items, {x} x {y} x {z} in the three directions");
        return Some(mistake(at, message, &help));
    }
    None
}

fn binding(variable: &GlobalVariable, at: Range<usize>) -> Option<KernelMistake> {
    let ResourceBinding { group, binding } = variable.binding?;
    let name = variable.name.as_deref().unwrap_or_default();
    if group != 0 || binding > MAX_BINDING {
        let message = format!("`{name}` is binding {binding} of group {group}");
        let help = format!("a kernel's bindings are in group 0, with numbers up to {MAX_BINDING}");
        return Some(mistake(at, message, &help));
    }
    if !matches!(variable.space, AddressSpace::Uniform | AddressSpace::Storage { .. }) {
        let message = format!("`{name}` is no buffer");
        return Some(mistake(at, message, "a kernel is given `var<storage, ..>` and `var<uniform>` alone"));
    }
    None
}

fn reserved(text: &str) -> Option<KernelMistake> {
    let at = text.find(RESERVED)?;
    let message = format!("a name that begins with `{RESERVED}`, as only the worker's do");
    Some(mistake(at..at + RESERVED.len(), message, "choose another name"))
}

fn mistake(at: Range<usize>, message: String, help: &str) -> KernelMistake {
    KernelMistake { keeps_from: KernelStep::Calling, at, message, help: Some(help.to_owned()) }
}
