//! Each message as the body of a request or an answer.

use super::parse;
use super::{
    Dequeue, Heartbeat, Jobs, Join, Joined, Leave, Left, PlainError, Refused, Renewals, Submit, Verdicts,
};

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
