//! What the compiler of kernels tells the workflow language, neither of which knows the other.

use std::ops::Range;

/// Something wrong with a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelMistake {
    /// What it keeps from.
    pub keeps_from: KernelStep,
    /// The bytes of the text that it is about.
    pub at: Range<usize>,
    pub message: String,
    /// The cure, where one is known.
    pub help: Option<String>,
}

/// What happens to a kernel, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KernelStep {
    /// Its text becomes a program.
    Compiling,
    /// A job calls the program, on any device.
    Calling,
}
