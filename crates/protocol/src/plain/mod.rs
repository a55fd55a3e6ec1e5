//! The plain HTTP protocol of workers: XML in the body of a POST, XML in its answer (thesis 3.8).
//!
//! A file for each of its four exchanges, `join.rs`, `dequeue.rs`, `submit.rs` and `heartbeat.rs`; `element.rs`,
//! `parse.rs` and `fields.rs` are the little XML that they need; `values.rs` puts values into text. Never does IO.

mod dequeue;
mod element;
mod error;
mod fields;
mod heartbeat;
mod join;
mod key;
mod parse;
mod submit;
mod values;

pub use dequeue::{Dequeue, Job, Jobs};
pub use error::PlainError;
pub use heartbeat::{Heartbeat, Held, Renewal, Renewals};
pub use join::{Join, Joined, Leave, Left, Pass, Refused, Secret};
pub use submit::{Answer, Finding, Report, Submit, Verdicts};
pub use values::{ValueError, Values};

/// Said at joining; another one is refused.
pub const PLAIN_VERSION: u32 = 1;
/// Below it the requests: `join`, `dequeue`, `submit`, `heartbeat`, `leave`.
pub const PLAIN_PATH: &str = "/worker/v1";

/// Bytes of a body in which its root has to say who sends it.
pub const PEEK_BYTES: usize = 4096;
/// Elements of one message: five for each of the results that a worker can hold, and the message itself.
const MAX_ELEMENTS: usize = 5 * weevil_model::limits::MAX_IN_FLIGHT as usize + 1;
/// Nesting of elements in one message; the deepest needs four.
const MAX_DEPTH: usize = 8;
/// Attributes of one element; the longest tag needs eight.
const MAX_ATTRIBUTES: usize = 16;

/// Each message as the body of a request or an answer.
macro_rules! bodies {
    ($($message:ty),+) => { $(
        impl $message {
            /// Reads a body: bounded, typed, and refused in words that name line and element.
            pub fn parse(body: &[u8]) -> Result<Self, PlainError> {
                Self::read(&parse::parse(body)?)
            }

            pub fn to_xml(&self) -> String {
                self.element().render()
            }
        }
    )+ };
}

bodies!(Join, Joined, Leave, Left, Refused, Dequeue, Jobs, Submit, Verdicts, Heartbeat, Renewals);

#[cfg(test)]
mod tests;
