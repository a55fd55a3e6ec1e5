//! How the server fares over time, for people: a sample each second, in memory, begun anew with each start.
//!
//! Never reads a metric, and never asks the database itself.

mod ring;
mod rings;
mod sample;

pub(crate) use rings::{Series, Span};
pub(crate) use sample::Sample;
