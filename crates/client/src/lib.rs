//! The HTTP API as blocking functions: a server, what is sent to it, and how its refusals are read.
//!
//! Never prints and never retries: the caller sees what the server said. The one file that it reads is the token of a server of
//! this machine.

mod form;
pub mod local;
mod operations;
mod server;

pub use form::Form;
pub use server::{Refused, Server};
