//! What a kernel that compiles says of itself. Judges nothing: whether it can be a job, the workflow language says.

use naga::{
    AddressSpace, ArraySize, EntryPoint, GlobalVariable, Module, ResourceBinding, Scalar, ScalarKind,
    StorageAccess, TypeInner,
};
use weevil_model::{KernelAccess, KernelBinding, KernelElement, KernelEntry, KernelOutline, KernelScalar};

use crate::rules;

/// Bytes of every number that a typed array can bring.
const WIDTH: u8 = 4;

/// The outline of a module that `rules` finds nothing wrong with.
pub(crate) fn of(module: &Module, text: &str) -> KernelOutline {
    let variables = module.global_variables.iter();
    let mut bindings: Vec<_> = variables
        .filter_map(|(handle, variable)| {
            let at = module.global_variables.get_span(handle).to_range().unwrap_or(0..0);
            Some(KernelBinding { at, ..binding(module, variable)? })
        })
        .collect();
    bindings.sort_by_key(|binding| binding.number);
    let entries = module.entry_points.iter().map(|entry| self::entry(entry, text)).collect();
    KernelOutline { entries, bindings }
}

fn entry(entry: &EntryPoint, text: &str) -> KernelEntry {
    let at = rules::place_of(&entry.name, text);
    KernelEntry { name: entry.name.clone(), at, workgroup: entry.workgroup_size }
}

/// Its place is for the caller to say.
fn binding(module: &Module, variable: &GlobalVariable) -> Option<KernelBinding> {
    let ResourceBinding { binding: number, .. } = variable.binding?;
    let access = match variable.space {
        AddressSpace::Storage { access } if access.contains(StorageAccess::STORE) => KernelAccess::ReadWrite,
        AddressSpace::Storage { .. } => KernelAccess::Read,
        _ => KernelAccess::Uniform,
    };
    let inner = &module.types[variable.ty].inner;
    let element = match (access, inner) {
        (KernelAccess::Uniform, inner) => element(inner),
        (_, TypeInner::Array { base, size: ArraySize::Dynamic, .. }) => element(&module.types[*base].inner),
        _ => None,
    };
    Some(KernelBinding { name: variable.name.clone().unwrap_or_default(), number, at: 0..0, access, element })
}

/// Atomic numbers come and go as numbers.
fn element(inner: &TypeInner) -> Option<KernelElement> {
    let (scalar, width) = match *inner {
        TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => (scalar, 1),
        TypeInner::Vector { size, scalar } => (scalar, size as u8),
        _ => return None,
    };
    Some(KernelElement { scalar: number(scalar)?, width })
}

fn number(scalar: Scalar) -> Option<KernelScalar> {
    match (scalar.kind, scalar.width) {
        (ScalarKind::Float, WIDTH) => Some(KernelScalar::F32),
        (ScalarKind::Sint, WIDTH) => Some(KernelScalar::I32),
        (ScalarKind::Uint, WIDTH) => Some(KernelScalar::U32),
        _ => None,
    }
}
