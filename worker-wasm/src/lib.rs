//! What runs in the volunteer's browser, compiled to WebAssembly: the exports, and nothing else.
//!
//! Two modules come of it, by cargo feature. `coordinator`: `coordinator` decides (pure, tested natively), `shell` does
//! (sockets, ports, timers). `gpu`: wgpu for jobs with kernels, loaded when the first of them arrives.

#[cfg(feature = "coordinator")]
mod bounds;
#[cfg(feature = "coordinator")]
mod capacity;
#[cfg(feature = "coordinator")]
mod clock;
#[cfg(feature = "coordinator")]
mod code;
#[cfg(feature = "coordinator")]
mod coordinator;
#[cfg(feature = "coordinator")]
mod fetch;
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(feature = "coordinator")]
mod job;
#[cfg(feature = "coordinator")]
mod lines;
#[cfg(feature = "coordinator")]
mod link;
#[cfg(feature = "coordinator")]
mod meter;
#[cfg(feature = "coordinator")]
mod shell;
#[cfg(feature = "coordinator")]
mod slot;
#[cfg(feature = "coordinator")]
mod transfer;

#[cfg(feature = "gpu")]
pub use gpu::{Gpu, Kernel, Memory};
#[cfg(feature = "coordinator")]
pub use shell::Coordinator;
