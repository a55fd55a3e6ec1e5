//! What a WebAssembly module says, without running it: whether it is one that browsers take, what it asks for, and how
//! its `weevil_main` is called, or that it can be asked about values. The other end of it is docs/wasm-abi.md.
//!
//! Bytes in, facts out. Never runs anything, and never knows which node names the file.

mod interface;
mod module;
mod ruling;
#[cfg(test)]
mod tests;

pub(crate) use module::{Call, MAGIC, Mistake, read, read_ruling};
pub(crate) use ruling::Question;
