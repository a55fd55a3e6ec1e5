//! What the compiler of kernels tells the workflow language, neither of which knows the other, and neither of which need
//! run in the same process.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::types::TypedArrayKind;

/// What the names of kernels end with, in a workflow's folder.
pub const KERNEL_EXTENSIONS: [&str; 1] = [".wgsl"];

/// Whether a file of a workflow is a kernel.
pub fn is_kernel_file(path: &str) -> bool {
    KERNEL_EXTENSIONS.iter().any(|extension| path.ends_with(extension))
}

/// Something wrong with a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum KernelStep {
    /// Its text is looked into, which may cost so much and no more.
    Checking,
    /// Its text becomes a program.
    Compiling,
    /// A job calls the program, on any device.
    Calling,
}

/// What a kernel says of itself: all that a job has to know which calls it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelOutline {
    pub entries: Vec<KernelEntry>,
    /// In the order of their numbers.
    pub bindings: Vec<KernelBinding>,
}

/// A `@compute` function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelEntry {
    pub name: String,
    /// The bytes of its name.
    pub at: Range<usize>,
    /// Work items of one workgroup in each direction.
    pub workgroup: [u32; 3],
}

/// A buffer of group 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelBinding {
    pub name: String,
    pub number: u32,
    /// The bytes of its declaration.
    pub at: Range<usize>,
    pub access: KernelAccess,
    /// The type of a uniform, or of a storage array's elements; `None` for anything else.
    pub element: Option<KernelElement>,
}

/// What a kernel does with a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum KernelAccess {
    Uniform,
    Read,
    ReadWrite,
}

/// A number or a vector of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelElement {
    pub scalar: KernelScalar,
    /// How many numbers: 1, or 2 to 4 of a vector.
    pub width: u8,
}

/// The numbers that a kernel can be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum KernelScalar {
    F32,
    I32,
    U32,
}

impl KernelScalar {
    /// The name in WGSL.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::I32 => "i32",
            Self::U32 => "u32",
        }
    }

    /// The typed array of such numbers.
    pub const fn array(self) -> TypedArrayKind {
        match self {
            Self::F32 => TypedArrayKind::Float32,
            Self::I32 => TypedArrayKind::Int32,
            Self::U32 => TypedArrayKind::Uint32,
        }
    }
}

/// As WGSL writes it: `f32`, `vec4<u32>`.
impl fmt::Display for KernelElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scalar = self.scalar.as_str();
        if self.width == 1 { f.write_str(scalar) } else { write!(f, "vec{}<{scalar}>", self.width) }
    }
}
