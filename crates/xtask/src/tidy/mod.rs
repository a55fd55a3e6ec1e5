//! Proves the borders between the crates and the habits of every file, and prints what breaks them.
//! It never mends anything: each finding names its cure.

mod arrows;
mod command;
mod decisions;
mod english;
mod finding;
mod functions;
mod graph;
mod links;
mod locks;
mod modules;
mod source;

pub(crate) use command::{arrows_picture, run};
