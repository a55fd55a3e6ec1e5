//! The HTTP API as blocking functions: a server, what is sent to it, and how its refusals are read.
//!
//! Never prints, never retries, and reads no file: the caller sees what the server said.

mod form;
mod operations;
mod server;

pub use form::Form;
pub use server::{Refused, Server};
