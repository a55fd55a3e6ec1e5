//! The commands of `weevil` that ask a server or read a folder, and how a command ends.
//!
//! Never opens a database and never serves: those commands are the server's own.

// What is printed passes `inert.rs`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod answers;
mod asking;
mod audit;
mod cancel;
mod certificate;
mod check;
mod clock;
mod command;
mod console;
mod devices;
mod exit;
mod files;
pub mod inert;
mod jobs;
mod login;
mod members;
mod pause;
mod project;
mod report;
mod result;
mod run;
mod snippet;
mod submit;
mod token;
mod upload;
mod user;
mod verify;
mod what;
mod whoami;
mod whom;
mod workflows;

pub use audit::AuditCommand;
pub use command::Command;
pub use exit::Exit;
pub use user::UserCommand;
