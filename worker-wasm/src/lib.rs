//! What runs in the volunteer's browser, compiled to WebAssembly: the exports, and nothing else.
//!
//! `coordinator` decides (pure, tested natively), `shell` does (sockets, ports, timers). The GPU is another module
//! (`weevil-gpu-wasm`), loaded when the first job with kernels arrives; this one never reaches it.

mod bounds;
mod capacity;
mod clock;
mod code;
mod coordinator;
mod fetch;
mod job;
mod lines;
mod link;
mod meter;
mod shell;
mod slot;
mod transfer;

pub use shell::Coordinator;
