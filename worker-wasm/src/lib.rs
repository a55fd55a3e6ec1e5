//! What runs in the volunteer's browser, compiled to WebAssembly: the exports, and nothing else.
//!
//! `coordinator` decides (pure, tested natively), `shell` does (sockets, ports, timers).

mod capacity;
mod code;
mod coordinator;
mod job;
mod link;
mod meter;
mod shell;
mod slot;

pub use shell::Coordinator;
