//! A kernel as a job: what its file must be by itself, told once in the file (docs/gpu.md). Whether a node fits
//! it, `kernel_ports` says.

use std::ops::Range;

use weevil_model::{DataType, KernelAccess, KernelBinding, KernelElement, KernelEntry, KernelOutline};

use crate::codes;
use crate::findings::{Findings, OtherFile};
use crate::kernel::Kernels;
use crate::parse::decode;

const FROM_JAVASCRIPT: &str = "call it from JavaScript by `weevil.kernel`";

/// What WebGPU promises of every device; of 12 uniforms the worker takes one, to run in slices.
const MAX_ARRAYS: usize = 8;
const MAX_UNIFORMS: usize = 11;

/// A kernel that is a job.
#[derive(Debug)]
pub(super) struct Kernel {
    pub(super) path: String,
    /// In the order of their numbers.
    pub(super) bindings: Vec<Binding>,
    /// Position in the bindings.
    pub(super) result: usize,
}

#[derive(Debug)]
pub(super) struct Binding {
    pub(super) name: String,
    pub(super) access: KernelAccess,
    pub(super) element: KernelElement,
}

impl Binding {
    /// What a port for it brings.
    pub(super) const fn data_type(&self) -> DataType {
        match (self.access, self.element.width) {
            (KernelAccess::Uniform, 1) => DataType::Number,
            _ => DataType::Typed(self.element.scalar.array()),
        }
    }

    /// As the kernel declares it.
    pub(super) fn declared(&self) -> String {
        match self.access {
            KernelAccess::Uniform => self.element.to_string(),
            KernelAccess::Read | KernelAccess::ReadWrite => format!("array<{}>", self.element),
        }
    }
}

/// What keeps a kernel from being a job: its place, the message, the cure.
type Mistake = (Range<usize>, String, String);

/// Reads a kernel that a node names as its code; `None` where a job cannot call it, which is told in its file.
pub(super) fn read<'d>(
    path: &'d str,
    bytes: &'d [u8],
    kernels: &mut Kernels<'d, '_>,
    findings: &mut Findings<'_>,
) -> Option<Kernel> {
    match judge(path, kernels.outline(path, bytes, findings)?) {
        Ok(kernel) => Some(kernel),
        Err(mistakes) => {
            let file = OtherFile::new(path, decode(bytes).0);
            for (at, message, help) in mistakes {
                findings.report_in(&codes::KERNEL_NOT_JOB, &file, at, message, Some(help));
            }
            None
        }
    }
}

fn judge(path: &str, outline: &KernelOutline) -> Result<Kernel, Vec<Mistake>> {
    let mut mistakes: Vec<_> = entry_mistake(&outline.entries).into_iter().collect();
    mistakes.extend(same_number(&outline.bindings));
    mistakes.extend(too_many(&outline.bindings));
    let mut bindings = Vec::new();
    for binding in &outline.bindings {
        let KernelBinding { name, access, .. } = binding;
        match element(binding) {
            Ok(element) => bindings.push(Binding { name: name.clone(), access: *access, element }),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    let result = the_result(outline).unwrap_or_else(|mistake| {
        mistakes.push(mistake);
        0
    });
    if mistakes.is_empty() { Ok(Kernel { path: path.to_owned(), bindings, result }) } else { Err(mistakes) }
}

fn entry_mistake(entries: &[KernelEntry]) -> Option<Mistake> {
    match entries {
        [one, other, ..] => {
            let message =
                format!("`{}` and `{}` are both `@compute`: which one is the job?", one.name, other.name);
            Some((other.at.clone(), message, "give each a file of its own".to_owned()))
        }
        [KernelEntry { workgroup: [x, y, z], at, .. }] if *y > 1 || *z > 1 => {
            let message =
                format!("a workgroup of {x} x {y} x {z}; the work items of a job are in one direction");
            let help = format!("write `@workgroup_size({})`", x * y * z);
            Some((at.clone(), message, help))
        }
        _ => None,
    }
}

fn same_number(bindings: &[KernelBinding]) -> Option<Mistake> {
    let pair = bindings.windows(2).find(|pair| pair[0].number == pair[1].number)?;
    let [one, other] = pair else { return None };
    let message = format!("`{}` is binding {}, and so is `{}`", other.name, one.number, one.name);
    Some((other.at.clone(), message, "give each a number of its own".to_owned()))
}

fn too_many(bindings: &[KernelBinding]) -> Option<Mistake> {
    [(false, MAX_ARRAYS, "arrays"), (true, MAX_UNIFORMS, "uniforms")].into_iter().find_map(
        |(uniform, most, kind)| {
            let is_kind = |binding: &&KernelBinding| (binding.access == KernelAccess::Uniform) == uniform;
            let first = bindings.iter().filter(is_kind).nth(most)?;
            let message =
                format!("`{}` is one of more than {most} {kind}; not every device takes them", first.name);
            Some((first.at.clone(), message, "join some of them into one".to_owned()))
        },
    )
}

/// The position of the one binding that is written.
fn the_result(KernelOutline { entries, bindings }: &KernelOutline) -> Result<usize, Mistake> {
    let is_written = |binding: &KernelBinding| binding.access == KernelAccess::ReadWrite;
    let mut written = bindings.iter().enumerate().filter(|(_, binding)| is_written(binding));
    match (written.next(), written.next()) {
        (Some((at, _)), None) => Ok(at),
        (Some((_, one)), Some((_, other))) => {
            let message = format!(
                "`{}` is `read_write`, and so is `{}`: one of them can be the result",
                other.name, one.name
            );
            let help = format!("make the others `var<storage, read>`, or {FROM_JAVASCRIPT}");
            Err((other.at.clone(), message, help))
        }
        (None, _) => {
            let at = entries.first().map_or(0..0, |entry| entry.at.clone());
            let message = "no result: there is no binding `var<storage, read_write>`".to_owned();
            Err((at, message, "make one binding `read_write`: it is the job's result".to_owned()))
        }
    }
}

fn element(binding: &KernelBinding) -> Result<KernelElement, Mistake> {
    let KernelBinding { name, at, access, element, .. } = binding;
    let (found, help) = match (access, element) {
        (KernelAccess::Uniform, Some(element)) => return Ok(*element),
        (KernelAccess::Uniform, None) => (
            "neither a number nor a vector",
            "write f32, i32, u32 or a vector of them; or make it `var<storage, read>`",
        ),
        (_, Some(KernelElement { width: 3, .. })) => {
            ("an array of vectors of three, which take the room of four", "write vec4 in place of vec3")
        }
        (_, Some(element)) => return Ok(*element),
        (_, None) => (
            "no array of numbers",
            "write `array<..>` of f32, i32, u32 or vectors of two or four of them, without a length",
        ),
    };
    Err((at.clone(), format!("`{name}` is {found}"), format!("{help}; or {FROM_JAVASCRIPT}")))
}
