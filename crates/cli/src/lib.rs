//! The commands of `weevil` that ask a server or read a folder, and how a command ends.
//!
//! Never opens a database and never serves: those commands are the server's own.

// What is printed passes `inert.rs`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod answers;
mod asking;
mod audit;
mod bar;
mod browse;
mod cancel;
mod certificate;
mod check;
mod clock;
mod command;
mod console;
mod cut;
mod devices;
mod exit;
mod explain;
mod files;
mod hold;
pub mod inert;
mod input;
mod interrupt;
mod jobs;
mod local;
mod login;
mod logs;
mod members;
mod open;
mod pause;
mod project;
mod queue;
mod replay;
mod report;
mod result;
mod run;
mod runs;
mod snippet;
mod submit;
mod table;
mod terminal;
mod token;
mod top;
mod upload;
mod user;
mod verify;
mod wait;
mod whoami;
mod whom;
mod worker;
mod workers;
mod workflows;

pub use audit::AuditCommand;
pub use command::Command;
pub use exit::{CODES, Exit};
pub use terminal::plain;
pub use user::UserCommand;
