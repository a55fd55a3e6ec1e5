//! The plain HTTP protocol of workers: XML in the body of a POST, XML in its answer (thesis 3.8).
//!
//! A file for each of its four exchanges, `join.rs`, `dequeue.rs`, `submit.rs` and `heartbeat.rs`; `element.rs`,
//! `parse.rs` and `fields.rs` are the little XML that they need; `values.rs` puts values into text. Never does IO.

mod bodies;
mod dequeue;
mod element;
mod error;
mod fields;
mod heartbeat;
mod join;
mod key;
mod limits;
mod parse;
mod submit;
#[cfg(test)]
mod tests;
mod values;

pub use dequeue::{Dequeue, Job, Jobs};
pub use error::PlainError;
pub use heartbeat::{Heartbeat, Held, Renewal, Renewals};
pub use join::{Join, Joined, Leave, Left, PLAIN_PATH, PLAIN_VERSION, Pass, Refused, Secret};
pub use limits::PEEK_BYTES;
pub use submit::{Answer, Finding, Report, Submit, Verdicts};
pub use values::{ValueError, Values};

use limits::{MAX_ATTRIBUTES, MAX_DEPTH, MAX_ELEMENTS};
