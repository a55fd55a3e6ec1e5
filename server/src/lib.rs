//! The server: joins the workflow language, the dataflow scheduler, the queue, the wire and the pages.
//!
//! Owns actors, routes, configuration and the command line. Rules live elsewhere: `weevil-dataflow` says what an
//! executor does, `weevil-queue` what happens to a job, `weevil-workflow` what a document means.

// What is printed passes `weevil_cli::inert`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod access;
mod app;
mod book;
pub mod command;
mod config;
mod descriptors;
mod disk;
mod drain;
mod http;
mod modes;
mod reach;
mod refusal;
mod seeds;
mod series;
mod setting;
mod sockets;
mod stream;
mod tls;
mod workers;

pub use app::{Ready, serve};
pub use config::{Config, ConfigError, ConfigErrors};
pub use reach::{Reach, ReachError};
pub use setting::{Setting, Told};
pub use sockets::Socket;
pub use tls::{PairError, TlsFiles};

/// Executors are many small things that come and go: the C library's allocator took a quarter of the scheduler's time,
/// and kept a third more of a plan's memory.
/// Version 3 of mimalloc: what one thread makes and another one drops, as with large messages, is used again. Without huge
/// pages: what is given back is kept for a second, and would be more by them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
