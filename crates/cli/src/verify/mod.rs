//! `weevil verify`: whether a certificate holds, told without a server, unless somebody wants jobs computed again.
//!
//! The rules are `weevil_trust`'s; here are files, the signature, the workflow's edges, and the words.

mod command;
mod edges;
mod graph;
mod lines;
mod recompute;
#[cfg(test)]
mod verify_test;
mod words;

pub(crate) use command::Verify;
