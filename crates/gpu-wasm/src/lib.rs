//! The GPU for jobs with kernels, on wgpu's `webgpu` backend: a device, memory, kernels, and dispatches.
//!
//! Knows no job and no workflow: what a kernel is called, how it is cut into slices and what a job may do is the job
//! runtime's business (web/src/volunteer/job/gpu). Never panics on what a job asks for: sizes are checked here first,
//! because a panic would end the module. Empty but in a browser.

#![cfg(target_arch = "wasm32")]

mod device;
mod kernel;
mod memory;
mod signal;

pub use device::Gpu;
pub use kernel::Kernel;
pub use memory::Memory;
