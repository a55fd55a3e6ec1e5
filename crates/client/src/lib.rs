//! The HTTP API as blocking functions: a server, what is sent to it, and how its refusals are read.
//!
//! Never prints and never retries: the caller sees what the server said. The files that it reads are a person's own: the token
//! of a server of this machine, `client.toml`, and what is named on a command line.

mod accounts;
mod audit;
mod client_file;
mod fleet;
mod form;
mod jobs;
pub mod local;
mod operations;
mod origin;
mod people;
mod projects;
mod server;
#[cfg(feature = "https")]
mod tls;
mod toml_block;
mod waiting;
mod wanted;
mod why;

pub use accounts::{AccountDeed, AccountFilter};
pub use audit::AuditFilter;
pub use fleet::WorkerFilter;
pub use form::Form;
pub use jobs::JobFilter;
pub use operations::{DeviceMark, RunFilter};
pub use origin::Origin;
pub use server::{Refused, Server};
pub use wanted::Wanted;
