//! Kernels, checked where they are uploaded: WGSL that a worker would refuse is refused with line and column.
//!
//! Two questions. Does it compile (`naga`, as one of the browsers' own compilers)? And can a job call it, on any device
//! that has WebGPU at all (`rules.rs`)? Then one answer: what the kernel says of itself (`outline.rs`). Strangers' texts
//! are read by a process of their own (`child.rs`). Never runs a kernel, never changes its text.

pub mod child;
mod outline;
mod rules;
#[cfg(test)]
mod tests;

use std::ops::Range;

use naga::front::wgsl;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use weevil_model::{KernelMistake, KernelOutline, KernelStep};

/// The longest text that is looked into, in bytes.
pub const MAX_KERNEL_BYTES: usize = 1 << 20;

/// What the check of one kernel may take.
pub mod limits {
    /// Memory, in MiB: the largest sound kernels take a tenth of it.
    pub const MAX_CHECK_MIB: u64 = 256;
    /// Processor time, in seconds.
    pub const MAX_CHECK_SECONDS: u64 = 1;
    /// Time of the clock, in seconds: a busy machine takes longer for the same.
    pub const MAX_CHECK_CLOCK_SECONDS: u64 = 5;
}

/// What is wrong with a kernel whose check was ended; `why` it was.
pub fn too_costly(why: &str) -> KernelMistake {
    let help = "constants are computed while the text is read: make large ones smaller, or compute them in the kernel";
    KernelMistake {
        keeps_from: KernelStep::Checking,
        at: 0..0,
        message: format!("its check was ended: {why}"),
        help: Some(help.to_owned()),
    }
}

/// Reads a text: its entry points and bindings. The compiler evaluates constants while it reads, so that a short text may
/// take any time and any memory: strangers' texts are read in a process of their own, within [`limits`].
///
/// # Errors
/// The first mistake that keeps it from compiling, or all that keep jobs from calling it.
pub fn check_wgsl(text: &str) -> Result<KernelOutline, Vec<KernelMistake>> {
    if text.len() > MAX_KERNEL_BYTES {
        let message = format!("{} bytes; at most {MAX_KERNEL_BYTES} are looked into", text.len());
        return Err(vec![mistake(0..0, message, None)]);
    }
    let module = match wgsl::parse_str(text) {
        Ok(module) => module,
        Err(error) => {
            let (at, label) = error.labels().next().map_or((None, ""), |(at, label)| (at.to_range(), label));
            let help = error.notes().next().map(str::to_owned);
            return Err(vec![mistake(at.unwrap_or(0..0), labelled(error.message(), label), help)]);
        }
    };
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    validator.validate(&module).map_err(|error| {
        let (at, label) = error.spans().next().map_or((None, ""), |(at, label)| (at.to_range(), label));
        vec![mistake(at.unwrap_or(0..0), labelled(&in_full(error.as_inner()), label), None)]
    })?;
    let mistakes = rules::check(&module, text);
    if mistakes.is_empty() { Ok(outline::of(&module, text)) } else { Err(mistakes) }
}

fn mistake(at: Range<usize>, message: String, help: Option<String>) -> KernelMistake {
    KernelMistake { keeps_from: KernelStep::Compiling, at, message, help }
}

/// naga says with the place what it is about, where the message alone does not.
fn labelled(message: &str, label: &str) -> String {
    if label.is_empty() || message.contains(label) {
        message.to_owned()
    } else {
        format!("{message}: {label}")
    }
}

/// The outer error only says where; its causes say what.
fn in_full(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
