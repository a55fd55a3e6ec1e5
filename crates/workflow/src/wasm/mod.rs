//! What a WebAssembly module says, without running it: whether it is one that browsers take, what it asks for, and how
//! its `weevil_main` is called. The other end of it is docs/wasm-abi.md.
//!
//! Bytes in, facts out. Never runs anything, and never knows which node names the file.

mod interface;
mod module;
#[cfg(test)]
mod tests;

pub(crate) use module::{Call, MAGIC, Mistake, read};
