//! One stream of live data: what somebody listens to is looked at by one task, made into frames once for all, and kept for a while for
//! readers that come back ([ADR 0070]).
//!
//! Never asks who may listen; `http/events.rs` does.
//!
//! [ADR 0070]: ../../../docs/adr/0070-one-stream.md

mod body;
mod change;
mod frames;
mod listed;
mod overview;
mod reader;
mod ring;
mod room;
mod run;
mod source;
mod sums;
mod topic;

pub(crate) use body::{End, body};
pub(crate) use frames::{Frames, Wish, press};
pub(crate) use run::RunSource;
pub(crate) use source::Subject;
pub(crate) use topic::{MAX_TOPICS, Named, named};
