//! Shows the whole path on one machine: server, volunteers, pi, figures, and two URLs to look at.
//! It never reaches into the server: it uses the binary and the HTTP API as anybody could.

mod api;
mod command;
mod progress;
mod report;
mod server;
mod submit;
mod times;
mod volunteers;
mod watch;

pub(crate) use command::{Options, run};
